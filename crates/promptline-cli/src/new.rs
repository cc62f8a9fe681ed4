//! `promptline new`: the files of the tutorial, under a name of the user's own, or of an overlay. It never writes into a
//! folder that holds something.

use std::fs;
use std::path::Path;

use promptline::docs::tutorial;
use promptline::{Overlay, PromptRegistryBuilder, overlay::OverlayOp};

use crate::args::{NewArgs, NewKind, Op};
use crate::output::{Failure, Output};

/// What the pack of the tutorial is called in its files.
const NAME: &str = "mine";

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &NewArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    match args.what {
        NewKind::Pack => pack(args, output),
        NewKind::Overlay => overlay(registry, args, output),
    }
}

/// A change of one section, with the text that it was written against.
fn overlay(
    registry: PromptRegistryBuilder,
    args: &NewArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let section = args.section.as_deref().unwrap_or_default();
    let op = match args.op {
        Op::Replace => OverlayOp::Replace,
        Op::Append => OverlayOp::Append,
        Op::Prepend => OverlayOp::Prepend,
        Op::Remove => OverlayOp::Remove,
        Op::Wrap => OverlayOp::Wrap,
    };
    let registry = crate::registry(registry, &args.pack, &[])?;
    let files = Overlay::starter(&registry, section, op)?;
    must_be_empty(&args.dir)?;
    for (path, text) in files {
        let text = match &args.name {
            Some(name) if path == "overlay.toml" => {
                text.replacen("name = \"\"", &format!("name = {name:?}"), 1)
            }
            _ => text,
        };
        write(&args.dir.join(path), &text, output)?;
    }
    let packs: String =
        args.pack.iter().map(|folder| format!(" --pack {}", folder.display())).collect();
    output.line(format_args!(
        "\nnext: promptline diff{packs} --overlay {} --provider anthropic --model claude-sonnet-4-5",
        args.dir.display()
    ))
}

fn write(path: &Path, text: &str, output: &mut Output) -> Result<(), Failure> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, text)).map_err(|error| {
        Failure::Said(format!("{}: the file cannot be written: {error}", path.display()))
    })?;
    output.line(format_args!("wrote {}", path.display()))
}

fn pack(args: &NewArgs, output: &mut Output) -> Result<(), Failure> {
    let shown = args.dir.display().to_string();
    let name = name(args)?;
    must_be_empty(&args.dir)?;
    for (path, text) in tutorial::FILES {
        // Commands name the folder, everything else the pack.
        let text = text
            .replace("--pack mine", "--pack \0")
            .replace("--context mine/", "--context \0/")
            .replace(NAME, &name)
            .replace('\0', &shown);
        let path = args.dir.join(path.replace(NAME, &name));
        write(&path, &text, output)?;
    }
    output.line(format_args!(
        "\nnext: promptline render --pack {shown} --flag {name} --provider openai --model gpt-5"
    ))
}

/// A name that can be an id, a flag and the name of a folder.
fn name(args: &NewArgs) -> Result<String, Failure> {
    let folder = || args.dir.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = args.name.clone().or_else(folder).unwrap_or_default();
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    if starts && name.chars().all(fits) {
        return Ok(name);
    }
    let name = name.escape_debug();
    Err(Failure::Said(format!(
        "`{name}` cannot be the name of a pack\nhelp: a name begins with a-z and goes on with a-z, \
         0-9, `-`, `_`; give one with --name"
    )))
}

fn must_be_empty(folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Said(format!(
            "the folder {shown} is not empty\nhelp: name one that is not there yet"
        ))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::Said(format!("{shown}: the folder cannot be read: {error}"))),
    }
}
