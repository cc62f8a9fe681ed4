//! `promptline tools`: a list of tools from one form into another. The list goes to stdout; what could
//! not be said in the new form, and what was repaired or left out in the old one, to stderr.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use promptline::{
    Diagnostic, Dialect, PromptContext, ToolSpec,
    tools::{
        NativeOptions, ReadOptions, TextForm, ToolList, ToolNameMap, UnsupportedKeyword,
        native_tools, read_tool_sections, read_tools_text, tool_section_as,
    },
};
use serde::Serialize;
use serde_json::Value;

use crate::args::{ToolFormat, ToolsArgs};
use crate::output::{Failure, Output};

/// What was read of a file, whatever its form.
#[derive(Default)]
struct ReadSpecs {
    tools: Vec<ToolSpec>,
    diagnostics: Vec<Diagnostic>,
}

impl From<ToolList> for ReadSpecs {
    fn from(list: ToolList) -> Self {
        let tools = list.tools.into_iter().map(ToolSpec::from).collect();
        Self { tools, diagnostics: list.diagnostics }
    }
}

/// `tools --json`.
#[derive(Serialize)]
struct Translated {
    /// The list; null where the form is a text.
    tools: Option<Value>,
    /// The text; null where the form is a list.
    text: Option<String>,
    names: ToolNameMap,
    unsupported: Vec<UnsupportedKeyword>,
    diagnostics: Vec<Diagnostic>,
}

/// A provider that no table knows gets the dialect that most providers copy.
fn unknown_provider(provider: &str) -> Option<Diagnostic> {
    if promptline::model_id::ModelTables::builtin().provider(provider).is_some() {
        return None;
    }
    let message = format!("the provider `{}` is not known", provider.escape_debug());
    let help = "its tools are written for the dialect openai, which most providers copy; name another with --format";
    Some(Diagnostic::warning("unknown-provider", message).with_help(help))
}

pub(crate) fn run(args: &ToolsArgs, output: &mut Output) -> Result<(), Failure> {
    let list = read(args)?;
    if list.tools.is_empty() && !list.diagnostics.is_empty() {
        Output::warn(&list.diagnostics);
        return Err(Failure::Said("no tool in it can be read".to_owned()));
    }
    let mut translated = translate(&list.tools, args)?;
    translated.diagnostics.splice(0..0, list.diagnostics);
    not_offered(&list.tools, &mut translated);
    translated.diagnostics.extend(args.provider.as_deref().and_then(unknown_provider));
    if args.json {
        return output.json(&translated);
    }
    // What has a row in the table needs no words.
    let said = translated.diagnostics.iter().filter(|said| said.code != RENAMED);
    Output::warn(said);
    Output::note(&table(&translated));
    match (&translated.text, &translated.tools) {
        (Some(text), _) => output.line(text),
        (None, tools) => output.json(tools),
    }
}

/// The tools of all files, one after the other. Of two with one id the first counts.
fn read(args: &ToolsArgs) -> Result<ReadSpecs, Failure> {
    let mut options = ReadOptions::new();
    options.server.clone_from(&args.server);
    let mut all = ReadSpecs::default();
    let mut ids = BTreeSet::new();
    for file in &args.files {
        let (shown, text) = text_of(file)?;
        let list = read_text(file, &shown, &text, &options)?;
        all.diagnostics.extend(list.diagnostics.into_iter().map(|said| said.in_file(&shown)));
        for tool in list.tools {
            if !ids.insert(tool.id.clone()) {
                let message = format!("the tool `{}` is left out: it was there before", tool.id);
                let said = Diagnostic::warning("tool-left-out", message).about(&tool.id);
                all.diagnostics.push(said.in_file(&shown));
            } else {
                all.tools.push(tool);
            }
        }
    }
    Ok(all)
}

fn text_of(file: &Path) -> Result<(String, String), Failure> {
    if file == Path::new("-") {
        return Ok(("stdin".to_owned(), crate::clean::stdin()?));
    }
    let shown = file.display().to_string();
    match std::fs::read_to_string(file) {
        Ok(text) => Ok((shown, text)),
        Err(error) => Err(Failure::Said(format!("{shown}: the file cannot be read: {error}"))),
    }
}

/// JSON begins with a bracket, which the TOML of a tool and the text of a prompt do not.
fn read_text(
    file: &Path,
    shown: &str,
    text: &str,
    options: &ReadOptions,
) -> Result<ReadSpecs, Failure> {
    let toml = file.extension().is_some_and(|extension| extension == "toml");
    if !toml && text.trim_start_matches('\u{FEFF}').trim_start().starts_with(['{', '[']) {
        return Ok(read_tools_text(shown, text, options)?.into());
    }
    if !toml {
        let sections = read_tool_sections(text);
        if !sections.tools.is_empty() {
            return Ok(ReadSpecs { tools: sections.tools, diagnostics: sections.diagnostics });
        }
    }
    match ToolSpec::from_toml(shown, text) {
        Ok(tool) => {
            let mut list = ReadSpecs::default();
            list.tools.push(tool);
            Ok(list)
        }
        Err(_) if !toml && text.contains("<tools>") => {
            Ok(read_tools_text(shown, text, options)?.into())
        }
        Err(error) => Err(error.into()),
    }
}

