//! `build_blocking` polls. It never waits, since nothing could wake it.

use std::future::poll_fn;
use std::task::Poll;

use promptline::{
    Component, ComponentCx, ComponentError, ErrorKind, Place, PromptRegistry, Text, async_trait,
};

use super::{cx, listing};

/// Pending this many times; wakes itself where it `yields`.
struct Waits {
    times: usize,
    yields: bool,
}

#[async_trait]
impl Component for Waits {
    fn id(&self) -> &str {
        "WAITS"
    }

    async fn render(&self, _: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        let mut left = self.times;
        poll_fn(|task| {
            if left == 0 {
                return Poll::Ready(());
            }
            left -= 1;
            if self.yields {
                task.waker().wake_by_ref();
            }
            Poll::Pending
        })
        .await;
        Ok(Some("done".into()))
    }
}

fn registry(times: usize, yields: bool) -> PromptRegistry {
    listing(&["WAITS"]).component_at(Waits { times, yields }, Place::Listed).build().unwrap()
}

#[test]
fn a_component_that_is_ready_is_built() {
    assert_eq!(registry(0, false).build_blocking(&cx()).unwrap().text(), "done");
}

#[test]
fn a_component_that_yields_is_polled_again() {
    assert_eq!(registry(3, true).build_blocking(&cx()).unwrap().text(), "done");
}

#[test]
fn a_component_that_waits_is_an_error_that_says_what_to_do() {
    let error = registry(1, false).build_blocking(&cx()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
    assert!(error.help().unwrap().contains(".await"), "{error}");
}

#[test]
fn a_component_that_yields_for_ever_ends_too() {
    let error = registry(usize::MAX, true).build_blocking(&cx()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
}
