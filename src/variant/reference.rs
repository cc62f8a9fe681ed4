//! A variant by name.

use promptline_diagnostic::Id;
use serde::{Deserialize, Serialize};

/// Which variant a prompt was built for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VariantRef {
    /// Its id.
    pub id: Id,
    /// Its version.
    pub version: u32,
}
