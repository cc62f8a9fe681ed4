//! `{{json VALUE}}` and `{{json VALUE indent=2}}`.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::template::limits::{MAX_OUTPUT, too_large};
use promptline_diagnostic::Error;

/// A value as JSON, on one line or with so many blanks a level.
pub(super) fn json(value: &Value, indent: Option<u8>) -> Result<String, Error> {
    match indent {
        None => write(value, CompactFormatter),
        Some(blanks) => {
            let indent = vec![b' '; usize::from(blanks)];
            write(value, PrettyFormatter::with_indent(&indent))
        }
    }
}

fn write(value: &Value, formatter: impl Formatter) -> Result<String, Error> {
    let mut out = Bounded(Vec::new());
    let written = value.serialize(&mut Serializer::with_formatter(&mut out, formatter));
    // A value has string keys only, so that nothing but the limit can end this.
    written.map_err(|_| too_large())?;
    String::from_utf8(out.0).map_err(|_| too_large())
}

/// Indentation makes a small value large: the writer ends at the limit, not the reader of the result.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > MAX_OUTPUT.saturating_sub(self.0.len()) {
            return Err(io::Error::other("the limit is reached"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
