//! Tables of files that are read into structs. Serde would take a list for one as well, its items for
//! the fields in order, so that `when = []` would mean "always"; here a table is a table.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A table and nothing else.
struct Table<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Only<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Only<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(table))
            }
        }

        from.deserialize_map(Only(PhantomData)).map(Self)
    }
}

/// `key = { … }`
pub(crate) fn one<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Table::deserialize(from).map(|Table(table)| table)
}

/// The same for a key that may be missing.
pub(crate) fn some<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    one(from).map(Some)
}

/// A list of tables.
pub(crate) fn list<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let tables = Vec::<Table<T>>::deserialize(from)?;
    Ok(tables.into_iter().map(|Table(table)| table).collect())
}

/// Tables by name.
pub(crate) fn named<'de, D, T>(from: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let tables = BTreeMap::<String, Table<T>>::deserialize(from)?;
    Ok(tables.into_iter().map(|(name, Table(table))| (name, table)).collect())
}
