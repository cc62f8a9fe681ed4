//! What the files of a pack say, one file after the other: their conditions and templates. It collects
//! and judges nothing.

use crate::component::{SectionWriter as _, TemplateComponent};
use crate::condition::Condition;
use crate::pack::PackContent;
use crate::template::Template;
use crate::tool::ToolSpec;

/// One file with what it asks for.
pub(super) struct Part<'a> {
    pub(super) file: &'a str,
    pub(super) conditions: Vec<&'a Condition>,
    pub(super) templates: Vec<Template>,
}

impl Part<'_> {
    /// Calls `visit` with every condition in the file, those in others too.
    pub(super) fn each_condition(&self, mut visit: impl FnMut(&Condition)) {
        for condition in &self.conditions {
            let _ = condition.each(|condition| {
                visit(condition);
                Ok(())
            });
        }
    }

    /// The names of `space.*` that its templates ask for, without the space.
    pub(super) fn in_space<'s>(&'s self, space: &'s str) -> impl Iterator<Item = &'s str> {
        let names = self.templates.iter().flat_map(|template| template.placeholders());
        names.filter_map(move |name| name.strip_prefix(space)?.strip_prefix('.'))
    }
}

/// The files of a pack, in the order of its lists.
pub(super) fn parts(pack: &PackContent) -> Vec<Part<'_>> {
    let mut parts = vec![Part {
        file: &pack.origin,
        conditions: pack.conditions.values().collect(),
        templates: Vec::new(),
    }];
    parts.extend(pack.components.values().map(|component| of_component(component)));
    parts.extend(pack.tools.values().filter_map(|spec| of_tool(spec)));
    for variant in pack.variants.values() {
        let words = variant.file.tool.values().filter_map(|change| change.description.as_deref());
        parts.push(Part {
            file: &variant.origin,
            conditions: variant.file.when.iter().collect(),
            templates: words.filter_map(|words| Template::parse(words).ok()).collect(),
        });
        parts.extend(variant.template.as_ref().map(|template| Part {
            file: template.file(),
            conditions: Vec::new(),
            templates: vec![template.clone()],
        }));
        parts.extend(variant.components.values().map(|component| of_component(component)));
        parts.extend(variant.tools.values().filter_map(|spec| of_tool(spec)));
    }
    parts
}

fn of_component(component: &TemplateComponent) -> Part<'_> {
    Part {
        file: component.origin(),
        conditions: component.condition().into_iter().collect(),
        templates: vec![component.template().clone()],
    }
}

fn of_tool(spec: &ToolSpec) -> Option<Part<'_>> {
    Some(Part {
        file: spec.origin.as_deref()?,
        conditions: spec.conditions(),
        templates: spec.templates().cloned().collect(),
    })
}
