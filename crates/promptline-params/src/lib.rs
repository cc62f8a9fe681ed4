#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod check;
mod declare;
mod error;
mod finding;
mod generation;
mod literals;
mod params;
mod place;
mod source;
mod template;
mod value;

pub use check::check;
pub use declare::{Declaration, Declarations, ParamType};
pub use error::{Error, ErrorKind};
pub use finding::{Finding, Severity};
pub use generation::{Generation, Param};
pub use literals::Literals;
pub use params::{Params, ParamsBuilder, Seen};
pub use place::Place;
#[cfg(feature = "etcd")]
pub use source::Etcd;
pub use source::{Changed, EnvSource, FileSource, Loaded, Located, ParamSource, Watch};
