//! Tools in the native form of a provider: laws for every schema and dialect, the dialects side by side,
//! names, limits, and what must not break them.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "the helpers of tests fail as tests do"
)]

mod dialects;
mod generate;
mod hostile;
mod laws;
mod limits;
