//! Which section is printed where, and how often.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::text::BuiltSection;
use crate::text::Text;

/// Where each section is; of two with one id the first counts.
pub(super) fn places(sections: &[Arc<BuiltSection>]) -> BTreeMap<String, usize> {
    let mut places = BTreeMap::new();
    for (place, section) in sections.iter().enumerate() {
        places.entry(section.id().to_string()).or_insert(place);
    }
    places
}

/// How often each section is printed. A section prints only those that were built before it.
pub(super) fn printed(
    base: &Text,
    sections: &[Arc<BuiltSection>],
    places: &BTreeMap<String, usize>,
) -> Vec<usize> {
    let mut printed = vec![0_usize; sections.len()];
    let add = |text: &Text, times: usize, printed: &mut Vec<usize>| {
        for section in text.inner_sections() {
            let place = places.get(section.id().as_str());
            if let Some(printed) = place.and_then(|place| printed.get_mut(*place)) {
                *printed = printed.saturating_add(times);
            }
        }
    };
    add(base, 1, &mut printed);
    for (place, section) in sections.iter().enumerate().rev() {
        let times = printed.get(place).copied().unwrap_or_default();
        add(section.text(), times, &mut printed);
    }
    printed
}
