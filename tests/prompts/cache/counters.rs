//! Who counts, and how often.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use promptline::{PromptContext, PromptRegistry, TokenCounter};

use crate::pack;

/// One token a character; knows how often it was asked.
#[derive(Default)]
struct Characters(Arc<AtomicUsize>);

impl TokenCounter for Characters {
    fn name(&self) -> &str {
        "characters"
    }

    fn count(&self, text: &str) -> usize {
        self.0.fetch_add(1, Ordering::Relaxed);
        text.chars().count()
    }
}

#[test]
fn a_text_that_is_always_the_same_is_counted_once() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Characters(Arc::clone(&asked));
    let registry =
        PromptRegistry::builder().pack(pack::pack(pack::SMALL)).tokens(counter).build().unwrap();
    let build = || registry.build_blocking(&PromptContext::default()).unwrap();
    let prompt = build();
    assert_eq!((prompt.text(), prompt.sections()[0].tokens), ("All is well.", 12));
    let totals = prompt.report().totals.clone().unwrap();
    assert_eq!(
        (totals.counter.as_str(), totals.estimate, totals.tokens),
        ("characters", false, 12)
    );
    assert_eq!(prompt.tokens(), 12);
    build();
    build();
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn a_text_that_comes_again_is_not_counted_again() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Characters(Arc::clone(&asked));
    let files = pack::SMALL
        .replace("All is well.", "You work in {{CWD}}, which is a long way off from here.");
    let registry =
        PromptRegistry::builder().pack(pack::pack(&files)).tokens(counter).build().unwrap();
    let build = |cwd: &str| {
        let cx = PromptContext::default().with_cwd(cwd);
        assert!(registry.build_blocking(&cx).unwrap().tokens() > 0);
        asked.load(Ordering::Relaxed)
    };
    let place = "/home/ada/engine/of/difference";
    assert_eq!((build(place), build(place)), (1, 1));
    assert_eq!((build("/home/ada/engine/of/analysis"), build(place)), (2, 2));
}

struct Panics;

impl TokenCounter for Panics {
    fn name(&self) -> &str {
        "panics"
    }

    #[expect(clippy::panic, reason = "that is what it is for")]
    fn count(&self, _: &str) -> usize {
        panic!("no idea")
    }
}

#[test]
fn a_counter_that_panics_costs_no_prompt() {
    let registry =
        PromptRegistry::builder().pack(pack::pack(pack::SMALL)).tokens(Panics).build().unwrap();
    let prompt = registry.build_blocking(&PromptContext::default()).unwrap();
    assert_eq!(prompt.tokens(), 3);
}

#[cfg(feature = "tokens")]
#[test]
fn exact_counts_are_those_of_the_vocabularies() {
    use promptline::tokens::ExactTokens;
    let (new, old) = (ExactTokens::o200k(), ExactTokens::cl100k());
    for (text, in_new, in_old) in
        [("", 0, 0), ("Use tabs.", 3, 3), ("<|endoftext|>", 7, 7), ("漢字漢字", 4, 6)]
    {
        assert_eq!((new.count(text), old.count(text)), (in_new, in_old), "{text}");
    }
    // What other counters choke on.
    assert_eq!(new.count(&" ".repeat(1_000_000)), 7_813);
    assert!(!new.is_estimate() && new.name() == "o200k_base");
}
