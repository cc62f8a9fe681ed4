//! What a build says of its tools: whether they are offered, under which name, at what cost. Failures
//! are always reported; the reports are for those who read one.

use crate::cleanup::clean_part;
use crate::notes::Notes;
use crate::report::{ToolReport, ToolStatus};
use crate::text::{Part, Parts, Splice};
use crate::tokens::Counter;
use crate::tool::{EnabledTool, ToolSpec, ToolVerdict};
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Error;
use promptline_diagnostic::Id;
use promptline_tools::NativeTools;

pub(super) struct ToolReports<'a> {
    notes: &'a Notes,
    /// Nothing is counted when no report is wanted.
    counter: Option<&'a Counter>,
    list: Vec<ToolReport>,
    /// Tools are written in their order, so the next one asked for is near.
    next: usize,
    /// What a tool's text is collected in.
    buffer: String,
}

impl<'a> ToolReports<'a> {
    /// `tools`: how many there are to judge.
    pub(super) fn new(notes: &'a Notes, counter: Option<&'a Counter>, tools: usize) -> Self {
        let list = Vec::with_capacity(if counter.is_some() { tools } else { 0 });
        Self { notes, counter, list, next: 0, buffer: String::new() }
    }

    pub(super) fn into_list(self) -> Vec<ToolReport> {
        self.list
    }

    fn of(&mut self, id: &str) -> Option<&mut ToolReport> {
        let (before, behind) = self.list.split_at_mut_checked(self.next)?;
        let ahead = behind.iter().position(|report| report.id == id);
        let at = match ahead {
            Some(ahead) => self.next + ahead,
            None => before.iter().position(|report| report.id == id)?,
        };
        self.next = at;
        self.list.get_mut(at)
    }

    pub(super) fn judge(&mut self, spec: &ToolSpec, verdict: ToolVerdict) {
        let (status, reason) = match verdict {
            ToolVerdict::Enabled => (ToolStatus::Enabled, None),
            ToolVerdict::Skipped(reason) => (ToolStatus::Skipped, Some(reason)),
            ToolVerdict::Failed(what) => {
                let message =
                    format!("the tool `{}` is left out: its condition failed: {what}", spec.id);
                self.notes.report(Diagnostic::warning("tool-failed", message).about(&spec.id));
                (ToolStatus::Failed, Some(what))
            }
            ToolVerdict::ParamFailed(param, what) => {
                let message = format!(
                    "the parameter `{param}` of the tool `{}` is left out: its condition failed: {what}",
                    spec.id
                );
                self.notes
                    .report(Diagnostic::warning("tool-param-failed", message).about(&spec.id));
                return;
            }
        };
        if self.counter.is_some() {
            let raw = spec.raw_name();
            self.list.push(ToolReport {
                id: spec.id.clone(),
                name: spec.name.clone(),
                status,
                reason,
                renamed_from: (raw != spec.name).then(|| raw.to_owned()),
                text_tokens: 0,
                native_bytes: 0,
                native_tokens: 0,
                unsupported: Vec::new(),
            });
        }
    }

    /// A tool is in the text, or its words cannot be rendered.
    pub(super) fn written(&mut self, tool: &EnabledTool, written: Result<Parts<'_>, Error>) {
        let parts = match written {
            Ok(parts) => parts,
            Err(error) => return self.failed(tool, &error),
        };
        self.count(tool, parts);
    }

    /// The clean-up has changed something: what it left of a tool.
    pub(super) fn cleaned(&mut self, tool: &EnabledTool, written: Result<Parts<'_>, Error>) {
        if let Ok(parts) = written {
            let cleaned = clean_part(parts.skeleton());
            self.count(tool, parts.of(&cleaned));
        }
    }

    /// A report is wanted.
    pub(super) fn counts(&self) -> bool {
        self.counter.is_some()
    }

    fn count(&mut self, tool: &EnabledTool, parts: Parts<'_>) {
        let Some(counter) = self.counter else {
            return;
        };
        let mut texts = parts.filter_map(|part| match part {
            Part::Authored(text) => Some(text),
            Part::Splice(Splice::Verbatim(verbatim)) => Some(verbatim.as_str()),
            // A section that a tool prints has a cost of its own.
            Part::Splice(Splice::Section(_)) => None,
        });
        let tokens = match (texts.next(), texts.next()) {
            (first, None) => counter.count(first.unwrap_or_default()),
            (first, second) => {
                self.buffer.clear();
                self.buffer.extend(first.into_iter().chain(second).chain(texts));
                counter.count(&self.buffer)
            }
        };
        if let Some(report) = self.of(&tool.spec().id) {
            report.text_tokens = tokens;
        }
    }

    pub(super) fn failed(&mut self, tool: &EnabledTool, error: &Error) {
        let id = &tool.spec().id;
        let message = format!("the tool `{id}` is left out: its words cannot be rendered: {error}");
        self.notes.report(Diagnostic::warning("tool-failed", message).about(id));
        if let Some(report) = self.of(id) {
            report.status = ToolStatus::Failed;
            report.reason = Some(error.to_string());
        }
    }

    /// The tools in the form of a provider: their names there, their cost, what was lost.
    pub(super) fn native(&mut self, native: &NativeTools) {
        native.diagnostics().iter().for_each(|diagnostic| self.notes.report(diagnostic.clone()));
        let Some(counter) = self.counter else {
            return;
        };
        let mut names = native.names().iter();
        native.each_json(|json| {
            let Some((name, tool)) = names.next() else {
                return;
            };
            let tokens = counter.count(json);
            if let Some(report) = self.of(&tool.id) {
                report.native_bytes = json.len();
                report.native_tokens = tokens;
                if report.name != name {
                    let before = std::mem::replace(&mut report.name, Id::from(name));
                    report.renamed_from.get_or_insert_with(|| before.to_string());
                }
            }
        });
        for keyword in native.unsupported() {
            if let Some(report) = self.of(&keyword.tool) {
                report.unsupported.push(keyword.clone());
            }
        }
    }
}
