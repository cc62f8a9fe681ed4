//! The model of a request: its id is read when it is first needed, and then once. Most builds need it, some do not.
//! What an id means is another crate's business.

use once_cell::sync::OnceCell;
use promptline_model_id::Model;

pub use promptline_model_id::{ModelFamily, ModelId, ModelTables, Version, VersionRange};

/// The id of a request.
#[derive(Debug)]
pub(crate) struct LazyModelId<'a> {
    tables: &'a ModelTables,
    model: &'a Model,
    read: OnceCell<ModelId>,
}

impl<'a> LazyModelId<'a> {
    /// `read` is the id, where it has been parsed already.
    pub(crate) fn new(tables: &'a ModelTables, model: &'a Model, read: Option<ModelId>) -> Self {
        Self { tables, model, read: read.map_or_else(OnceCell::new, OnceCell::with_value) }
    }

    pub(crate) fn get(&self) -> &ModelId {
        self.read.get_or_init(|| self.tables.parse(&self.model.provider, self.model.meant()))
    }

    /// The id as the host wrote it.
    pub(crate) fn as_written(&self) -> &'a str {
        &self.model.id
    }

    /// What was read, if anybody has asked.
    pub(crate) fn into_read(self) -> Option<ModelId> {
        self.read.into_inner()
    }
}
