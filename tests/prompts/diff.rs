//! What differs between two prompts: sections that came, went, changed or moved, and where the texts part.

use promptline::{
    Prompt, PromptContext, PromptRegistry, PromptVariant, Template, component_fn,
    diff::{PromptDiff, SectionChange, diff},
};
use proptest::prelude::*;

/// A prompt with these sections: one letter a section, its text is the rest of the word.
fn prompt(words: &[&str], template: Option<&str>) -> Prompt {
    let mut variant = PromptVariant::new("v").with_components(words.iter().map(|word| &word[..1]));
    if let Some(template) = template {
        variant = variant.with_template(Template::parse(template).unwrap());
    }
    for word in words {
        let (id, text) = (word[..1].to_owned(), word[1..].to_owned());
        variant =
            variant.with_own_component(component_fn(id, move |_| Ok(Some(text.clone().into()))));
    }
    PromptRegistry::builder()
        .variant_at(variant, promptline::Place::Last)
        .build()
        .and_then(|registry| registry.build_blocking(&PromptContext::default()))
        .unwrap_or_else(|error| panic!("{error:#}"))
}

/// Id and change of each section that differs, as `A+ B- C~ D>`; `C~>` is changed and moved.
fn reported(diff: &PromptDiff) -> String {
    let sign = |change| match change {
        SectionChange::Added => "+",
        SectionChange::Removed => "-",
        SectionChange::Changed => "~",
        SectionChange::Moved => "",
        _ => "?",
    };
    let one = |s: &promptline::diff::SectionDiff| {
        format!("{}{}{}", s.id, sign(s.change), if s.moved { ">" } else { "" })
    };
    diff.sections.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn compare(before: &[&str], after: &[&str]) -> PromptDiff {
    diff(&prompt(before, None), &prompt(after, None))
}

#[test]
fn sections_come_go_change_and_move() {
    for (before, after, expected) in [
        ("Aone Btwo", "Aone Btwo", ""),
        ("Aone Btwo", "Aone Bzwei", "B~"),
        ("Aone", "Aone Btwo", "_template+ B+"),
        ("Aone Btwo", "Btwo", "A- _template-"),
        ("Aone Btwo Cthree", "Btwo Cthree Aone", "A>"),
        ("Aone Btwo Cthree", "Btwo Cthree Auno", "A~>"),
        ("Aone Btwo Cthree", "Aone Xnew Cthree", "X+ B-"),
        ("Aone Btwo Cthree", "Aone Btwo Xnew Cthree", "_template~ X+"),
    ] {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let diff = compare(&words(before), &words(after));
        let (mut found, mut expected): (Vec<_>, Vec<_>) = (
            reported(&diff).split(' ').map(str::to_owned).collect(),
            expected.split(' ').collect(),
        );
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{before} | {after}");
        assert_eq!(diff.is_empty(), expected == [""], "{before} | {after}");
    }
}

#[test]
fn the_first_difference_has_a_byte_and_a_section() {
    let first = |before: &[&str], after: &[&str]| {
        let first = compare(before, after).first.unwrap();
        let name = |id: Option<promptline::Id>| id.map_or("end".to_owned(), |id| id.to_string());
        (first.byte, name(first.before), name(first.after))
    };
    let of = |byte, before: &str, after: &str| (byte, before.to_owned(), after.to_owned());
    assert_eq!(first(&["Aone"], &["Aoke"]), of(1, "A", "A"));
    assert_eq!(first(&["Aone"], &["Aones"]), of(3, "end", "A"));
    assert_eq!(first(&["Aone"], &["Aone", "Btwo"]), of(3, "end", "_template"));
    // In the middle of a character: bytes are bytes.
    assert_eq!(first(&["Aä"], &["Aö"]), of(1, "A", "A"));
}

#[test]
fn text_of_a_template_can_move_around_a_section() {
    let before = prompt(&["Aone"], Some("xy{{A}}"));
    let after = prompt(&["Aone"], Some("x{{A}}y"));
    assert_eq!(reported(&diff(&before, &after)), "_template>");
}

#[test]
fn people_read_a_diff_of_each_section() {
    let before = prompt(&["Arole", "Buse tabs\nand spaces", "Cend"], None);
    let after = prompt(&["Arole", "Dnew", "Buse tabs \nand spaces"], None);
    insta::assert_snapshot!(diff(&before, &after), @"
the first difference is at byte 12, in B before and D after
stays cached: 12 of 43 bytes, about 3 of 11 tokens (28 %)

D: added, 3 bytes
@@ -0,0 +1 @@
+new

B: changed, 19 to 20 bytes
@@ -1,2 +1,2 @@
-use tabs
+use tabs·
 and spaces

C: removed, 3 bytes
@@ -1 +0,0 @@
-end
");
    assert_eq!(diff(&after, &after).to_string(), "the prompts are equal\n");
}

#[test]
fn json_comes_back() {
    let diff = compare(&["Aone", "Btwo"], &["Bzwei", "Aone", "Cnew"]);
    let json = serde_json::to_string(&diff).unwrap();
    assert_eq!(serde_json::from_str::<PromptDiff>(&json).unwrap(), diff);
}

proptest! {
    #[test]
    fn nothing_is_said_of_equal_texts_and_something_of_others(
        before in proptest::collection::btree_map("[A-D]", "[ab\n]{0,3}", 1..4),
        after in proptest::collection::btree_map("[A-D]", "[ab\n]{0,3}", 1..4),
        turned in any::<bool>(),
    ) {
        let words = |map: &std::collections::BTreeMap<String, String>| {
            map.iter().map(|(id, text)| format!("{id}{text}")).collect::<Vec<_>>()
        };
        let (before, mut after) = (words(&before), words(&after));
        if turned {
            after.reverse();
        }
        let before = prompt(&before.iter().map(String::as_str).collect::<Vec<_>>(), None);
        let after = prompt(&after.iter().map(String::as_str).collect::<Vec<_>>(), None);
        let found = diff(&before, &after);
        let equal = before.text() == after.text();
        prop_assert_eq!(found.is_empty(), equal);
        prop_assert_eq!(found.sections.is_empty(), equal);
        if let Some(first) = found.first {
            let (old, new) = (before.text().as_bytes(), after.text().as_bytes());
            prop_assert_eq!(&old[..first.byte], &new[..first.byte]);
            prop_assert_ne!(old.get(first.byte), new.get(first.byte));
        }
    }
}
