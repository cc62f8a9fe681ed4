//! Bounds on what one answer may cost. Whatever is over a bound is reported, never an abort.

/// Bounds for one parse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of an answer that are looked at; what is behind them is cut off, and the answer counts as
    /// truncated. 16 MiB by default.
    pub bytes: usize,
    /// How deep containers may lie in each other, at most 256. 128 by default, as in `serde_json`; what
    /// lies deeper is null, with a lossy repair.
    pub depth: usize,
    /// Bytes looked at for each byte of the answer, over all candidates. 64 by default; when the work is
    /// used up, later candidates are not read.
    pub work: u64,
    /// How many repairs are kept one by one; the others are counted. 1000 by default.
    pub repairs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 16 << 20, depth: 128, work: 64, repairs: 1000 }
    }
}

impl Limits {
    /// The default bounds.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many bytes of an answer are looked at.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets how deep containers may lie in each other; more than 256 is 256.
    #[must_use]
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = depth.clamp(1, 256);
        self
    }

    /// Sets how many bytes are looked at for each byte of the answer.
    #[must_use]
    pub fn work(mut self, work: u64) -> Self {
        self.work = work.max(1);
        self
    }

    /// Sets how many repairs are kept one by one.
    #[must_use]
    pub fn repairs(mut self, repairs: usize) -> Self {
        self.repairs = repairs;
        self
    }
}
