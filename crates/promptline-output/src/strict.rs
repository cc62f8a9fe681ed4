//! JSON as it should be, read by `serde_json`; the one thing that it does not say, whether a key is there
//! twice, is noticed here.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Deserializer, Map, Number, Value};

/// Reads the whole text as JSON. Says whether a key was there twice.
pub(crate) fn whole(text: &str) -> Option<(Value, bool)> {
    let twice = Cell::new(false);
    let mut reader = Deserializer::from_str(text);
    let value = Seed(&twice).deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some((value, twice.get()))
}

/// Reads JSON at the beginning of a text, and says how many bytes it takes.
pub(crate) fn first(text: &str) -> Option<(Value, usize, bool)> {
    // Counting bytes needs the iterator, which builds a plain value; a key that is there twice is rare
    // enough to read once more.
    let mut values = Deserializer::from_str(text).into_iter::<Counted>();
    let value = values.next()?.ok()?;
    Some((value.0, values.byte_offset(), value.1))
}

struct Counted(Value, bool);

impl<'de> serde::Deserialize<'de> for Counted {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let twice = Cell::new(false);
        let value = Seed(&twice).deserialize(deserializer)?;
        Ok(Self(value, twice.get()))
    }
}

#[derive(Clone, Copy)]
struct Seed<'a>(&'a Cell<bool>);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element_seed(self)? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self)?;
            if map.insert(key, value).is_some() {
                self.0.set(true);
            }
        }
        Ok(Value::Object(map))
    }
}
