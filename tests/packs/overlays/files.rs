//! Laws of the files: any bytes are an overlay or a mistake with a place; the order in which files were
//! written says nothing, the order of overlays is kept.

use promptline::check::{check_dir, codes};
use promptline::{Overlay, PromptRegistry};
use proptest::prelude::*;

use super::{Folder, PACK, build, change, cx, overlay, registry};

/// Pieces of an overlay.toml, right and wrong.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop::sample::select(vec![
        "schema = 1\n",
        "[[section]]\n",
        "id = \"A_SECTION\"\n",
        "id = \"B_SECTION\"\n",
        "op = \"append\"\n",
        "op = \"remove\"\n",
        "op = \"wrap\"\n",
        "text = \"x\"\n",
        "text = '''\n{{CWD}}\n{{#if A}}'''\n",
        "file = \"t.md\"\n",
        "file = \"..\"\n",
        "before = \"\"\n",
        "after = \"é\\u202e\"\n",
        "template = true\n",
        "acknowledge = true\n",
        "base = [\"0123456789ab\", \"x\"]\n",
        "when = { mode = \"plan\" }\n",
        "when = { is = \"nobody\", any = [[]] }\n",
        "[section]\n",
        "\u{feff}",
        "\r\n",
        "=",
        "\"",
    ]);
    prop::collection::vec(scrap, 0..12).prop_map(|scraps| scraps.concat())
}

fn judged(folder: &Folder) -> Result<(), TestCaseError> {
    let base = PromptRegistry::builder().pack(crate::pack::pack(PACK));
    let found = check_dir(folder.path(), base.clone());
    let made = Overlay::from_dir(folder.path())
        .and_then(|overlay| base.overlay(overlay).build())
        .map(|registry| registry.build_blocking(&cx()));
    let wrong =
        |finding: &promptline::check::Finding| finding.severity == promptline::Severity::Error;
    prop_assert_eq!(made.is_err(), found.iter().any(wrong), "{:?} {:?}", made.err(), found);
    if let Err(error) = made {
        prop_assert!(error.file().is_some(), "{error:#}");
    }
    for finding in found {
        prop_assert!(codes().any(|code| code == finding.code), "{finding:?}");
        prop_assert!(finding.line >= 1 && finding.column >= 1, "{finding:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes_are_an_overlay_or_a_mistake_with_a_place(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        scraps in scraps(),
        text in "[ -~é\n{}]{0,40}",
    ) {
        let folder = Folder::new("");
        folder.put("t.md", text);
        folder.put("overlay.toml", &scraps);
        judged(&folder)?;
        folder.put("overlay.toml", [scraps.as_bytes(), &bytes].concat());
        judged(&folder)?;
    }

    #[test]
    fn the_order_of_files_says_nothing(order in Just(vec![0, 1, 2, 3]).prop_shuffle()) {
        let files = [
            ("overlay.toml", format!(
                "schema = 1\n{}{}",
                change("A_SECTION", "append", "file = 'a.md'"),
                change("C_SECTION", "prepend", "file = 'x/c.md'"),
            )),
            ("a.md", "To the first.".to_owned()),
            ("x/c.md", "To the last.".to_owned()),
            ("README.md", "Notes.".to_owned()),
        ];
        let read = |order: &[usize]| {
            let folder = Folder::new("");
            order.iter().for_each(|&at| folder.put(files[at].0, &files[at].1));
            let overlay = Overlay::from_dir(folder.path()).unwrap();
            let hash = overlay.hash().to_owned();
            (hash, build(&registry([overlay]), &cx()).into_text())
        };
        prop_assert_eq!(read(&order), read(&[0, 1, 2, 3]));
    }

    #[test]
    fn overlays_are_laid_over_each_other_in_their_order(
        steps in prop::collection::vec((0..3_usize, "[a-z]{1,3}"), 0..6),
    ) {
        let ops = ["append", "prepend", "replace"];
        let overlays = steps.iter().map(|(op, text)| {
            overlay(&change("A_SECTION", ops[*op], &format!("text = '{text}'")))
        });
        let mut expected = "ALPHA\n\nThe first.".to_owned();
        for (op, text) in &steps {
            expected = match op {
                0 => format!("{expected}\n\n{text}"),
                1 => format!("{text}\n\n{expected}"),
                _ => text.clone(),
            };
        }
        let section = build(&registry(overlays), &cx()).section("A_SECTION").unwrap();
        prop_assert_eq!(&section, &expected);
        // All of them in one file are the same.
        let changes: String = steps
            .iter()
            .enumerate()
            .map(|(at, (op, text))| {
                // Two that replace need two conditions.
                let when = format!("text = '{text}'\nwhen = {{ not = {{ flag = 'f{at}' }} }}");
                change("A_SECTION", ops[*op], &when)
            })
            .collect();
        let one = build(&registry([overlay(&changes)]), &cx()).section("A_SECTION").unwrap();
        prop_assert_eq!(one, expected);
    }
}
