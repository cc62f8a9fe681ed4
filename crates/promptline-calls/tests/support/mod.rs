//! What the tests of this crate share.

#![allow(dead_code, reason = "each test uses its own part")]

pub(crate) mod cases;
pub(crate) mod feed;
/// A link to the file of the workspace, which a package holds as a file.
pub(crate) mod shared;
