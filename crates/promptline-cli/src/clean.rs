//! `promptline clean`.

use std::io::Read as _;

use promptline::cleanup::{Level, clean};
use promptline::text::normalise;

use crate::args::CleanArgs;
use crate::output::{Failure, Output};

pub(crate) fn run(args: &CleanArgs, output: &mut Output) -> Result<(), Failure> {
    let text = stdin()?;
    let level = if args.section { Level::Section } else { Level::Document };
    output.write(&clean(&normalise(&text), level))
}

/// All of stdin, which must be UTF-8.
pub(crate) fn stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::Said(format!("stdin is not UTF-8 at byte {at}"))
    })
}
