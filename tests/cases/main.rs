//! Inputs with the right answers, from files: what the real Cline makes of small inputs. `README.md` says
//! where they are from.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "that is how a test fails"
)]

mod oracle;
#[path = "../support/mod.rs"]
mod support;
