#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod answer;
mod ask;
mod candidates;
mod choose;
mod coerce;
#[cfg(feature = "component")]
mod component;
mod constraint;
mod emphasis;
mod ending;
mod envelope;
mod error;
mod exact;
mod fit;
mod fold;
mod gather;
mod known;
mod limits;
mod native;
mod parsed;
mod read;
mod readers;
mod reasoning;
mod repair;
mod salvage;
mod shape;
mod spec;
mod spelling;
mod stream;
mod strict;
mod tolerant;
mod validate;
mod view;

pub use answer::{Answer, Attempt, Disagreement, Outcome};
pub use ask::{Ask, Mode};
#[cfg(feature = "component")]
pub use component::OutputFormat;
pub use constraint::Language;
pub use error::{Error, ErrorKind, ParseError};
pub use limits::Limits;
pub use native::{NativeFormat, UnsupportedKeyword};
pub use parsed::{Coerced, Coercion, Considered, Issue, IssueKind, Parsed, Renamed, Unknown};
pub use repair::{Duplicate, Inside, Repair, RepairKind, Risk, Span, Truncated};
pub use spec::{OnBadItem, OnUnknown, OutputSpec, Pick};
pub use stream::OutputStream;
