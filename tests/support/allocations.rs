//! An allocator that counts what each thread asks for, so that work can be asserted where times
//! cannot.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What some work asked the allocator for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allocated {
    /// How often. Growing a buffer counts as well.
    pub(crate) times: usize,
    /// How many bytes in all; for a buffer that grows, those that it grows by.
    pub(crate) bytes: usize,
}

/// Does the work and counts; what it made is dropped afterwards.
pub(crate) fn allocated<T>(work: impl FnOnce() -> T) -> (T, Allocated) {
    let before = (TIMES.get(), BYTES.get());
    let made = work();
    (made, Allocated { times: TIMES.get() - before.0, bytes: BYTES.get() - before.1 })
}

thread_local! {
    static TIMES: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // A thread that is ending has no counters any more.
    let _ = TIMES.try_with(|times| times.set(times.get() + 1));
    let _ = BYTES.try_with(|all| all.set(all.get() + bytes));
}

struct Counting;

#[expect(unsafe_code, reason = "an allocator is; it only counts, and calls the system's")]
// SAFETY: every call goes to the system's allocator unchanged; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;
