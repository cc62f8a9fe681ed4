//! A conversation: the user's lines, answers, and what tools say to their calls.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use promptline_model::{ChatMessage, ChatRequest, Role, ToolResult};
use serde_json::json;

use super::answer::{Answer, Called, ask};
use super::{Session, turn};
use crate::output::{Failure, Output};

/// Runs until the user has nothing more to say. All answers, in order.
pub(super) async fn run(
    session: &Session<'_>,
    mut request: ChatRequest,
    output: &mut Output,
) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::new();
    let mut next = session.args.message.clone();
    loop {
        let Some(message) = next.take().map_or_else(|| line("you> "), |first| Ok(Some(first)))?
        else {
            return Ok(answers);
        };
        if message.trim().is_empty() {
            continue;
        }
        request = request.user(turn::user_message(session.context, &message));
        for _ in 0..session.args.max_steps {
            let shown = (!session.json).then_some(&mut *output);
            let answer = ask(session.model, request.clone(), session.grammar, shown).await?;
            session.show(&answer, output)?;
            let mut said = ChatMessage::from_response(&answer.response);
            said.text.clone_from(&answer.response.text);
            request.messages.push(said);
            let calls: Vec<Called> =
                answer.calls.iter().filter(|call| call.complete).cloned().collect();
            let native = answer.response.tool_calls.clone();
            answers.push(answer);
            if calls.is_empty() {
                break;
            }
            let mut results = Vec::new();
            for call in &calls {
                let Some(result) = result_of(call, session.args.tool_exec.as_deref())? else {
                    return Ok(answers);
                };
                results.push(result);
            }
            let written = calls.iter().zip(&results).filter(|(call, _)| !call.native);
            let text: Vec<String> =
                written.map(|(call, result)| turn::tool_result(&call.name, result)).collect();
            let apart = calls.iter().zip(&results).filter(|(call, _)| call.native);
            let apart: Vec<ToolResult> = native
                .iter()
                .filter(|call| call.malformed.is_none())
                .zip(apart)
                .map(|(call, (_, result))| ToolResult::new(call, result))
                .collect();
            if !apart.is_empty() {
                request = request.tool_results(apart);
            }
            if !text.is_empty() {
                request = request.message(Role::User, text.join("\n\n"));
            }
        }
    }
}

/// What a tool answers; `None` when the user has gone.
fn result_of(call: &Called, program: Option<&Path>) -> Result<Option<String>, Failure> {
    let Some(program) = program else { return line(&format!("result of {}> ", call.name)) };
    let input = json!({"name": call.name, "args": call.args}).to_string();
    let failed = |error: std::io::Error| {
        Failure::Said(format!("{}: the program cannot be run: {error}", program.display()))
    };
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read its input is fine.
        let _ = writeln!(stdin, "{input}");
    }
    let ran = child.wait_with_output().map_err(failed)?;
    let said = String::from_utf8_lossy(&ran.stdout).trim_end().to_owned();
    // A tool that fails has said so to the model.
    match ran.status.success() {
        true => Ok(Some(said)),
        false => Ok(Some(format!("error: the tool failed ({}): {said}", ran.status))),
    }
}

/// A line of stdin, asked for on a terminal.
fn line(prompt: &str) -> Result<Option<String>, Failure> {
    if std::io::stdin().is_terminal() {
        Output::note(prompt);
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().read_line(&mut text)?;
    Ok((read > 0).then(|| text.trim_end_matches(['\n', '\r']).to_owned()))
}
