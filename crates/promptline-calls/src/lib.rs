#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod call;
mod code;
mod event;
mod format;
mod grammar;
mod json;
mod opening;
mod options;
mod parsed;
mod parser;
mod render;
mod suspect;
mod syntax;
mod typed;
mod value;
mod view;

pub use call::{Call, Repair, Status};
pub use event::{Event, Summary};
pub use format::CallFormat;
pub use grammar::CallGrammar;
pub use options::{Dialect, Dialects, Handling, Options, UnknownDialect};
pub use parsed::{Parsed, Piece, parse_calls, parse_calls_with};
pub use parser::CallParser;
pub use render::{NotRepresentable, render_call};
pub use suspect::{Language, Reason, Suspected};
pub use typed::{Issue, IssueKind};
