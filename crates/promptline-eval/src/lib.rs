#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

pub mod assertion;
pub mod baseline;
pub mod collect;
pub mod diff;
mod error;
mod exec;
pub mod gate;
mod hash;
mod nearest;
mod prompt;
pub mod promptfoo;
pub mod refusal;
pub mod report;
pub mod run;
pub mod stats;
pub mod suite;
mod tools;
pub mod version;

pub use error::{Error, ErrorKind};
pub use prompt::Prompt;
pub use suite::Suite;
