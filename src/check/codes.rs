//! The codes of findings and their pages. A page says what is wrong, shows an example and how to mend
//! it; a code without a page does not exist.

/// Each code with its page, in alphabetical order.
#[rustfmt::skip]
const PAGES: [(&str, &str); 58] = [
    ("bad-condition", include_str!("../../docs/codes/bad-condition.md")),
    ("bad-name", include_str!("../../docs/codes/bad-name.md")),
    ("bad-template", include_str!("../../docs/codes/bad-template.md")),
    ("bad-toml", include_str!("../../docs/codes/bad-toml.md")),
    ("bad-value", include_str!("../../docs/codes/bad-value.md")),
    ("cache-order", include_str!("../../docs/codes/cache-order.md")),
    ("closing-tag", include_str!("../../docs/codes/closing-tag.md")),
    ("condition-cycle", include_str!("../../docs/codes/condition-cycle.md")),
    ("declared-volatility", include_str!("../../docs/codes/declared-volatility.md")),
    ("duplicate-id", include_str!("../../docs/codes/duplicate-id.md")),
    ("empty-text", include_str!("../../docs/codes/empty-text.md")),
    ("extends-cycle", include_str!("../../docs/codes/extends-cycle.md")),
    ("forward-reference", include_str!("../../docs/codes/forward-reference.md")),
    ("front-matter", include_str!("../../docs/codes/front-matter.md")),
    ("grew", include_str!("../../docs/codes/grew.md")),
    ("heading-twice", include_str!("../../docs/codes/heading-twice.md")),
    ("heading-underline", include_str!("../../docs/codes/heading-underline.md")),
    ("illegal-key", include_str!("../../docs/codes/illegal-key.md")),
    ("invisible-character", include_str!("../../docs/codes/invisible-character.md")),
    ("large-section", include_str!("../../docs/codes/large-section.md")),
    ("listed-twice", include_str!("../../docs/codes/listed-twice.md")),
    ("missing-description", include_str!("../../docs/codes/missing-description.md")),
    ("missing-file", include_str!("../../docs/codes/missing-file.md")),
    ("missing-key", include_str!("../../docs/codes/missing-key.md")),
    ("no-golden", include_str!("../../docs/codes/no-golden.md")),
    ("not-utf8", include_str!("../../docs/codes/not-utf8.md")),
    ("overlay-drift", include_str!("../../docs/codes/overlay-drift.md")),
    ("over-budget", include_str!("../../docs/codes/over-budget.md")),
    ("over-tokens", include_str!("../../docs/codes/over-tokens.md")),
    ("parameter-number", include_str!("../../docs/codes/parameter-number.md")),
    ("partial-cycle", include_str!("../../docs/codes/partial-cycle.md")),
    ("required-section", include_str!("../../docs/codes/required-section.md")),
    ("section-mismatch", include_str!("../../docs/codes/section-mismatch.md")),
    ("stray-file", include_str!("../../docs/codes/stray-file.md")),
    ("too-large", include_str!("../../docs/codes/too-large.md")),
    ("tool-not-enabled", include_str!("../../docs/codes/tool-not-enabled.md")),
    ("unknown-component", include_str!("../../docs/codes/unknown-component.md")),
    ("unknown-condition", include_str!("../../docs/codes/unknown-condition.md")),
    ("unknown-family", include_str!("../../docs/codes/unknown-family.md")),
    ("unknown-flag", include_str!("../../docs/codes/unknown-flag.md")),
    ("unknown-helper", include_str!("../../docs/codes/unknown-helper.md")),
    ("unknown-key", include_str!("../../docs/codes/unknown-key.md")),
    ("unknown-partial", include_str!("../../docs/codes/unknown-partial.md")),
    ("unknown-placeholder", include_str!("../../docs/codes/unknown-placeholder.md")),
    ("unknown-tool", include_str!("../../docs/codes/unknown-tool.md")),
    ("unknown-variant", include_str!("../../docs/codes/unknown-variant.md")),
    ("unlisted-override", include_str!("../../docs/codes/unlisted-override.md")),
    ("unlisted-variant", include_str!("../../docs/codes/unlisted-variant.md")),
    ("unreachable-variant", include_str!("../../docs/codes/unreachable-variant.md")),
    ("unreadable", include_str!("../../docs/codes/unreadable.md")),
    ("unused-component", include_str!("../../docs/codes/unused-component.md")),
    ("unused-condition", include_str!("../../docs/codes/unused-condition.md")),
    ("unused-flag", include_str!("../../docs/codes/unused-flag.md")),
    ("unused-partial", include_str!("../../docs/codes/unused-partial.md")),
    ("unused-placeholder", include_str!("../../docs/codes/unused-placeholder.md")),
    ("unused-tool", include_str!("../../docs/codes/unused-tool.md")),
    ("wrong-id", include_str!("../../docs/codes/wrong-id.md")),
    ("xml-with-native", include_str!("../../docs/codes/xml-with-native.md")),
];

/// All codes that a [`Finding`](super::Finding) can have, in alphabetical order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(code, _)| *code)
}

/// The page of a code in Markdown: what is wrong, an example, how to fix it. `None` for a code that
/// does not exist.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    PAGES.iter().find(|(known, _)| *known == code).map(|(_, page)| *page)
}
