//! What is odd about the choice of a variant: warnings for the host, none of which changes the choice.

use promptline_diagnostic::Diagnostic;

use super::select::FALLBACK;
use super::{Assembled, Inner};
use crate::context::PromptContext;
use crate::model_id::LazyModelId;

/// Everything that is odd about this choice.
pub(super) fn oddities(
    inner: &Inner,
    cx: &PromptContext,
    chosen: &Assembled,
    model: &LazyModelId<'_>,
) -> Vec<Diagnostic> {
    let found = [fell_back(inner, cx, chosen, model), small(cx, chosen, model)];
    found.into_iter().flatten().collect()
}

/// A known family got the fallback. Families that no matcher names belong there, unless native tools are
/// wanted: the fallback describes them in the text. An id that says nothing may hide any family.
fn fell_back(
    inner: &Inner,
    cx: &PromptContext,
    chosen: &Assembled,
    model: &LazyModelId<'_>,
) -> Option<Diagnostic> {
    if chosen.variant.id != FALLBACK || inner.families.is_empty() {
        return None;
    }
    let id = model.get();
    let written = model.as_written().escape_debug();
    let Some(family) = id.family() else {
        let (provider, meant) = (&cx.model.provider, cx.model.meant());
        return inner.models.is_opaque(provider, meant).then(|| {
            let message = format!("the id `{written}` does not say which model it is: `{FALLBACK}` is built");
            Diagnostic::warning("opaque-model", message).about(FALLBACK).with_help(
                "say which model is behind it (`PromptContext::with_model_hint`, --model-is), or give the tables an alias",
            )
        });
    };
    let version = match id.version() {
        Some(version) => format!("in version {version}"),
        None => "without a version".to_owned(),
    };
    if inner.families.contains(family) {
        let message = format!(
            "the model `{written}` fell back to `{FALLBACK}`: no other variant takes the family {family} {version}"
        );
        let help = "the report says why each matcher refused it; name a variant in the context if another \
                    suits it better";
        return Some(Diagnostic::warning("fallback", message).about(FALLBACK).with_help(help));
    }
    cx.flags.contains("native_tools").then(|| {
        let message = format!(
            "the model `{written}` fell back to `{FALLBACK}`, which describes tools in its text, though native tools \
             are asked for: no variant is written for the family {family}"
        );
        let help = "name a variant in the context if one suits it: `native-next-gen` is for capable models";
        Diagnostic::warning("fallback", message).about(FALLBACK).with_help(help)
    })
}

/// A model this small reads long prompts badly; with its window known the matchers see to that.
fn small(cx: &PromptContext, chosen: &Assembled, model: &LazyModelId<'_>) -> Option<Diagnostic> {
    const SMALL: f64 = 3.0;
    let compact = chosen.variant.compact.as_deref()?;
    if cx.model.window.is_some() {
        return None;
    }
    // Most ids name no size: those are not read for it.
    let meant = cx.model.meant().as_bytes();
    let names_size = |pair: &[u8]| matches!(pair, [number, b'b' | b'B'] if number.is_ascii_digit());
    if !meant.windows(2).any(names_size) {
        return None;
    }
    let size = model.get().size()?;
    let billions = billions(size)?;
    (billions <= SMALL).then(|| {
        let message = format!(
            "the model `{}` has {size} parameters and its context window is not known: `{}` may be too long for it",
            model.as_written().escape_debug(),
            chosen.variant.id
        );
        let help = format!("give its window (`window`, --window), or name the variant `{compact}`");
        Diagnostic::warning("small-model", message).about(compact).with_help(help)
    })
}

/// The number of parameters in billions, of all experts: `0.5b`, `e4b`, `8x22b`, `235b-a22b`.
fn billions(size: &str) -> Option<f64> {
    let whole = size.split('-').next()?;
    let (number, unit) = whole.split_at_checked(whole.len().checked_sub(1)?)?;
    let factor = match unit {
        "b" => 1.0,
        "t" => 1_000.0,
        _ => return None,
    };
    let number = number.strip_prefix('e').unwrap_or(number);
    let product =
        number.split('x').map(|part| part.parse::<f64>().ok()).product::<Option<f64>>()?;
    Some(product * factor)
}

#[cfg(test)]
mod tests {
    use super::billions;

    #[test]
    fn sizes_in_billions() {
        for (size, expected) in [
            ("0.5b", 0.5),
            ("1.5b", 1.5),
            ("e4b", 4.0),
            ("8x22b", 176.0),
            ("235b-a22b", 235.0),
            ("1t", 1_000.0),
        ] {
            assert_eq!(billions(size), Some(expected), "{size}");
        }
        assert_eq!(billions("16e"), None);
    }
}
