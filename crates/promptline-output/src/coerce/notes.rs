//! What was done to a value. Each note is as short as it can be: the value itself is not written down again.

use serde_json::Value;

use crate::parsed::{Coerced, Issue, Renamed, Unknown};
use crate::repair::Risk;

/// What was done to a value.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) coerced: Vec<Coerced>,
    pub(crate) renamed: Vec<Renamed>,
    pub(crate) unknown: Vec<Unknown>,
    pub(crate) issues: Vec<Issue>,
}

impl Notes {
    pub(super) fn take(&mut self, other: Self) {
        self.coerced.extend(other.coerced);
        self.renamed.extend(other.renamed);
        self.unknown.extend(other.unknown);
        self.issues.extend(other.issues);
    }

    /// The riskiest coercion.
    pub(crate) fn riskiest(&self) -> Option<&Coerced> {
        self.coerced.iter().max_by_key(|one| one.risk)
    }

    /// The greatest risk that was taken.
    pub(crate) fn risk(&self) -> Risk {
        self.riskiest().map_or(Risk::Lossless, |one| one.risk)
    }
}

/// A value for a note: a list or object of more than a few values is only named, since it is in the
/// result, and in the notes of everything around it it would be once more each time.
pub(crate) fn brief(whole: &Value) -> Value {
    const MOST: usize = 32;
    let mut rest = vec![whole];
    let mut count = 0;
    while let Some(value) = rest.pop() {
        count += 1;
        if count > MOST {
            return Value::from(super::found(whole));
        }
        match value {
            Value::Array(list) => rest.extend(list.iter().take(MOST + 1)),
            Value::Object(map) => rest.extend(map.values().take(MOST + 1)),
            _ => {}
        }
    }
    whole.clone()
}
