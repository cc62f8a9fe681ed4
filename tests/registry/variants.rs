//! The order in which variants are matched, and their versions.

use promptline::{ErrorKind, Place, PromptRegistry, PromptRegistryBuilder};

use super::pack::{SMALL, pack};
use super::{cx, variant};

fn ids(registry: PromptRegistryBuilder) -> Vec<String> {
    let registry = registry.build().unwrap();
    registry
        .variants()
        .map(|variant| match variant.version() {
            1 => variant.id().to_owned(),
            version => format!("{}@{version}", variant.id()),
        })
        .collect()
}

/// The ids of a registry with the pack's variant `v` and these of the host.
fn order(host: &[(&str, u32, Place)]) -> Vec<String> {
    let mut registry = PromptRegistry::builder().pack(pack(SMALL));
    for (id, version, place) in host {
        registry = registry.variant_at(variant(id, &[]).with_version(*version), place.clone());
    }
    ids(registry)
}

#[test]
fn host_variants_come_first_in_the_order_of_their_calls() {
    let host = ["c", "a", "b"].map(|id| (id, 1, Place::First));
    assert_eq!(order(&host), ["c", "a", "b", "v"]);
}

#[test]
fn each_place() {
    for (place, right) in [
        (Place::First, ["a", "v"]),
        (Place::Last, ["v", "a"]),
        (Place::before("v"), ["a", "v"]),
        (Place::after("v"), ["v", "a"]),
        (Place::before("nobody"), ["v", "a"]),
        (Place::after("nobody"), ["v", "a"]),
    ] {
        assert_eq!(order(&[("a", 1, place.clone())]), right, "{place:?}");
    }
}

#[test]
fn variants_may_be_anchored_to_those_that_are_there() {
    let host = [
        ("a", 1, Place::First),
        ("b", 1, Place::before("v")),
        ("c", 1, Place::after("a")),
        ("d", 1, Place::Last),
        ("e", 1, Place::First),
    ];
    assert_eq!(order(&host), ["a", "c", "e", "b", "v", "d"]);
}

/// Found by these tests: `d` came before `a`.
#[test]
fn what_comes_before_a_first_one_does_not_change_the_order_of_the_first_ones() {
    let host = [("a", 1, Place::First), ("b", 1, Place::before("a")), ("d", 1, Place::First)];
    assert_eq!(order(&host), ["b", "a", "d", "v"]);
}

#[test]
fn generic_is_always_last() {
    for place in [Place::First, Place::before("v"), Place::after("v")] {
        let host = [("generic", 1, place), ("z", 1, Place::Last)];
        assert_eq!(order(&host), ["v", "z", "generic"]);
    }
    let host = [
        ("generic", 1, Place::First),
        ("generic", 3, Place::First),
        ("z", 1, Place::after("generic")),
    ];
    assert_eq!(order(&host), ["z", "v", "generic@3", "generic"]);
}

#[test]
fn versions_stand_side_by_side_the_highest_first() {
    let host = [
        ("a", 2, Place::First),
        ("b", 1, Place::First),
        ("a", 10, Place::Last),
        ("a", 1, Place::First),
    ];
    assert_eq!(order(&host), ["a@10", "a@2", "b", "a", "v"]);
}

#[test]
fn a_version_of_a_pack_s_variant_stays_beside_it() {
    assert_eq!(order(&[("v", 2, Place::Last)]), ["v@2", "v"]);
}

#[test]
fn get_is_exact_and_takes_the_highest() {
    let registry = PromptRegistry::builder()
        .variant_at(variant("a", &[]).with_version(2), Place::First)
        .variant_at(variant("a", &[]).with_version(11), Place::First)
        .build()
        .unwrap();
    assert_eq!(registry.get("a").unwrap().version(), 11);
    assert_eq!(registry.get_version("a", 2).unwrap().version(), 2);
    for error in [
        registry.get("A").unwrap_err(),
        registry.get("a@2").unwrap_err(),
        registry.get("").unwrap_err(),
        registry.get_version("a", 3).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::NoVariant);
        assert!(error.help().unwrap().ends_with("variants are a@11, a@2"), "{error}");
    }
    let error = registry.get_version("a", 3).unwrap_err();
    assert_eq!(error.message(), "there is no variant `a@3`");
}

#[test]
fn labels_and_tags_change_nothing_about_the_choice() {
    let registry = PromptRegistry::builder()
        .variant_at(variant("a", &[]).with_version(1), Place::First)
        .variant_at(variant("a", &[]).with_version(2), Place::First)
        .build()
        .unwrap();
    assert_eq!(registry.select(&cx()).unwrap().variant().version(), 2);
}
