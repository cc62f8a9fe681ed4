//! `promptline diff`: one request on two sides that differ in context, variant or pack.

use std::path::{Path, PathBuf};

use promptline::{Prompt, PromptContext, PromptRegistryBuilder, diff::diff};

use crate::args::DiffArgs;
use crate::output::{Failure, Output};

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &DiffArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    if args.context.len() > 2 || args.variant.len() > 2 {
        return Err(Failure::Said("there are two sides: give a flag at most twice".to_owned()));
    }
    if args.context.iter().filter(|file| **file == Path::new("-")).count() > 1 {
        return Err(Failure::Said(
            "stdin can be read once: give one of the contexts as a file".to_owned(),
        ));
    }
    let alike = args.context.len() < 2 && args.variant.len() < 2 && args.against.is_none();
    let overlays = args.request.overlay.as_slice();
    if alike && overlays.is_empty() {
        return Err(Failure::Said(
            "both sides are the same\nhelp: give two of --context FILE or of --variant ID, an \
             --overlay DIR, or the pack to compare with as --against DIR"
                .to_owned(),
        ));
    }
    let registry = args.tokens.of(registry)?;
    let packs = &args.request.pack;
    let base: Vec<PathBuf> = match &args.against {
        Some(against) => packs.iter().rev().skip(1).rev().chain([against]).cloned().collect(),
        None => packs.clone(),
    };
    // An overlay that is the only thing to look at is looked at.
    let below = if alike { &[] } else { overlays };
    let before = build(registry.clone(), (&base, below), args, Side::Before)?;
    let after = build(registry, (packs, overlays), args, Side::After)?;
    let found = diff(&before, &after);
    if args.json {
        output.json(&found)?;
    } else {
        output.write(&found.to_string())?;
    }
    if args.check && !found.is_empty() { Err(Failure::Found) } else { Ok(()) }
}

#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

impl Side {
    /// The one that was given for this side; one alone is for both.
    fn of<T>(self, given: &[T]) -> Option<&T> {
        match self {
            Self::Before => given.first(),
            Self::After => given.last(),
        }
    }
}

fn build(
    registry: PromptRegistryBuilder,
    (packs, overlays): (&[PathBuf], &[PathBuf]),
    args: &DiffArgs,
    side: Side,
) -> Result<Prompt, Failure> {
    let registry = crate::registry(registry, packs, overlays)?;
    let mut context = match side.of(&args.context) {
        Some(file) => crate::render::read_context(file)?,
        None => PromptContext::default(),
    };
    if let Some(provider) = &args.request.provider {
        context.model.provider.clone_from(provider);
    }
    if let Some(model) = &args.model {
        context.model.id.clone_from(model);
    }
    context.model.window = args.request.window.or(context.model.window);
    for flag in &args.request.flag {
        context.flags.insert(flag);
    }
    if let Some(variant) = side.of(&args.variant) {
        context.variant = Some(variant.clone());
    }
    let prompt = registry.build_blocking(&context)?;
    Output::warn(&prompt.report().diagnostics);
    Ok(prompt)
}
