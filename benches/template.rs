//! The render step: a plain template of 57 KB against copying its output, and against the `handlebars`
//! crate rendering the same template.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench prints what it measured")]

mod support;

use promptline::Template;
use support::{Table, handlebars, in_turns, prose, values, with_placeholders};

const BYTES: usize = 57 << 10;

fn main() {
    let mut table = Table::new();
    for (count, goal) in [(20, 0.30), (200, 0.10)] {
        let source = with_placeholders(&prose(BYTES), count);
        let values = values(count);
        let template = Template::parse(&source).expect("it is a template");
        let reference = handlebars(&source);
        let render = || template.render(&values).expect("it renders");
        let output = render();
        assert_eq!(reference.render("t", &values).expect("it renders"), output);

        if count == 20 {
            let measured = in_turns(render, || output.clone());
            table.ratio("render 57 KB, 20 placeholders / memcpy", measured, 1.5);
        }
        let measured = in_turns(render, || reference.render("t", &values));
        table.ratio(&format!("render 57 KB, {count} placeholders / handlebars"), measured, goal);
    }
}
