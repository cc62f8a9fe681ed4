//! The user's message as a model gets it: what the user said, then what the host knows of this turn.

use promptline::PromptContext;

/// The message, and below it the mode and the environment, where the context says them.
pub(super) fn user_message(context: &PromptContext, message: &str) -> String {
    let mode = context.mode.as_deref().map(|mode| format!("Mode: {mode}"));
    let cwd = context.cwd.as_deref().map(|cwd| format!("Working directory: {cwd}"));
    let lines: Vec<String> = mode.into_iter().chain(cwd).collect();
    if lines.is_empty() {
        return message.to_owned();
    }
    format!("{message}\n\n<environment>\n{}\n</environment>", lines.join("\n"))
}

/// The result of a call, as a message of the user, for calls that were written as text.
pub(super) fn tool_result(name: &str, result: &str) -> String {
    format!("[{name}] Result:\n{result}")
}