fn translate(tools: &[ToolSpec], args: &ToolsArgs) -> Result<Translated, Failure> {
    let mut cx = PromptContext::new(args.provider.clone().unwrap_or_default(), "");
    args.flag.iter().for_each(|flag| cx.flags.insert(flag));
    let dialect = match args.format {
        None => Dialect::for_provider(args.provider.as_deref().unwrap_or_default()),
        Some(ToolFormat::Xml) => return as_text(TextForm::Xml, tools, &cx),
        Some(ToolFormat::Hermes) => return as_text(TextForm::Hermes, tools, &cx),
        Some(ToolFormat::Openai) => Dialect::OpenAi,
        Some(ToolFormat::OpenaiResponses) => Dialect::OpenAiResponses,
        Some(ToolFormat::Anthropic) => Dialect::Anthropic,
        Some(ToolFormat::Gemini) => Dialect::Gemini,
        Some(ToolFormat::GeminiLegacy) => Dialect::GeminiLegacy,
        Some(ToolFormat::Bedrock) => Dialect::Bedrock,
        Some(ToolFormat::Mcp) => Dialect::Mcp,
    };
    let mut options = NativeOptions::new(dialect);
    if args.strict {
        options = options.with_strict();
    }
    let native = native_tools(tools, &cx, &options)?;
    Ok(Translated {
        tools: Some(native.to_value()),
        text: None,
        names: native.names().clone(),
        unsupported: native.unsupported().to_vec(),
        diagnostics: native.diagnostics().to_vec(),
    })
}

fn as_text(form: TextForm, tools: &[ToolSpec], cx: &PromptContext) -> Result<Translated, Failure> {
    let mut reported = Vec::new();
    let mut fit = Vec::with_capacity(tools.len());
    for tool in tools {
        match tool.check() {
            // What is not a host's own is a reader's business, and not an error.
            Err(error) if form == TextForm::Xml && tool.server.is_none() => {
                let message = format!("`{}` is left out: {}", tool.id, error.message());
                reported.push(Diagnostic::warning("tool-failed", message).about(&tool.id));
            }
            _ => fit.push(tool.clone()),
        }
    }
    let section = tool_section_as(form, &fit, cx)?;
    reported.extend(section.diagnostics);
    Ok(Translated {
        tools: None,
        text: Some(section.text.to_string()),
        names: section.names,
        unsupported: Vec::new(),
        diagnostics: reported,
    })
}

/// Says which tools a condition has left out: for a prompt that is no news, for a list it is.
fn not_offered(tools: &[ToolSpec], translated: &mut Translated) {
    let said: BTreeSet<&str> =
        translated.diagnostics.iter().filter_map(|said| said.subject.as_deref()).collect();
    let there: BTreeSet<&str> = translated.names.iter().map(|(_, tool)| tool.id.as_str()).collect();
    let missing = |tool: &&ToolSpec| !there.contains(&*tool.id) && !said.contains(&*tool.id);
    let reported: Vec<Diagnostic> = tools
        .iter()
        .filter(missing)
        .map(|tool| {
            let message =
                format!("the tool `{}` is not offered: its condition does not hold", tool.id);
            Diagnostic::warning("tool-not-offered", message)
                .about(&tool.id)
                .with_help("switch on what it asks for with --flag")
        })
        .collect();
    translated.diagnostics.extend(reported);
}

/// The code of the finding that a tool has another name in the list.
const RENAMED: &str = "tool-renamed";

/// What is not as it was: old and new names; tool, place and keyword of what was lost, and what was done.
fn table(translated: &Translated) -> String {
    let renamed = translated.diagnostics.iter().filter(|said| said.code == RENAMED);
    let renamed: BTreeSet<&str> = renamed.filter_map(|said| said.subject.as_deref()).collect();
    let names = translated.names.iter().filter(|(_, tool)| renamed.contains(tool.id.as_str()));
    let names = names.map(|(name, tool)| ["renamed", tool.id.as_str(), name, "", ""]);
    let keywords = translated.unsupported.iter().map(|found| {
        let path = if found.path.is_empty() { "/" } else { &found.path };
        ["lost", &found.tool, path, &found.keyword, &found.what_was_done]
    });
    let rows: Vec<[&str; 5]> = names.chain(keywords).collect();
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width).min(WIDEST);
        }
    }
    let mut table = String::new();
    for row in rows {
        for (cell, width) in row.iter().zip(widths) {
            // A name from elsewhere may hold anything. Writing to a String cannot fail.
            let cell: String = cell.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let _ = write!(table, "{cell:width$}  ");
        }
        table.truncate(table.trim_end().len());
        table.push('\n');
    }
    table
}

/// A longer cell moves the rest of its own row only.
const WIDEST: usize = 48;
