//! How often a section of this build changes, and where the prompt may change with what is not printed
//! just now. It only looks; no byte of a prompt depends on it.

use smallvec::SmallVec;

use crate::component::BaseName;
use crate::component::BuildState;
use crate::component::Registered;
use crate::context::PromptContext;
use crate::id::TOOLS_SECTION;
use crate::options::BuildOptions;
use crate::prompt::{Anchor, Break, Breaks};
use crate::registry::{Assembled, Step};
use crate::text::Volatility;
use crate::text::{Part, Splice, Text};
use promptline_diagnostic::Id;

/// The sections that are not there just now, and what decides how volatile sections are.
pub(super) struct Watch {
    hidden: SmallVec<[(Id, Volatility); 8]>,
    /// Tools come and go with the mode.
    tools_by_mode: bool,
}

impl Watch {
    pub(super) fn new(options: &BuildOptions, cx: &PromptContext) -> Self {
        let tools_by_mode = options.filter_by_mode && cx.mode.is_some();
        Self { hidden: SmallVec::new(), tools_by_mode }
    }

    pub(super) fn tools_by_mode(&self) -> bool {
        self.tools_by_mode
    }

    /// The section that was built with the registry does for this build.
    pub(super) fn keeps(&self, step: &Step) -> bool {
        !(self.tools_by_mode && step.changes.asks_tools)
    }

    /// Of the list of tools.
    pub(super) fn tool_list(&self, assembled: &Assembled) -> Volatility {
        if self.tools_by_mode {
            return Volatility::Turn;
        }
        assembled.tools_change.iter().copied().max().unwrap_or_default()
    }

    /// The tool list is a section of this variant, and is not there.
    pub(super) fn no_tool_list(&mut self, assembled: &Assembled) {
        self.hide(|| TOOLS_SECTION.into(), self.tool_list(assembled));
    }

    /// The component has no section in this build.
    pub(super) fn no_section(&mut self, step: &Step) {
        if let Some(component) = &step.component {
            let own = step.own_volatility(component);
            let level = self.with_tools(own.max(step.changes.presence), step);
            self.hide(|| step.id.clone(), level);
        }
    }

    fn hide(&mut self, id: impl FnOnce() -> Id, level: Volatility) {
        if level > Volatility::Static {
            self.hidden.push((id(), level));
        }
    }

    fn with_tools(&self, level: Volatility, step: &Step) -> Volatility {
        if self.keeps(step) { level } else { Volatility::Turn }
    }

    fn hidden(&self, name: &str) -> Volatility {
        let found = self.hidden.iter().find(|(id, _)| *id == name);
        found.map_or(Volatility::Static, |(_, level)| *level)
    }

    /// Of a section that a component wrote, `own` being what it says itself.
    pub(super) fn section(
        &self,
        own: Volatility,
        text: &Text,
        step: &Step,
        component: &Registered,
        state: &BuildState<'_>,
    ) -> Volatility {
        // What a request brings is as volatile as the request, whatever name it came by, and whether it
        // is printed or only asked about.
        let scope = state.scope(&step.id);
        let asked = component.placeholders().iter().map(|name| {
            if scope.is_of_request(name) { Volatility::Turn } else { self.hidden(name) }
        });
        let own = own.max(step.changes.presence).max(printed(text));
        self.with_tools(own.max(asked.max().unwrap_or_default()), step)
    }

    /// Where the base template may change with what it does not print just now.
    pub(super) fn breaks(&self, assembled: &Assembled, state: &BuildState<'_>) -> Breaks {
        let mut breaks = Breaks::new();
        let mut reached = Volatility::Static;
        let scope = state.base_scope();
        for (at, base) in assembled.base_names.iter().enumerate() {
            let of_request = || scope.is_of_request(&base.name);
            let tools = self.tools_by_mode && base.name.starts_with("tool.");
            let level = base.level.max(self.hidden(&base.name));
            let level = if tools || of_request() { Volatility::Turn } else { level };
            if level > reached {
                reached = level;
                let after = printed_before(at, assembled, state);
                breaks.push(Break { after, volatility: level });
            }
        }
        breaks
    }
}

/// The last section that the base template prints before this use of a name.
fn printed_before(at: usize, assembled: &Assembled, state: &BuildState<'_>) -> Option<Anchor> {
    let names = &assembled.base_names;
    let mut before = names.iter().take(at).rev().filter(|base| base.prints);
    let id = before.find(|base| state.section(&base.name).is_some())?.name.clone();
    let prints = |base: &&BaseName| base.prints && base.name == id;
    let nth = names.iter().take(at).filter(prints).count();
    let of = names.iter().filter(prints).count();
    Some(Anchor { id, nth, of })
}

/// A section is at least as volatile as the most volatile thing that came out in it.
pub(super) fn printed(text: &Text) -> Volatility {
    let printed = text.parts().map(|part| match part {
        Part::Splice(Splice::Section(section)) => section.volatility(),
        Part::Splice(Splice::Verbatim(verbatim)) if verbatim.source().is_request() => {
            Volatility::Turn
        }
        Part::Splice(Splice::Verbatim(_)) | Part::Authored(_) => Volatility::Static,
    });
    printed.max().unwrap_or_default()
}
