//! Which name of a model's call is which tool. It is kept, never read out of a name: names are cut and
//! hashed.

use std::collections::HashMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A tool as its owner knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolRef {
    /// The id of the spec.
    pub id: String,
    /// The MCP server that it is a tool of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// What it is called where it comes from: a call is to be made by this name.
    pub name: String,
}

impl ToolRef {
    /// A tool by id, server and name.
    #[must_use]
    pub fn new(id: impl Into<String>, server: Option<String>, name: impl Into<String>) -> Self {
        Self { id: id.into(), server, name: name.into() }
    }
}

/// Names that a model calls, and the tools that they are; in the order of the list. As JSON it is an
/// object: `{"tickets__search": {"id": "tickets/search", "server": "tickets", "name": "search"}}`.
#[derive(Clone, Default)]
pub struct ToolNameMap {
    entries: Vec<(String, ToolRef)>,
    by_model_name: HashMap<String, usize>,
}

impl ToolNameMap {
    /// A map of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool. Of two with one model name the first stays; the answer says whether it is this one.
    pub fn insert(&mut self, model_name: impl Into<String>, tool: ToolRef) -> bool {
        let model_name = model_name.into();
        if self.by_model_name.contains_key(&model_name) {
            return false;
        }
        self.by_model_name.insert(model_name.clone(), self.entries.len());
        self.entries.push((model_name, tool));
        true
    }

    /// The tool that the model calls by this name.
    #[must_use]
    pub fn get(&self, model_name: &str) -> Option<&ToolRef> {
        let at = *self.by_model_name.get(model_name)?;
        self.entries.get(at).map(|(_, tool)| tool)
    }

    /// What the model calls the tool that has this name on this server; `None` for a tool without a
    /// server. Takes time in proportion to the list.
    #[must_use]
    pub fn model_name(&self, server: Option<&str>, name: &str) -> Option<&str> {
        self.find(|tool| tool.server.as_deref() == server && tool.name == name)
    }

    /// What the model calls the tool with this id. Takes time in proportion to the list.
    #[must_use]
    pub fn model_name_of(&self, id: &str) -> Option<&str> {
        self.find(|tool| tool.id == id)
    }

    fn find(&self, is_it: impl Fn(&ToolRef) -> bool) -> Option<&str> {
        self.iter().find(|(_, tool)| is_it(tool)).map(|(name, _)| name)
    }

    /// A tool is called by this name.
    #[must_use]
    pub fn contains(&self, model_name: &str) -> bool {
        self.by_model_name.contains_key(model_name)
    }

    /// The model names, in the order of the list.
    pub fn model_names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    /// Model names with their tools, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ToolRef)> {
        self.entries.iter().map(|(name, tool)| (name.as_str(), tool))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl PartialEq for ToolNameMap {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Eq for ToolNameMap {}

impl fmt::Debug for ToolNameMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl Serialize for ToolNameMap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for ToolNameMap {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = ToolNameMap;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of names and tools")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ToolNameMap, A::Error> {
                let mut map = ToolNameMap::new();
                while let Some((name, tool)) = entries.next_entry::<String, ToolRef>()? {
                    map.insert(name, tool);
                }
                Ok(map)
            }
        }

        from.deserialize_map(Names)
    }
}
