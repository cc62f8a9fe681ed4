//! Builds without an async runtime. A build only waits where a component does: then there is no runtime here
//! that could wake it, so that waiting for it would never end.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use promptline_diagnostic::{Error, ErrorKind};

/// So often a build may ask to be polled again at once, as a component that yields does. Bounded, since a
/// component that wakes itself on every poll would spin for ever.
const MOST_POLLS: usize = 1000;

/// Notices that it was woken, and by that that polling again makes sense.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

/// Polls the build until it is done; never waits.
pub(super) fn poll_to_end<T>(build: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let mut build = pin!(build);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut cx = Context::from_waker(&waker);
    for _ in 0..MOST_POLLS {
        if let Poll::Ready(built) = build.as_mut().poll(&mut cx) {
            return built;
        }
        // Not woken during the poll: only something outside could wake it later, and nothing runs outside.
        if !woken.0.swap(false, Ordering::Acquire) {
            break;
        }
    }
    let message = "a component waits for something (a timer, a socket, a lock), and nothing here could wake it";
    let help = "use `build(…).await` in the host's async runtime";
    Err(Error::new(ErrorKind::WouldBlock, message).with_help(help))
}
