//! Ratios. A time says little on a machine that does other things too, so each row measures the work
//! and its reference in turns and prints how many times as long the work took. Nothing here judges a
//! run: tests count work and memory, and never time.

#![allow(dead_code, reason = "each bench uses its own part")]

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Work and reference are measured so often, in turns; the best of each counts, since whatever else
/// the machine does can only add to it.
const TURNS: usize = 60;
/// Work is repeated until one measurement takes about so long.
const ONE_MEASUREMENT: Duration = Duration::from_micros(400);

/// How long one run of each took at best.
pub(crate) fn in_turns<A, B>(
    mut work: impl FnMut() -> A,
    mut reference: impl FnMut() -> B,
) -> (Duration, Duration) {
    let (repeat_work, repeat_reference) = (repeats(&mut work), repeats(&mut reference));
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS {
        best.0 = best.0.min(one(&mut work, repeat_work));
        best.1 = best.1.min(one(&mut reference, repeat_reference));
    }
    best
}

fn repeats<T>(work: &mut impl FnMut() -> T) -> u32 {
    let once = one(work, 1).min(one(work, 1)).max(Duration::from_nanos(1));
    u32::try_from(ONE_MEASUREMENT.as_nanos() / once.as_nanos()).unwrap_or(u32::MAX).max(1)
}

fn one<T>(work: &mut impl FnMut() -> T, repeat: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..repeat {
        black_box(work());
    }
    start.elapsed() / repeat
}

/// The rows of one topic, printed when it is dropped.
pub(crate) struct Table {
    rows: Vec<[String; 6]>,
}

impl Table {
    pub(crate) fn new() -> Self {
        let head = ["", "ours", "reference", "ratio", "goal", ""];
        Self { rows: vec![head.map(str::to_owned)] }
    }

    /// `goal` is the largest ratio that is good. Without one it is only printed.
    pub(crate) fn ratio(
        &mut self,
        what: &str,
        (ours, reference): (Duration, Duration),
        goal: impl Into<Option<f64>>,
    ) {
        let ratio = ours.as_secs_f64() / reference.as_secs_f64();
        let cells = [shown(ours), shown(reference), format!("{ratio:.2}x")];
        self.push(what, cells, ratio, goal.into());
    }

    /// A figure that has no reference.
    pub(crate) fn figure(
        &mut self,
        what: &str,
        figure: f64,
        unit: &str,
        goal: impl Into<Option<f64>>,
    ) {
        let cells = [format!("{figure:.2} {unit}"), String::new(), String::new()];
        self.push(what, cells, figure, goal.into());
    }

    fn push(&mut self, what: &str, cells: [String; 3], measured: f64, goal: Option<f64>) {
        let judged = match goal {
            Some(goal) if measured > goal => "short",
            Some(_) => "ok",
            None => "",
        };
        let goal = goal.map_or(String::new(), |goal| format!("<= {goal}"));
        let [ours, reference, ratio] = cells;
        self.rows.push([what.to_owned(), ours, reference, ratio, goal, judged.to_owned()]);
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let mut widths = [0; 6];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for row in &self.rows {
            let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
                if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            println!("{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
    }
}

fn shown(time: Duration) -> String {
    match time.as_secs_f64() * 1e6 {
        micros if micros >= 10_000.0 => format!("{:.1} ms", micros / 1_000.0),
        micros => format!("{micros:.2} us"),
    }
}

/// English prose of an agent's prompt, about so many bytes: paragraphs, lists, headings. Without
/// braces, separators and surplus blank lines.
pub(crate) fn prose(bytes: usize) -> String {
    const PARAGRAPHS: [&str; 4] = [
        "You work in the repository that the user has opened. Read a file before you change it, and \
         change no more of it than the task asks for; what you cannot verify, you say.",
        "- Prefer the tools over guessing: a search costs less than a wrong edit.\n- Run the tests \
         that belong to the change before you call it done.\n- Ask only what the files cannot \
         answer.",
        "# Editing\n\nWhen an edit does not apply, read the file again: it may have changed since. \
         Never paste a whole file where a few lines will do.",
        "Paths are relative to the working directory. Commands run in the user's shell, so quote what \
         may hold blanks, and do not start anything that waits for input.",
    ];
    let mut text = String::with_capacity(bytes + 256);
    for paragraph in PARAGRAPHS.iter().cycle() {
        if text.len() >= bytes {
            break;
        }
        text.push_str(paragraph);
        text.push_str("\n\n");
    }
    text
}

/// The text with so many names, at even distances, at ends of words.
pub(crate) fn with_placeholders(text: &str, count: usize) -> String {
    let distance = text.len() / (count + 1);
    let mut made = String::with_capacity(text.len() + count * 16);
    let mut placed = 0;
    for word in text.split_inclusive(' ') {
        made.push_str(word);
        if placed < count && made.len() > (placed + 1) * distance {
            made.push_str(&format!("{{{{NAME_{placed}}}}} "));
            placed += 1;
        }
    }
    made
}

/// A value for each name of [`with_placeholders`].
pub(crate) fn values(count: usize) -> serde_json::Map<String, serde_json::Value> {
    let value = |at| (format!("NAME_{at}"), format!("the value of {at}").into());
    (0..count).map(value).collect()
}

/// The `handlebars` crate with this template as `t`; nothing is escaped.
pub(crate) fn handlebars(template: &str) -> handlebars::Handlebars<'static> {
    let mut registry = handlebars::Handlebars::new();
    registry.register_escape_fn(handlebars::no_escape);
    registry.register_template_string("t", template).expect("it is a template");
    registry
}
