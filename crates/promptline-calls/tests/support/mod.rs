//! What the tests of this crate share.

#![allow(dead_code, reason = "each test uses its own part")]

pub(crate) mod cases;
pub(crate) mod feed;
#[path = "../../../../tests/support/mod.rs"]
pub(crate) mod shared;
