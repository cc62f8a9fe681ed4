//! Names in messages: the nearest known one, and lists that stay short.

/// The name most like `wanted`, when one is near enough to be meant.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Edit distance is quadratic in the length; nobody mistypes a name of this size.
    const LONGEST: usize = 100;
    if wanted.len() > LONGEST {
        return None;
    }
    let folded = wanted.to_lowercase();
    names
        .into_iter()
        .filter(|name| name.len() <= LONGEST)
        .map(|name| (strsim::damerau_levenshtein(&folded, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= 1 + wanted.chars().count() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// "`a`, `b` and `c`", for messages.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<_> = names.into_iter().collect();
    let mut text =
        names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    if text.is_empty() { "none".to_owned() } else { text }
}
