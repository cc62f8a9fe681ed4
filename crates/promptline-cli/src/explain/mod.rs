//! `promptline explain`: what a prompt costs and why it looks the way it does, as a table, as JSON or as
//! a page. It builds the prompt that `render` builds, and says nothing that the build did not report.

mod escape;
mod page;
mod prompt_html;
mod table;
mod tools;
mod view;

use promptline::PromptRegistryBuilder;

use crate::args::{ExplainArgs, Format};
use crate::output::{Failure, Output};
use crate::render::{Built, build};
use view::Explained;

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &ExplainArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let built = build(registry, &args.render, |options| options.with_lint(true))?;
    let Built { prompt, context, notes, detected, params } = &built;
    Output::warn(notes);
    let mut explained = Explained::new(prompt, context, detected.as_deref());
    explained.params = params.as_deref();
    if let Some(file) = &args.html {
        let page = page::render(prompt, context, &explained)?;
        std::fs::write(file, page).map_err(|error| {
            let file = file.display();
            Failure::Said(format!("{file}: the page cannot be written: {error}"))
        })?;
    }
    if args.render.json || args.render.format == Format::Json {
        output.json(&explained)
    } else if let Some(file) = &args.html {
        Output::note(&format!("wrote {}\n", file.display()));
        Ok(())
    } else {
        table::write(&explained, output)
    }
}
