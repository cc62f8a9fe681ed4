//! Hashes that say whether two prompts are the same, and whether they were built from the same.

use std::io;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Two SHA-256 hashes in hexadecimal: equal `source`s give equal texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fingerprint {
    /// Of what the prompt was built from: packs, variant, options, and the serde part of the context.
    /// Components and closures of the host are known by their ids only.
    pub source: String,
    /// Of the bytes of the prompt.
    pub text: String,
}

impl Fingerprint {
    pub(crate) fn new(source: &impl Serialize, text: &str) -> Self {
        let mut writer = HashWriter(Sha256::new());
        // Writing into a hash cannot fail; a value that cannot be written hashes as far as it got.
        let _ = serde_json::to_writer(&mut writer, source);
        Self { source: hex(&writer.0.finalize()), text: hex(&Sha256::digest(text.as_bytes())) }
    }
}

struct HashWriter(Sha256);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
