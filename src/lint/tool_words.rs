//! What a pack wrote about its tools, as this build says it: the same words in the text and in the native
//! form. Words of servers and of host tools are not the pack's.

use std::ops::Range;

use crate::template::scope::Scope;
use crate::text::{Part, Splice, Text};
use crate::tool::{EnabledTool, EnabledTools, ToolInput};
use promptline_diagnostic::Id;

/// The words of one tool, joined.
pub(crate) struct ToolWords {
    /// Its id.
    pub(super) tool: Id,
    /// The file that they are written in.
    pub(super) file: Id,
    pub(super) text: String,
    /// What of it the pack's author wrote.
    pub(super) authored: Vec<Range<usize>>,
}

/// Of every tool that a file describes. `in_text`: they are described in the text.
pub(crate) fn tool_words(tools: &EnabledTools, in_text: bool, scope: &dyn Scope) -> Vec<ToolWords> {
    tools.iter().filter_map(|tool| of_tool(tool, in_text, scope)).collect()
}

/// What cannot be rendered is reported by the build itself.
fn of_tool(tool: &EnabledTool, in_text: bool, scope: &dyn Scope) -> Option<ToolWords> {
    let spec = tool.spec();
    let file = spec.origin.clone().filter(|_| spec.server.is_none())?;
    let mut words =
        ToolWords { tool: spec.id.clone(), file, text: String::new(), authored: Vec::new() };
    words.add(spec.description.rendered(scope).ok()?.as_ref());
    if let ToolInput::Params(params) = &spec.input {
        let shown = params.iter().enumerate().filter(|(position, _)| tool.shows(*position));
        for (_, param) in shown {
            words.add(param.description.rendered(scope).ok()?.as_ref());
            if let Some(note) = param.note(scope).ok()? {
                words.add(note.as_ref());
            }
            // A sample value is only in the text.
            if in_text {
                words.add(&Text::authored(param.usage.as_str()));
            }
        }
    }
    Some(words)
}

impl ToolWords {
    fn add(&mut self, text: &Text) {
        for part in text.parts() {
            let start = self.text.len();
            match part {
                Part::Authored(piece) => {
                    self.text.push_str(piece);
                    self.authored.push(start..self.text.len());
                }
                Part::Splice(Splice::Verbatim(verbatim)) => self.text.push_str(verbatim.as_str()),
                // A section is looked at by itself.
                Part::Splice(Splice::Section(_)) => {}
            }
        }
        self.text.push('\n');
    }
}
