//! The names of a template, numbered. A render that has all its values at hand finds each of them once
//! and then asks by number.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Numbers by name, from 0, in order of first use.
#[derive(Debug, Default)]
pub(super) struct Slots(HashMap<Box<str>, usize, FixedState>);

impl Slots {
    /// The number of a name, which may be new.
    pub(super) fn number(&mut self, name: &str) -> usize {
        let next = self.0.len();
        match self.0.get(name) {
            Some(number) => *number,
            None => *self.0.entry(name.into()).or_insert(next),
        }
    }

    /// The number of a name that the template has.
    pub(super) fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
