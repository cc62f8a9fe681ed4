//! `promptline diff`: one request on two sides that differ in context, variant or pack.

use std::path::PathBuf;

use promptline::{Pack, Prompt, PromptContext, PromptRegistryBuilder, diff};

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
    if args.context.len() < 2 && args.variant.len() < 2 && args.against.is_none() {
        return Err(Failure::Said(
            "both sides are the same\nhelp: give two of --context FILE or of --variant ID, or the \
             pack to compare with as --against DIR"
                .to_owned(),
        ));
    }
    let packs = &args.request.pack;
    let base: Vec<PathBuf> = match &args.against {
        Some(against) => packs.iter().rev().skip(1).rev().chain([against]).cloned().collect(),
        None => packs.clone(),
    };
    let before = build(registry.clone(), &base, args, Side::Before)?;
    let after = build(registry, packs, args, Side::After)?;
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
    mut registry: PromptRegistryBuilder,
    packs: &[PathBuf],
    args: &DiffArgs,
    side: Side,
) -> Result<Prompt, Failure> {
    for folder in packs {
        registry = registry.pack(Pack::from_dir(folder)?);
    }
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
    let prompt = registry.build()?.build_blocking(&context)?;
    Output::warn(&prompt.report().diagnostics);
    Ok(prompt)
}
