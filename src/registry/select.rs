//! First match wins. Every matcher's answer is kept, with its reason; one that fails or panics is
//! passed over.

use super::oddities::oddities;
use super::{Assembled, Inner};
use crate::condition::{ConditionCx, Reasons};
use crate::context::PromptContext;
use crate::model_id::{LazyModelId, ModelId};
use crate::report::MatcherVerdict;
use crate::variant::PromptVariant;
use crate::variant::VariantRef;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::words::nearest;
use promptline_diagnostic::{Error, ErrorKind};

/// The variant that takes what no other one wants.
pub(super) const FALLBACK: &str = "generic";

/// The variant that was chosen, and why.
#[derive(Debug, Clone)]
pub struct Selection<'r> {
    pub(crate) assembled: &'r Assembled,
    reason: String,
    verdicts: Vec<MatcherVerdict>,
    /// What the id says, once it has been parsed.
    model: Option<ModelId>,
    warnings: Vec<Diagnostic>,
}

impl<'r> Selection<'r> {
    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &'r PromptVariant {
        &self.assembled.variant
    }

    /// Why it was chosen, in words.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The verdict of each matcher that was evaluated, in order.
    #[must_use]
    pub fn verdicts(&self) -> &[MatcherVerdict] {
        &self.verdicts
    }

    /// What is odd about it: code `fallback` when the model's family is one that matchers name,
    /// and no variant but `generic` matched. An old version, or a new name that no matcher knows yet.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    pub(crate) fn given(assembled: &'r Assembled, reason: &str) -> Self {
        let (verdicts, warnings) = (Vec::new(), Vec::new());
        Self { assembled, reason: reason.to_owned(), verdicts, model: None, warnings }
    }

    /// The variant that is built where this one does not fit a budget. `None`: it does not exist, which a
    /// registry refuses.
    pub(crate) fn compact(self, inner: &'r Inner, id: &str) -> Option<Self> {
        let assembled = exact(&inner.variants, id, None).ok()?;
        let Self { assembled: large, reason, verdicts, model, mut warnings } = self;
        let large = &large.variant.id;
        let message =
            format!("the prompt of `{large}` does not fit the budget; `{id}` is built instead");
        warnings.push(Diagnostic::warning("budget-compact", message).about(id));
        let reason =
            format!("the compact form of `{large}` ({reason}), which does not fit the budget");
        Some(Self { assembled, reason, verdicts, model, warnings })
    }

    pub(crate) fn into_parts(self) -> Parts<'r> {
        let Self { assembled, reason, verdicts, model, warnings } = self;
        Parts { assembled, reason, verdicts, model, warnings }
    }
}

/// A selection taken apart, for the build that follows.
pub(crate) struct Parts<'r> {
    pub(crate) assembled: &'r Assembled,
    pub(crate) reason: String,
    pub(crate) verdicts: Vec<MatcherVerdict>,
    pub(crate) model: Option<ModelId>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// `quiet`: the reasons are not wanted; only what failed is kept.
pub(crate) fn select<'r>(
    inner: &'r Inner,
    cx: &PromptContext,
    quiet: bool,
) -> Result<Selection<'r>, Error> {
    if let Some(wanted) = &cx.variant {
        let (id, version) = match wanted.rsplit_once('@') {
            Some((id, version)) => match version.parse() {
                Ok(version) => (id, Some(version)),
                // An id may contain an `@` itself.
                Err(_) => (wanted.as_str(), None),
            },
            None => (wanted.as_str(), None),
        };
        return exact(&inner.variants, id, version)
            .map(|assembled| Selection::given(assembled, "named by the context"));
    }
    let model = LazyModelId::new(&inner.models, &cx.model, None);
    let reasons = if quiet { Reasons::None } else { Reasons::All };
    let conditions = ConditionCx::new(cx, &inner.conditions, &model).reasons(reasons);
    let mut verdicts = Vec::new();
    for assembled in &inner.variants {
        let (matched, reason, failed) = match assembled.variant.when.judge(&conditions) {
            Ok(verdict) => (verdict.holds, verdict.reason, false),
            Err(what) => (false, what, true),
        };
        if failed || !quiet {
            let variant = variant_ref(&assembled.variant);
            verdicts.push(MatcherVerdict { variant, matched, reason: reason.clone(), failed });
        }
        if matched {
            let warnings = oddities(inner, cx, assembled, &model);
            // It borrows the model, whose parsed id is handed on so that the build does not parse it again.
            drop(conditions);
            let model = model.into_read();
            return Ok(Selection { assembled, reason, verdicts, model, warnings });
        }
    }
    let error = Error::new(
        ErrorKind::NoVariant,
        format!(
            "no variant fits the model `{}` of the provider `{}`",
            cx.model.id.escape_debug(),
            cx.model.provider.escape_debug()
        ),
    );
    Err(error.with_help(existing(&inner.variants)))
}

/// Exactly this id; without a version the highest.
pub(crate) fn exact<'r>(
    variants: &'r [Assembled],
    id: &str,
    version: Option<u32>,
) -> Result<&'r Assembled, Error> {
    let mut same_id = variants.iter().filter(|assembled| assembled.variant.id == id);
    let found = match version {
        Some(version) => same_id.find(|assembled| assembled.variant.version == version),
        None => same_id.max_by_key(|assembled| assembled.variant.version),
    };
    found.ok_or_else(|| {
        let wanted = version.map_or(id.to_owned(), |version| format!("{id}@{version}"));
        let error = Error::new(
            ErrorKind::NoVariant,
            format!("there is no variant `{}`", wanted.escape_debug()),
        );
        let known = variants.iter().map(|assembled| assembled.variant.id.as_str());
        match nearest(id, known).filter(|near| *near != id) {
            Some(near) => error.with_help(format!("did you mean `{near}`? {}", existing(variants))),
            None => error.with_help(existing(variants)),
        }
    })
}

pub(crate) fn variant_ref(variant: &PromptVariant) -> VariantRef {
    VariantRef { id: variant.id.clone(), version: variant.version }
}

fn existing(variants: &[Assembled]) -> String {
    let names: Vec<String> = variants
        .iter()
        .map(|assembled| format!("{}@{}", assembled.variant.id, assembled.variant.version))
        .collect();
    if names.is_empty() {
        "no variant is registered".to_owned()
    } else {
        format!("variants are {}", names.join(", "))
    }
}
