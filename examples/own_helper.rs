//! Helpers of a host's own, for the templates of its pack: one that gives a value, one that writes, one
//! that is a block.
//!
//! `cargo run --example own_helper`

#![allow(clippy::print_stdout, reason = "an example shows what it made")]

use promptline::template::handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, Renderable,
    handlebars_helper,
};
use promptline::template::{Helpers, Partials, Template};
use serde_json::json;

/// `{{plural COUNT "file" "files"}}`: a function that writes.
fn plural(
    h: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let argument = |at| h.param(at).map(|param| param.value());
    let one = argument(0).and_then(|count| count.as_u64()) == Some(1);
    let word = argument(if one { 1 } else { 2 }).and_then(|word| word.as_str());
    out.write(word.unwrap_or_default())?;
    Ok(())
}

/// `{{#quote}} … {{/quote}}`: a block gets its body as the text that will be read.
struct Quote;

impl HelperDef for Quote {
    fn call<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        data: &'rc Context,
        context: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        if let Some(body) = h.template() {
            for line in body.renders(registry, data, context)?.lines() {
                out.write(&format!("> {line}\n"))?;
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), promptline::Error> {
    // The macro makes a helper that gives a value: it can be printed, compared, looped over.
    handlebars_helper!(initials: |name: str| {
        name.split_whitespace().filter_map(|word| word.chars().next()).collect::<String>()
    });
    // A registry takes them one by one: `PromptRegistry::builder().helper("initials", initials)`.
    let helpers =
        Helpers::new().with("initials", initials)?.with("plural", plural)?.with("quote", Quote)?;
    let partials = Partials::default().with_helpers(helpers);
    let source = "\
{{initials NAME}} changed {{len FILES}} {{plural (len FILES) \"file\" \"files\"}}:
{{#quote}}
{{#each FILES}}
{{this}}
{{/each}}
{{/quote}}
";
    let template = Template::parse_named("changes.md", source, &partials)?;
    let values = json!({"NAME": "Ada Lovelace", "FILES": ["notes.md", "engine.rs"]});
    if let Some(values) = values.as_object() {
        print!("{}", template.render(values)?);
    }
    Ok(())
}
