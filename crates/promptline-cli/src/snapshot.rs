//! `promptline snapshot`: the golden files of a pack, or of a host's registry.

use std::path::PathBuf;

use promptline::testing::{Difference, Matrix, Mismatch, Size, Updated};
use promptline::{Overlay, Pack, PromptRegistryBuilder};
use serde::Serialize;

use crate::args::SnapshotArgs;
use crate::output::{Failure, Output};

/// `snapshot --check --json`.
#[derive(Serialize)]
struct Checked<'a> {
    differences: &'a [Difference],
}

pub(crate) fn run(
    mut registry: PromptRegistryBuilder,
    args: &SnapshotArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    registry = args.tokens.of(registry)?;
    // The matrix is about the last pack; those before it lie under it.
    let mut variants = None;
    for folder in &args.pack {
        let pack = Pack::from_dir(folder)?;
        variants = Some(pack.variants().to_vec());
        registry = registry.pack(pack);
    }
    for folder in &args.overlay {
        registry = registry.overlay(Overlay::from_dir(folder)?);
    }
    let registry = registry.build()?;
    let mut matrix = Matrix::new(&registry).contexts_dir(folder(
        args,
        args.contexts.as_ref(),
        "--contexts",
        "contexts",
    )?);
    if !args.sizes {
        matrix = matrix.base(&args.base).snapshots_dir(folder(
            args,
            args.dir.as_ref(),
            "--dir",
            "snapshots",
        )?);
    }
    if let Some(variants) = variants {
        matrix = matrix.variants(variants);
    }
    if let Some(variant) = &args.variant {
        matrix = matrix.only(variant);
    }
    // A golden file keeps what a build warned of, too: its reviewer should see it.
    for snapshot in matrix.prompts()? {
        let place = format!("{}/{}", snapshot.variant, snapshot.context);
        Output::warn_in(&place, &snapshot.prompt.report().diagnostics);
    }
    if args.sizes {
        sizes(&matrix.sizes()?, args.json, output)
    } else if args.update {
        updated(&matrix.update()?, args.json, output)
    } else {
        check(&matrix, args.json, output)
    }
}

/// The folder that was given, else the one in the pack.
fn folder(
    args: &SnapshotArgs,
    given: Option<&PathBuf>,
    flag: &str,
    name: &str,
) -> Result<PathBuf, Failure> {
    let of_pack = || args.pack.last().map(|pack| pack.join(name));
    given.cloned().or_else(of_pack).ok_or_else(|| {
        Failure::Said(format!(
            "which folder of {name}?\nhelp: add {flag} DIR, or --pack DIR for the one in a pack"
        ))
    })
}

fn check(matrix: &Matrix<'_>, json: bool, output: &mut Output) -> Result<(), Failure> {
    match matrix.check() {
        Ok(()) if json => output.json(&Checked { differences: &[] }),
        Ok(()) => output.line("every prompt is as its golden file says"),
        Err(Mismatch::Failed(error)) => Err(error.into()),
        Err(mismatch) => {
            match &mismatch {
                Mismatch::Differs(differences) if json => output.json(&Checked { differences })?,
                _ => output.line(&mismatch)?,
            }
            Err(Failure::Found)
        }
    }
}

fn updated(updated: &Updated, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        return output.json(updated);
    }
    for file in &updated.written {
        output.line(format_args!("wrote {file}"))?;
    }
    for file in &updated.removed {
        output.line(format_args!("removed {file}"))?;
    }
    output.line(format_args!(
        "{} written, {} removed, {} unchanged",
        updated.written.len(),
        updated.removed.len(),
        updated.unchanged
    ))
}

fn sizes(sizes: &[Size], json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        return output.json(&sizes);
    }
    let width = |name: fn(&Size) -> &str, title: &str| {
        let longest = sizes.iter().map(|size| name(size).chars().count()).max();
        longest.unwrap_or_default().max(title.len())
    };
    let tokens = if sizes.iter().any(|size| size.estimate) { "~tokens" } else { "tokens" };
    let variant = width(|size| &size.variant, "variant");
    let context = width(|size| &size.context, "context");
    output.line(format_args!(
        "{:variant$}  {:context$}  {:>9}  {:>8}  {:>5}",
        "variant", "context", "bytes", tokens, "tools"
    ))?;
    for size in sizes {
        output.line(format_args!(
            "{:variant$}  {:context$}  {:>9}  {:>8}  {:>5}",
            size.variant, size.context, size.bytes, size.tokens, size.tools
        ))?;
    }
    Ok(())
}
