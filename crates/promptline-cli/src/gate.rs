//! `promptline check --max-tokens --max-growth`: what a prompt may cost, as findings of a check.

use promptline::check::Finding;
use promptline::testing::{Gate, Matrix, OverGate, OverGateKind, SectionSize};
use promptline::{Pack, PromptRegistryBuilder, Severity};

use crate::args::CheckArgs;
use crate::check::is_overlay;
use crate::output::Failure;
use crate::tokens::about;

/// The prompts of the last pack, or where only overlays are checked of all variants, with everything that
/// is combined in `registry`. Nothing, where no gate was asked for.
pub(crate) fn findings(
    registry: PromptRegistryBuilder,
    args: &CheckArgs,
) -> Result<Vec<Finding>, Failure> {
    let mut gate = Gate::new();
    gate.max_tokens = args.max_tokens;
    gate.max_growth = args.max_growth;
    if gate == Gate::new() {
        return Ok(Vec::new());
    }
    let folder = args.packs.iter().rfind(|folder| !is_overlay(folder));
    let contexts = args.contexts.clone().or_else(|| Some(folder?.join("contexts")));
    let contexts = contexts.ok_or_else(|| {
        let help = "help: name the folder of contexts to build its prompts in: `--contexts DIR`";
        Failure::Said(format!("an overlay alone has no prompts that could be judged\n{help}"))
    })?;
    let registry = registry.build()?;
    let mut matrix = Matrix::new(&registry).contexts_dir(contexts);
    if let Some(folder) = folder {
        matrix = matrix.variants(Pack::from_dir(folder)?.variants().to_vec());
    }
    if let Some(against) = &args.against {
        matrix = matrix.snapshots_dir(against);
    }
    let over = matrix.gate(&gate)?;
    let folder = folder.or(args.overlay.last()).or(args.packs.last());
    let folder = folder.map(|folder| folder.display().to_string()).unwrap_or_default();
    Ok(over.iter().map(|over| finding(over, &folder, &gate)).collect())
}

fn finding(over: &OverGate, folder: &str, gate: &Gate) -> Finding {
    let OverGate { variant, context, bytes, tokens, bytes_before, sections, .. } = over;
    let about = about(over.estimate);
    let prompt = format!("{variant}/{context}: {about}{tokens} tokens");
    let before = bytes_before.unwrap_or_default();
    let shown = |sign: &str| {
        let shown = |size: &SectionSize| format!("{} {sign}{} bytes", size.id, size.bytes);
        match sections.iter().map(shown).collect::<Vec<_>>() {
            shown if shown.is_empty() => String::new(),
            shown => format!(": {}", shown.join(", ")),
        }
    };
    let (code, severity, message, help) = match over.kind {
        OverGateKind::Growth => {
            let grown = bytes.saturating_sub(before);
            let growth = percent(grown as f64 / before.max(1) as f64);
            let allowed = percent(gate.max_growth.unwrap_or_default());
            let was = over.tokens_before.unwrap_or_default();
            let message = format!(
                "{prompt}, {was} before: it grew by {grown} bytes ({growth}), allowed are {allowed}{}",
                shown("+")
            );
            let help = "shorten what grew, or bless it with `promptline snapshot --update`";
            ("grew", Severity::Error, message, help)
        }
        OverGateKind::New => {
            let message = format!("{prompt}, and no golden file that it could be compared with");
            let help = "bless it with `promptline snapshot --update`";
            ("no-golden", Severity::Warning, message, help)
        }
        _ => {
            let most = gate.max_tokens.unwrap_or_default();
            let message = format!("{prompt}, allowed are {most}{}", shown(""));
            let help = "shorten the largest sections, or raise the limit";
            ("over-tokens", Severity::Error, message, help)
        }
    };
    let file = over.file.as_deref().unwrap_or(folder);
    Finding::new(code, severity, message, file).with_help(help)
}

/// With so many decimals as it needs, and not more than two.
fn percent(share: f64) -> String {
    let percent = format!("{:.2}", share * 100.0);
    format!("{} %", percent.trim_end_matches('0').trim_end_matches('.'))
}
