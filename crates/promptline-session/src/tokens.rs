//! How long a text is in tokens.

use std::fmt;
use std::sync::Arc;

/// Counts tokens. The estimate, unless a host gives its own counter.
#[derive(Clone)]
pub struct Tokens(Arc<dyn Fn(&str) -> usize + Send + Sync>);

impl Tokens {
    /// Counts with this function. It must be linear, and give a longer text no fewer tokens.
    #[must_use]
    pub fn new(count: impl Fn(&str) -> usize + Send + Sync + 'static) -> Self {
        Self(Arc::new(count))
    }

    /// One token for four bytes of ASCII, and one for every other character: no less than the truth for Chinese,
    /// about right for English.
    #[must_use]
    pub fn estimate() -> Self {
        Self::new(|text| {
            let (mut ascii, mut others) = (0, 0);
            for c in text.chars() {
                if c.is_ascii() { ascii += 1 } else { others += 1 }
            }
            usize::div_ceil(ascii, 4) + others
        })
    }

    /// The tokens of a text.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        (self.0)(text)
    }
}

impl Default for Tokens {
    fn default() -> Self {
        Self::estimate()
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens")
    }
}
