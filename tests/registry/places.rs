//! Where components of the host stand in a variant's list.

use promptline::{Place, Prompt, PromptRegistry, Template, report::ComponentStatus};

use super::{cx, says, variant};

/// The sections of a variant with the components `x`, `y`, `z`, and these of the host, in the order in
/// which they came out; registered in the given order and in the reverse.
fn order(host: &[(&'static str, Place)]) -> String {
    let build = |host: &mut dyn Iterator<Item = &(&'static str, Place)>| {
        let mut registry = PromptRegistry::builder()
            .component_at(says("X"), Place::Listed)
            .component_at(says("Y"), Place::Listed)
            .component_at(says("Z"), Place::Listed)
            .variant_at(variant("v", &["X", "Y", "Z"]), Place::First);
        for (id, place) in host {
            registry = registry.component_at(says(id), place.clone());
        }
        registry.build().unwrap().build_blocking(&cx()).unwrap()
    };
    let forth = build(&mut host.iter());
    let back = build(&mut host.iter().rev());
    assert_eq!(forth.text(), back.text(), "the order of registration matters");
    assert_eq!(forth.report(), back.report(), "the order of registration matters");
    forth.text().replace("\n\n====\n\n", " ")
}

fn before(id: &str) -> Place {
    Place::before(id)
}

fn after(id: &str) -> Place {
    Place::after(id)
}

#[test]
fn each_place() {
    for (place, right) in [
        (Place::First, "a x y z"),
        (Place::Last, "x y z a"),
        (before("X"), "a x y z"),
        (before("Z"), "x y a z"),
        (after("X"), "x a y z"),
        (after("Z"), "x y z a"),
        (Place::Listed, "x y z"),
    ] {
        assert_eq!(order(&[("A", place.clone())]), right, "{place:?}");
    }
}

#[test]
fn components_with_one_place_stand_in_the_order_of_their_ids() {
    for (place, right) in [
        (Place::First, "a b c x y z"),
        (Place::Last, "x y z a b c"),
        (before("Y"), "x a b c y z"),
        (after("Y"), "x y a b c z"),
    ] {
        let host = ["C", "A", "B"].map(|id| (id, place.clone()));
        assert_eq!(order(&host), right, "{place:?}");
    }
}

#[test]
fn different_places_at_one_spot() {
    let host = [
        ("A", after("X")),
        ("B", before("Y")),
        ("C", Place::First),
        ("D", before("X")),
        ("E", after("Z")),
        ("F", Place::Last),
    ];
    assert_eq!(order(&host), "c d x a b y z e f");
}

#[test]
fn components_of_the_host_may_be_anchored_to_each_other() {
    for (host, right) in [
        ([("A", after("B")), ("B", after("C")), ("C", after("Y"))], "x y c b a z"),
        ([("A", before("B")), ("B", before("C")), ("C", before("Y"))], "x a b c y z"),
        ([("A", after("B")), ("B", Place::First), ("C", after("A"))], "b a c x y z"),
        ([("A", before("C")), ("B", after("C")), ("C", Place::Last)], "x y z a c b"),
    ] {
        assert_eq!(order(&host), right, "{host:?}");
    }
}

/// Found by these tests: what was put before the first one pushed the next first one before it.
#[test]
fn what_comes_before_a_first_one_does_not_change_the_order_of_the_first_ones() {
    let host = [("B", Place::First), ("C", before("B")), ("D", Place::First)];
    assert_eq!(order(&host), "c b d x y z");
}

fn built(host: &[(&'static str, Place)]) -> Prompt {
    let mut registry = PromptRegistry::builder()
        .component_at(says("X"), Place::Listed)
        .variant_at(variant("v", &["X"]), Place::First);
    for (id, place) in host {
        registry = registry.component_at(says(id), place.clone());
    }
    registry.build().unwrap().build_blocking(&cx()).unwrap()
}

/// The subjects and messages of notes with this code.
fn notes(prompt: &Prompt, code: &str) -> Vec<(String, String)> {
    let found = prompt.report().diagnostics.iter().filter(|d| d.code == code);
    found.map(|d| (d.subject.clone().unwrap_or_default(), d.message.clone())).collect()
}

#[test]
fn an_unknown_anchor_puts_a_component_last_and_says_so() {
    let prompt = built(&[("A", before("NOBODY")), ("B", Place::Last)]);
    assert_eq!(prompt.text(), "x\n\n====\n\nb\n\n====\n\na");
    assert_eq!(
        notes(&prompt, "place-unknown"),
        [("A".to_owned(), "`A` is last: the variant has no `NOBODY` to place it by".to_owned())]
    );
    assert_eq!(prompt.report().warnings().count(), 0, "it is a note");
}

#[test]
fn anchors_that_go_in_a_circle_are_last_too() {
    let prompt = built(&[("A", after("B")), ("B", after("A"))]);
    assert_eq!(prompt.text(), "x\n\n====\n\na\n\n====\n\nb");
    assert_eq!(notes(&prompt, "place-unknown").len(), 2);
}

#[test]
fn a_place_holds_in_the_variants_that_do_not_list_the_component() {
    let registry = PromptRegistry::builder()
        .component_at(says("X"), Place::Listed)
        .component_at(says("A"), Place::First)
        .variant_at(variant("lists", &["X", "A"]), Place::First)
        .variant_at(variant("does_not", &["X"]), Place::First)
        .build()
        .unwrap();
    let text = |id: &str| registry.build_blocking(&cx().with_variant(id)).unwrap().into_text();
    assert_eq!(text("lists"), "x\n\n====\n\na");
    assert_eq!(text("does_not"), "a\n\n====\n\nx");
}

#[test]
fn a_variant_may_switch_off_a_component_of_the_host() {
    let off =
        variant("v", &["X"]).with_component_override("A", |change| change.enabled = Some(false));
    let registry = PromptRegistry::builder()
        .component_at(says("X"), Place::Listed)
        .component_at(says("A"), Place::First)
        .variant_at(off, Place::First)
        .build()
        .unwrap();
    let prompt = registry.build_blocking(&cx()).unwrap();
    assert_eq!(prompt.text(), "x");
    let a = prompt.report().components.iter().find(|c| c.id == "A");
    assert_eq!(a.unwrap().status, ComponentStatus::Disabled);
}

#[test]
fn a_template_that_does_not_print_a_placed_component_is_a_warning() {
    let of_host = variant("v", &["X"]).with_template(Template::parse("only {{X}}").unwrap());
    let registry = PromptRegistry::builder()
        .component_at(says("X"), Place::Listed)
        .component_at(says("A"), Place::First)
        .variant_at(of_host, Place::First)
        .build()
        .unwrap();
    let prompt = registry.build_blocking(&cx()).unwrap();
    assert_eq!(prompt.text(), "only x");
    assert_eq!(notes(&prompt, "component-unprinted")[0].0, "A");
    let a = prompt.report().components.iter().find(|c| c.id == "A");
    assert_eq!(a.unwrap().status, ComponentStatus::Unprinted);
}
