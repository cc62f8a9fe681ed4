#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod answer;
mod ask;
mod candidates;
mod choose;
mod coerce;
mod component;
mod constraint;
mod error;
mod exact;
mod fit;
mod fold;
mod gather;
mod limits;
mod native;
mod parsed;
mod read;
mod reasoning;
mod repair;
mod shape;
mod spec;
mod stream;
mod strict;
mod tolerant;
mod validate;
mod view;

pub use answer::{Answer, Attempt, Disagreement, Outcome};
pub use component::OutputFormat;
pub use constraint::Language;
pub use error::{Error, ErrorKind};
pub use limits::Limits;
pub use native::NativeFormat;
pub use parsed::{Coerced, Coercion, Considered, Issue, IssueKind, Parsed, Renamed, Unknown};
pub use repair::{Duplicate, Inside, Repair, RepairKind, Risk, Span, Truncated};
pub use spec::{OnUnknown, OutputSpec};
pub use stream::OutputStream;
