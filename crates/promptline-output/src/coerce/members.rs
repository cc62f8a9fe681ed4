//! The fields of an object: found by name, by alias, or by a name that is the same but for its spelling. A
//! name that could be two fields is none.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::fold::fold;
use crate::shape::{Prop, Rest, Shape, ShapeId};
use crate::spec::OnUnknown;

/// What an entry of an object is.
#[derive(Debug, Clone)]
pub(crate) enum Member {
    /// A field, by its place in the list of fields; its value is read by the field's shape.
    Field(usize),
    /// A field whose value is a declared synonym.
    Meant(usize, Value),
    /// A null in a field that may be left out and not be null.
    LeftOut(usize),
    /// Not named by the schema, and read by the shape of such fields.
    Extra(ShapeId),
    /// Not named by the schema, and welcome.
    Free,
    /// Not known: what is done with it.
    Unknown(OnUnknown),
}

impl Member {
    /// The field that it is.
    pub(super) fn field(&self) -> Option<usize> {
        match self {
            Self::Field(at) | Self::Meant(at, _) | Self::LeftOut(at) => Some(*at),
            _ => None,
        }
    }
}

/// A field that is not there.
#[derive(Debug)]
pub(crate) struct Gap {
    pub(crate) prop: usize,
    /// Keys that could each be it.
    pub(crate) keys: Vec<String>,
}

/// All entries of an object, in their order, and what is missing.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub(crate) entries: Vec<Member>,
    pub(crate) gaps: Vec<Gap>,
}

impl Members {
    /// Entries are there, and the schema names none of them: the object is another one than it describes.
    pub(crate) fn knows_nothing(&self, shape: &Shape) -> bool {
        let is_unknown = |member: &Member| {
            matches!(member, Member::Unknown(OnUnknown::Drop | OnUnknown::Reject))
        };
        !shape.props.is_empty() && !self.entries.is_empty() && self.entries.iter().all(is_unknown)
    }
}

pub(crate) fn members(
    object: &Map<String, Value>,
    shape: &Shape,
    on_unknown: OnUnknown,
) -> Members {
    let Fields { found, mut shared } = fields(object, &shape.props);
    let mut there = vec![false; shape.props.len()];
    let mut entries = Vec::with_capacity(object.len());
    for (key, value) in object {
        let field = found.get(key.as_str()).and_then(|&at| Some((at, shape.props.get(at)?)));
        let Some((at, prop)) = field else {
            entries.push(beside(key, shape, on_unknown));
            continue;
        };
        if let Some(place) = there.get_mut(at) {
            *place = true;
        }
        entries.push(match synonym(value, prop) {
            Some(meant) => Member::Meant(at, meant.clone()),
            None => Member::Field(at),
        });
    }
    let gaps = there
        .into_iter()
        .enumerate()
        .filter(|(_, there)| !there)
        .map(|(prop, _)| Gap { prop, keys: shared.remove(&prop).unwrap_or_default() })
        .collect();
    Members { entries, gaps }
}

/// What a field is that the schema does not name.
fn beside(key: &str, shape: &Shape, on_unknown: OnUnknown) -> Member {
    let pattern = shape.extra.patterns.iter().find(|(pattern, _)| pattern.matches(key));
    if let Some((_, id)) = pattern {
        return Member::Extra(*id);
    }
    match shape.extra.rest {
        Rest::Of(id) => Member::Extra(id),
        Rest::Free => Member::Free,
        // Of an object of which nothing is said, everything is welcome.
        Rest::Unsaid if shape.props.is_empty() => Member::Free,
        Rest::Closed if on_unknown == OnUnknown::Keep => Member::Unknown(OnUnknown::Drop),
        Rest::Unsaid | Rest::Closed => Member::Unknown(on_unknown),
    }
}

/// What a declared synonym of a value means.
fn synonym<'p>(value: &Value, prop: &'p Prop) -> Option<&'p Value> {
    let Value::String(text) = value else { return None };
    if prop.synonyms.is_empty() {
        return None;
    }
    let exact = prop.synonyms.iter().find(|(said, _)| said == text.trim());
    if let Some((_, meant)) = exact {
        return Some(meant);
    }
    let folded = fold(text);
    let mut alike =
        prop.synonyms.iter().filter(|(said, _)| !folded.is_empty() && fold(said) == folded);
    let (_, meant) = alike.next()?;
    // Two that differ in their spelling only, and mean different things.
    alike.all(|(_, other)| other == meant).then_some(meant)
}

/// Which field each key is.
#[derive(Default)]
struct Fields<'o> {
    /// Places in the list of fields.
    found: HashMap<&'o str, usize>,
    /// Fields that several keys could be.
    shared: HashMap<usize, Vec<String>>,
}

fn fields<'o>(object: &'o Map<String, Value>, props: &[Prop]) -> Fields<'o> {
    let mut fields = Fields::default();
    let mut taken = vec![false; props.len()];
    // A name is stronger than another's alias.
    for aliases in [false, true] {
        for (at, (prop, taken)) in props.iter().zip(&mut taken).enumerate() {
            let names: &[String] =
                if aliases { &prop.aliases } else { std::slice::from_ref(&prop.name) };
            let mut there = names.iter().filter_map(|name| object.get_key_value(name));
            if !*taken
                && let Some((key, _)) =
                    there.find(|(key, _)| !fields.found.contains_key(key.as_str()))
            {
                fields.found.insert(key.as_str(), at);
                *taken = true;
            }
        }
    }
    if fields.found.len() == object.len() || taken.iter().all(|taken| *taken) {
        return fields;
    }
    by_spelling(object, props, &taken, &mut fields);
    fields
}

/// The keys and the fields that are left, by their folded form: a match where one of each has it.
fn by_spelling<'o>(
    object: &'o Map<String, Value>,
    props: &[Prop],
    taken: &[bool],
    fields: &mut Fields<'o>,
) {
    let mut wanted: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, prop) in props.iter().enumerate() {
        if taken.get(at).is_some_and(|taken| *taken) {
            continue;
        }
        for name in std::iter::once(&prop.name).chain(&prop.aliases) {
            let places = wanted.entry(fold(name)).or_default();
            if !places.contains(&at) {
                places.push(at);
            }
        }
    }
    let mut keys: HashMap<usize, Vec<&str>> = HashMap::new();
    for key in object.keys().filter(|key| !fields.found.contains_key(key.as_str())) {
        let folded = fold(unnumbered(key));
        let places = wanted.get(&folded).filter(|_| !folded.is_empty());
        for &at in places.into_iter().flatten() {
            keys.entry(at).or_default().push(key.as_str());
        }
    }
    for at in 0..props.len() {
        let Some(said) = keys.get(&at) else { continue };
        let places = said.first().and_then(|key| wanted.get(&fold(unnumbered(key))));
        match (said.as_slice(), places.map(Vec::len)) {
            ([key], Some(1)) => {
                fields.found.insert(key, at);
            }
            (several, _) => {
                fields.shared.insert(at, several.iter().map(|key| (*key).to_owned()).collect());
            }
        }
    }
}

/// A key without the number that it has in a list: `1. name`, `2) age`.
fn unnumbered(key: &str) -> &str {
    let rest = key.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == key.trim_start().len() {
        return key;
    }
    rest.strip_prefix(['.', ')', '、']).map_or(key, str::trim_start)
}
