//! The labelled corpus of refusals: precision and recall for each language.
//!
//! `+` is a refusal, `-` is none, `~` is a partial one (which counts as an answer). Run with `--nocapture`
//! to see the figures, with the seed's four markers beside them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the helpers of a test fail as the test does, and say what they ran"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use promptline_eval::refusal::{RefusalKind, detect_text};

/// What the team of the seed looked for.
const SEED: [&str; 4] = ["抱歉", "无法", "不清楚", "建议联系"];

#[derive(Default)]
struct Counts {
    hits: usize,
    false_alarms: usize,
    missed: usize,
}

impl Counts {
    fn add(&mut self, found: bool, right: bool) {
        match (found, right) {
            (true, true) => self.hits += 1,
            (true, false) => self.false_alarms += 1,
            (false, true) => self.missed += 1,
            (false, false) => {}
        }
    }

    fn precision(&self) -> f64 {
        self.hits as f64 / (self.hits + self.false_alarms).max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.hits as f64 / (self.hits + self.missed).max(1) as f64
    }
}

#[test]
fn precision_and_recall() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refusals");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let (mut table, mut wrong) = (String::new(), String::new());
    let (mut all, mut lines, mut near) = (Counts::default(), 0, 0);
    for file in &files {
        let (mut ours, mut seed) = (Counts::default(), Counts::default());
        for line in fs::read_to_string(file).unwrap().lines() {
            let (mark, text) = line.split_once(' ').unwrap();
            let right = mark == "+";
            let found = detect_text(text);
            lines += 1;
            near += usize::from(!right);
            ours.add(found.refused, right);
            all.add(found.refused, right);
            seed.add(SEED.iter().any(|marker| text.contains(marker)), right);
            if found.refused != right || (mark == "~" && found.kind != Some(RefusalKind::Partial)) {
                writeln!(wrong, "{mark} {text}\n    {found:?}").unwrap();
            }
        }
        let language = file.file_stem().unwrap().to_string_lossy();
        writeln!(
            table,
            "{language:8} precision {:.3} recall {:.3}   (seed: {:.3} {:.3})",
            ours.precision(),
            ours.recall(),
            seed.precision(),
            seed.recall()
        )
        .unwrap();
        assert!(ours.precision() >= 0.9 && ours.recall() >= 0.9, "{table}\n{wrong}");
    }
    println!("{lines} lines, {near} of them none or partial\n{table}{wrong}");
    println!("all      precision {:.3} recall {:.3}", all.precision(), all.recall());
    assert!(lines >= 400 && near * 3 >= lines);
    assert!(all.precision() >= 0.97 && all.recall() >= 0.95);
}
