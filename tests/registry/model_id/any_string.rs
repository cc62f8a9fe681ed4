//! Any string is an id, and gets a variant with a reason for each that it did not get.

use promptline::{Pack, PromptContext, PromptRegistry};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_500) })]

    #[test]
    fn any_id_gets_a_variant(id in "(claude|gpt|qwen3|-|/|[.:@_]|[0-9]{1,3}|mini|opus|distill|\\PC){0,12}") {
        thread_local! {
            static BUILTIN: PromptRegistry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
        }
        BUILTIN.with(|registry| {
            let selection = registry.select(&PromptContext::new("", &id)).unwrap();
            assert!(selection.verdicts().iter().all(|verdict| !verdict.reason.is_empty()));
        });
    }
}
