//! `promptline check --max-tokens --max-growth`: what a prompt may cost, as findings of a check.

use std::path::Path;

use promptline::check::Finding;
use promptline::testing::{Gate, Matrix, OverGate, OverGateKind, SectionSize};
use promptline::{Pack, PromptRegistryBuilder, Severity};

use crate::args::CheckArgs;
use crate::output::Failure;

/// Nothing, where no gate was asked for.
pub(crate) fn findings(
    registry: PromptRegistryBuilder,
    folder: &Path,
    args: &CheckArgs,
) -> Result<Vec<Finding>, Failure> {
    let mut gate = Gate::new();
    gate.max_tokens = args.max_tokens;
    gate.max_growth = args.max_growth;
    if gate == Gate::new() {
        return Ok(Vec::new());
    }
    let pack = Pack::from_dir(folder)?;
    let variants = pack.variants().to_vec();
    let registry = registry.pack(pack).build()?;
    let contexts = args.contexts.clone().unwrap_or_else(|| folder.join("contexts"));
    let mut matrix = Matrix::new(&registry).contexts_dir(contexts).variants(variants);
    if let Some(against) = &args.against {
        matrix = matrix.snapshots_dir(against);
    }
    let over = matrix.gate(&gate)?;
    Ok(over.iter().map(|over| finding(over, folder, &gate)).collect())
}

fn finding(over: &OverGate, folder: &Path, gate: &Gate) -> Finding {
    let OverGate { variant, context, bytes, tokens, bytes_before, sections, .. } = over;
    let prompt = format!("{variant}/{context}: about {tokens} tokens");
    let before = bytes_before.unwrap_or_default();
    let (code, mut message, sign, help) = match over.kind {
        OverGateKind::Growth => {
            let growth = (bytes.saturating_sub(before)) as f64 / before.max(1) as f64 * 100.0;
            let allowed = gate.max_growth.unwrap_or_default() * 100.0;
            let was = before.div_ceil(4);
            let message = format!(
                "{prompt}, {was} before: it grew by {growth:.1} %, allowed are {allowed} %"
            );
            let help = "shorten what grew, or bless it with `promptline snapshot --update`";
            ("grew", message, "+", help)
        }
        _ => {
            let most = gate.max_tokens.unwrap_or_default();
            let help = "shorten the largest sections, or raise the limit";
            ("over-tokens", format!("{prompt}, allowed are {most}"), "", help)
        }
    };
    let shown = |size: &SectionSize| format!("{} {sign}{} bytes", size.id, size.bytes);
    let shown: Vec<String> = sections.iter().map(shown).collect();
    if !shown.is_empty() {
        message = format!("{message}: {}", shown.join(", "));
    }
    let file = over.file.clone().unwrap_or_else(|| folder.display().to_string());
    Finding::new(code, Severity::Error, message, file).with_help(help)
}
