//! What went wrong, where, and what to do about it: the errors and warnings that the promptline crates share.
//!
//! ```
//! use promptline_diagnostic::{Diagnostic, Error, ErrorKind, words};
//!
//! let text = "[limits]\nmax_tokenz = 10\n";
//! let at = text.find("max_tokenz").unwrap_or_default();
//! let error = Error::new(ErrorKind::Pack, "unknown key `max_tokenz`").at("pack.toml", text, at);
//! assert_eq!(error.to_string(), "pack.toml:2:1: unknown key `max_tokenz`");
//! assert_eq!(words::nearest("max_tokenz", ["max_tokens", "window"]), Some("max_tokens"));
//!
//! let warning = Diagnostic::warning("tool-left-out", "the tool `read` is left out: its schema is a string");
//! assert_eq!(warning.code, "tool-left-out");
//! ```
//!
//! - An [`Error`] ends what was asked for. It has an [`ErrorKind`], a stable code, a place in a file and help.
//! - A [`Diagnostic`] is a warning or a note about work that went on.
//! - [`Id`] is a short name that is cheap to copy.
//! - [`words`] has what messages need: the nearest known name, lists of names.
//!
//! # Features
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `toml` | no | [`TomlText`]: TOML files read into types, with every mistake at its place |

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnostic;
mod error;
mod id;
#[cfg(feature = "toml")]
mod toml_text;
pub mod words;

pub use diagnostic::{Diagnostic, Severity};
pub use error::{Error, ErrorKind, keep};
pub use id::Id;
#[cfg(feature = "toml")]
pub use toml_text::{TomlText, with_nearest_name};
