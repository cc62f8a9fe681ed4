//! What the templates of a variant ask for: every name, and which of them ask for it. No request can
//! change it, so it is listed once, for the first report, and never for builds without one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Assembled, Step};
use crate::context::PromptContext;
use crate::id::TEMPLATE_SECTION;
use crate::id::TOOLS_SECTION;
use crate::placeholder::Possible;
use promptline_diagnostic::Id;

/// A name that templates ask for.
pub(crate) struct Asked {
    pub(crate) name: Id,
    /// Who can provide it.
    pub(crate) possible: Possible,
    /// The base template, the components in run order, and the list of tools for what tools ask for.
    pub(crate) users: Arc<[Id]>,
}

impl Assembled {
    /// Every name, in byte order.
    pub(crate) fn asked(&self) -> &[Asked] {
        self.asked.get_or_init(|| {
            let template = Id::from(TEMPLATE_SECTION);
            let mut users: BTreeMap<&str, Vec<Id>> = BTreeMap::new();
            let base = self.base.placeholders().iter().map(|name| (name, &template));
            let inner = self.pipeline.iter().flat_map(|Step { id, component, .. }| {
                let names =
                    component.as_ref().map_or(&[][..], |component| component.placeholders());
                names.iter().map(move |name| (name, id))
            });
            let list = Id::from(TOOLS_SECTION);
            let templates = self.tools.iter().flat_map(|offered| offered.spec.templates());
            let of_tools = templates.flat_map(|template| template.placeholders());
            let of_tools = of_tools.map(|name| (name, &list));
            for (name, user) in base.chain(inner).chain(of_tools) {
                let users = users.entry(name).or_default();
                // Many tools may ask for one name.
                if users.last() != Some(user) {
                    users.push(user.clone());
                }
            }
            let asked = |(name, users): (&str, Vec<Id>)| Asked {
                possible: Possible::of(name, &self.placeholders, &self.known_sections),
                name: name.into(),
                users: users.into(),
            };
            users.into_iter().map(asked).collect()
        })
    }

    /// What the request provides and no template asks for, by name.
    pub(crate) fn unused(&self, cx: &PromptContext) -> Vec<String> {
        if cx.runtime.is_empty() && cx.params.is_empty() {
            return Vec::new();
        }
        let asks = |name: &str| self.asks_below(name);
        // A template that reads the whole map may use any entry of it.
        let whole = |name: &str| self.position(name).is_ok();
        let context = whole("context");
        let mut unused = Vec::new();
        let runtime = (!context && !asks("context.runtime")).then_some(&cx.runtime);
        for name in runtime.into_iter().flat_map(|runtime| runtime.keys()) {
            let alias = name == "CWD" && asks("WORKING_DIR");
            if !alias && !asks(name) {
                unused.push(name.clone());
            }
        }
        let params =
            (!context && !whole("params") && !asks("context.params")).then_some(&cx.params);
        for name in params.into_iter().flat_map(|params| params.keys()) {
            let name = format!("params.{name}");
            if !asks(&name) {
                unused.push(name);
            }
        }
        unused.sort_unstable();
        unused
    }

    /// Its prompts show skills or MCP servers in the order that the host gave: a template asks for the
    /// lists themselves. The standard placeholders sort them.
    pub(crate) fn keeps_order(&self) -> bool {
        let lists = ["context.skills", "context.mcp_servers"];
        self.position("context").is_ok() || lists.iter().any(|list| self.asks_below(list))
    }

    /// A template asks for this name, or for something in it.
    fn asks_below(&self, name: &str) -> bool {
        let Err(next) = self.position(name) else { return true };
        let mut longer =
            self.asked().iter().skip(next).map_while(|asked| asked.name.strip_prefix(name));
        longer.any(|rest| rest.starts_with('.'))
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.asked().binary_search_by(|asked| asked.name.as_str().cmp(name))
    }
}
