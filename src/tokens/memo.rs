//! Counts that were made before. A prompt's texts are the same from build to build, and to count exactly
//! costs more than to build. It holds numbers, no texts, and never more than so many.

use std::collections::BTreeMap;
use std::sync::Mutex;

use sha2::{Digest, Sha256};

/// So many counts are held, about 64 KiB; then it begins anew.
const MOST: usize = 1024;
/// A text of fewer bytes is counted faster than it is looked up.
const SHORTEST: usize = 64;

#[derive(Default)]
pub(super) struct Memo(Mutex<BTreeMap<[u8; 32], usize>>);

impl Memo {
    /// The count of a text, which `count` makes where it is not known.
    pub(super) fn of(&self, text: &str, count: impl FnOnce() -> usize) -> usize {
        if text.len() < SHORTEST {
            return count();
        }
        let key: [u8; 32] = Sha256::digest(text).into();
        // A poisoned lock leaves a map that is whole.
        let held = || self.0.lock().unwrap_or_else(|lock| lock.into_inner());
        if let Some(known) = held().get(&key) {
            return *known;
        }
        // Others may count meanwhile.
        let counted = count();
        let mut held = held();
        if held.len() >= MOST {
            held.clear();
        }
        held.insert(key, counted);
        counted
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "that is how a test fails")]

    use super::{MOST, Memo, SHORTEST};

    #[test]
    fn what_is_known_is_not_counted_again_and_little_is_held() {
        let memo = Memo::default();
        let long = "x".repeat(SHORTEST);
        assert_eq!(memo.of(&long, || 7), 7);
        assert_eq!(memo.of(&long, || 8), 7);
        assert_eq!((memo.of("x", || 7), memo.of("x", || 8)), (7, 8));
        for at in 0..MOST * 2 {
            memo.of(&format!("{at:SHORTEST$}"), || at);
        }
        assert!(memo.0.lock().unwrap().len() <= MOST);
    }
}
