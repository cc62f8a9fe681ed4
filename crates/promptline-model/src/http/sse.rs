//! Server-sent events out of bytes as they come: lines however they are cut, nothing longer than a limit, only
//! UTF-8.

use crate::{ModelError, ModelErrorKind};

/// The longest line, in bytes. Whole tool results and images come in one line.
pub(super) const MAX_LINE: usize = 32 * 1024 * 1024;

/// Cuts a stream of bytes into the data of events.
#[derive(Debug, Default)]
pub(super) struct Events {
    buffer: Vec<u8>,
    /// Of `buffer`: what was taken out already, and what was searched for a line's end already.
    taken: usize,
    searched: usize,
}

impl Events {
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        if self.taken > 0 {
            self.buffer.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
        }
        if self.buffer.len().saturating_add(bytes.len()) > MAX_LINE {
            return Err(ModelError::new(
                ModelErrorKind::Protocol,
                format!("the provider sends a line of more than {MAX_LINE} bytes"),
            ));
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// The data of the next whole line of data. Comments, names and ids of events say nothing here.
    pub(super) fn next(&mut self) -> Result<Option<String>, ModelError> {
        loop {
            let rest = self.buffer.get(self.searched..).unwrap_or_default();
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.buffer.len();
                return Ok(None);
            };
            let end = self.searched + end;
            let line = self.buffer.get(self.taken..end).unwrap_or_default();
            let data = data(line)?;
            self.taken = end + 1;
            self.searched = self.taken;
            if data.is_some() {
                return Ok(data);
            }
        }
    }

    /// The last line, when the stream ends without an end of line.
    pub(super) fn finish(&mut self) -> Result<Option<String>, ModelError> {
        let line = self.buffer.get(self.taken..).unwrap_or_default();
        let data = data(line);
        self.buffer.clear();
        (self.taken, self.searched) = (0, 0);
        data
    }
}

fn data(line: &[u8]) -> Result<Option<String>, ModelError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Some(data) = line.strip_prefix(b"data:") else { return Ok(None) };
    let data = data.strip_prefix(b" ").unwrap_or(data);
    match std::str::from_utf8(data) {
        Ok(data) => Ok(Some(data.to_owned())),
        Err(error) => Err(ModelError::new(
            ModelErrorKind::Protocol,
            format!("the provider sends a line that is not UTF-8 at byte {}", error.valid_up_to()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::Events;

    #[test]
    fn lines_come_out_whole_however_they_are_cut() {
        let text =
            ": hello\r\ndata: {\"a\":\"限\"}\r\n\r\nevent: x\ndata:2\n\ndata: \nid: 3\ndata: last";
        let whole = ["{\"a\":\"限\"}", "2", "", "last"];
        for size in 1..text.len() {
            let mut events = Events::default();
            let mut found = Vec::new();
            for bytes in text.as_bytes().chunks(size) {
                events.push(bytes).unwrap();
                while let Some(data) = events.next().unwrap() {
                    found.push(data);
                }
            }
            found.extend(events.finish().unwrap());
            assert_eq!(found, whole, "cut into pieces of {size}");
        }
    }

    #[test]
    fn what_is_no_utf8_and_what_is_endless_is_an_error() {
        let mut events = Events::default();
        events.push(b"data: \xff\n").unwrap();
        assert!(events.next().unwrap_err().to_string().contains("not UTF-8 at byte 0"));
        let mut events = Events::default();
        let megabyte = vec![b'x'; 1024 * 1024];
        let pushed = (0..40).map(|_| events.push(&megabyte)).filter(Result::is_ok).count();
        assert_eq!(pushed, 32);
    }
}
