//! First match wins. Every matcher's answer is kept, with its reason; one that fails or panics is
//! passed over.

use super::{Assembled, Inner};
use crate::condition::ConditionCx;
use crate::context::PromptContext;
use crate::error::{Error, ErrorKind};
use crate::format::nearest;
use crate::prompt::VariantRef;
use crate::report::MatcherVerdict;
use crate::variant::PromptVariant;

/// The variant that was chosen, and why.
#[derive(Debug, Clone)]
pub struct Selection<'r> {
    pub(crate) assembled: &'r Assembled,
    reason: String,
    verdicts: Vec<MatcherVerdict>,
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

    /// What each matcher that was asked said, in order.
    #[must_use]
    pub fn verdicts(&self) -> &[MatcherVerdict] {
        &self.verdicts
    }

    pub(crate) fn given(assembled: &'r Assembled, reason: &str) -> Self {
        Self { assembled, reason: reason.to_owned(), verdicts: Vec::new() }
    }

    pub(crate) fn into_parts(self) -> (&'r Assembled, String, Vec<MatcherVerdict>) {
        (self.assembled, self.reason, self.verdicts)
    }
}

/// `quiet`: nobody reads the reasons; only what failed is kept.
pub(super) fn select<'r>(
    inner: &'r Inner,
    cx: &PromptContext,
    quiet: bool,
) -> Result<Selection<'r>, Error> {
    if let Some(wanted) = &cx.variant {
        let (id, version) = match wanted.rsplit_once('@') {
            Some((id, version)) => match version.parse() {
                Ok(version) => (id, Some(version)),
                Err(_) => (wanted.as_str(), None),
            },
            None => (wanted.as_str(), None),
        };
        return exact(&inner.variants, id, version)
            .map(|assembled| Selection::given(assembled, "named by the context"));
    }
    let conditions = ConditionCx::new(cx, &inner.conditions).quiet(quiet);
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
            return Ok(Selection { assembled, reason, verdicts });
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
pub(super) fn exact<'r>(
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
