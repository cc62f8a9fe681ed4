//! `promptline calls`: the tool calls in a model's answer, as JSON. Nothing is executed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptline::{
    Diagnostic, PromptRegistryBuilder, ToolSpec,
    tools::{ReadOptions, Tool, ToolList, read_tools_text},
};
use promptline_calls::{Call, CallGrammar, CallParser, Dialects, Issue, Options, Parsed};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::CallsArgs;
use crate::output::{Failure, Output};

/// The output.
#[derive(Serialize)]
struct Answer<'a> {
    text: &'a str,
    calls: Vec<Shown<'a>>,
    diagnostics: Vec<Diagnostic>,
}

/// A call.
#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    args: Map<String, Value>,
    complete: bool,
    repaired: bool,
    unknown: &'a Map<String, Value>,
    duplicates: &'a Map<String, Value>,
    /// Text stood between the parameters.
    junk: bool,
    /// Bytes of the answer.
    span: Span,
    /// With `--typed`: what is not as the tool declares it.
    #[serde(skip_serializing_if = "Option::is_none")]
    issues: Option<Vec<Issue>>,
}

#[derive(Serialize)]
struct Span {
    start: usize,
    end: usize,
}

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &CallsArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut diagnostics = Vec::new();
    let grammar = if args.tools.is_empty() {
        CallGrammar::from_tools(crate::registry(registry, &args.pack, &[])?.tools().map(Tool::from))
    } else {
        let mut tools = Vec::new();
        for file in &args.tools {
            let list = read_tools(file)?;
            diagnostics.extend(list.diagnostics);
            tools.extend(list.tools);
        }
        CallGrammar::from_tools(&tools)
    };
    let grammar = Arc::new(grammar);
    let answer = text_of(&args.answer)?;
    let options = Options::new().dialects(args.dialect.iter().copied().collect::<Dialects>());
    let mut parsed = Parsed::default();
    let mut parser = CallParser::new(Arc::clone(&grammar), options);
    parser.push(&answer, &mut |event| parsed.take(&event));
    if args.cut {
        parser.finish_cut(&mut |event| parsed.take(&event));
    } else {
        parser.finish(&mut |event| parsed.take(&event));
    }
    diagnostics.extend(parsed.diagnostics);
    let calls = parsed.calls.iter().map(|call| shown(&grammar, call, args.typed)).collect();
    output.json(&Answer { text: &parsed.text, calls, diagnostics })?;
    if parsed.calls.iter().all(Call::complete) { Ok(()) } else { Err(Failure::Found) }
}

fn shown<'a>(grammar: &CallGrammar, call: &'a Call, typed: bool) -> Shown<'a> {
    let (args, issues) = if typed {
        let (args, issues) = grammar.typed(call);
        (args, Some(issues))
    } else {
        (call.args.clone(), None)
    };
    Shown {
        name: &call.name,
        args,
        complete: call.complete(),
        repaired: call.repaired(),
        unknown: &call.unknown,
        duplicates: &call.duplicates,
        junk: call.junk,
        span: Span { start: call.span.start, end: call.span.end },
        issues,
    }
}

/// The tools of a TOML file, of a folder of such files, or of a list in JSON.
fn read_tools(path: &Path) -> Result<ToolList, Failure> {
    let mut list = ToolList::default();
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| is_toml(file));
        files.sort();
        if files.is_empty() {
            return Err(Failure::Said(format!("{}: no *.toml is in the folder", path.display())));
        }
        for file in files {
            list.tools.push(read_tool(&file)?);
        }
    } else if is_toml(path) {
        list.tools.push(read_tool(path)?);
    } else {
        let shown = path.display().to_string();
        list = read_tools_text(&shown, &text_of(path)?, &ReadOptions::new())?;
    }
    Ok(list)
}

fn read_tool(file: &Path) -> Result<Tool, Failure> {
    Ok(Tool::from(&ToolSpec::from_toml(&file.display().to_string(), &text_of(file)?)?))
}

fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

/// A file, which must be UTF-8; `-` is stdin.
fn text_of(file: &Path) -> Result<String, Failure> {
    if file == Path::new("-") {
        return crate::clean::stdin();
    }
    fs::read_to_string(file).map_err(|error| unreadable(file, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Said(format!("{}: it cannot be read: {error}", path.display()))
}
