//! Reading the project's own file formats: TOML with places, and the nearest name for a key that is
//! not known.

use serde::de::DeserializeOwned;

use crate::error::{Error, ErrorKind};

/// Reads a TOML text; errors have line, column and the nearest name. `skip` is where the TOML starts
/// in `whole`, for front matter.
pub(crate) fn from_toml<T: DeserializeOwned>(
    kind: ErrorKind,
    file: &str,
    whole: &str,
    toml: &str,
    skip: usize,
) -> Result<T, Error> {
    toml::from_str(toml).map_err(|error| {
        let offset = skip + error.span().map_or(0, |span| span.start);
        with_nearest_name(Error::new(kind, error.message().trim())).at(file, whole, offset)
    })
}

/// Serde says "unknown field `x`, expected one of `a`, `b`"; this adds which of them was meant.
pub(crate) fn with_nearest_name(error: Error) -> Error {
    let message = error.message();
    if !message.starts_with("unknown field") && !message.starts_with("unknown variant") {
        return error;
    }
    let mut names = message.split('`').skip(1).step_by(2);
    let Some(unknown) = names.next() else {
        return error;
    };
    match nearest(unknown, names) {
        Some(name) => {
            let help = format!("did you mean `{name}`?");
            error.with_help(help)
        }
        None => error,
    }
}

/// The name most like `wanted`, when one is near enough to be meant.
pub(crate) fn nearest<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
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
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<_> = names.into_iter().collect();
    let mut text =
        names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    if text.is_empty() { "none".to_owned() } else { text }
}
