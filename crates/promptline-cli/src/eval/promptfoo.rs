//! promptfoo out, in, and its verdicts beside ours.

use std::path::Path;
use std::process::Command;

use promptline::PromptRegistryBuilder;
use promptline_eval::promptfoo::{
    OFFLINE, cross_check as compare, export as write_export, import as read_import,
};
use promptline_eval::run::Run;
use promptline_eval::{Prompt, Suite};
use serde_json::{Value, json};

use super::args::{ExportArgs, ImportArgs};
use super::{files, running};
use crate::output::{Failure, Output};

pub(super) fn export(registry: PromptRegistryBuilder, args: &ExportArgs) -> Result<(), Failure> {
    let suite = files::suite(&args.suite)?;
    let prompt = running::prompt(registry, &suite)?;
    std::fs::create_dir_all(&args.folder)?;
    write(&suite, &prompt, &json!([args.provider]), &args.folder)
}

fn write(suite: &Suite, prompt: &Prompt, providers: &Value, folder: &Path) -> Result<(), Failure> {
    let export = write_export(suite, prompt, providers);
    for (name, value) in [("promptfooconfig.json", &export.config), ("prompt.json", &export.prompt)]
    {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::Said(error.to_string()))?;
        files::write(&folder.join(name), &(text + "\n"))?;
    }
    for loss in &export.losses {
        Output::note(&format!("{loss}\n"));
    }
    Ok(())
}

pub(super) fn import(args: &ImportArgs, output: &mut Output) -> Result<(), Failure> {
    let (yaml, losses) = read_import(&files::text(&args.file)?)
        .map_err(|error| Failure::Said(format!("{}: {error}", args.file.display())))?;
    for loss in &losses {
        Output::note(&format!("{loss}\n"));
    }
    output.write(&yaml)
}

/// Runs promptfoo offline on the answers of a run and compares its verdicts with ours.
pub(super) fn cross_check(
    program: &Path,
    suite: &Suite,
    prompt: &Prompt,
    run: &Run,
) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("promptline-promptfoo-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let checked = in_folder(program, suite, prompt, run, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    let (compared, differing) = checked?;
    Output::note(&format!(
        "promptfoo: {compared} assertions compared, {} differ\n",
        differing.len()
    ));
    for line in &differing {
        Output::note(&format!("  {line}\n"));
    }
    if differing.is_empty() { Ok(()) } else { Err(Failure::Found) }
}

fn in_folder(
    program: &Path,
    suite: &Suite,
    prompt: &Prompt,
    run: &Run,
    folder: &Path,
) -> Result<(usize, Vec<String>), Failure> {
    // A provider that says what our model said, by the question.
    let answers: serde_json::Map<String, Value> = run
        .rows
        .iter()
        .filter(|row| row.repeat == 0)
        .filter_map(|row| {
            let case = suite.cases.iter().find(|case| case.id == row.case)?;
            Some((case.question().to_owned(), Value::from(row.answer.as_str())))
        })
        .collect();
    files::write(&folder.join("answers.json"), &Value::Object(answers).to_string())?;
    files::write(
        &folder.join("answers.cjs"),
        "const answers = require('./answers.json');\n\
         module.exports = class {\n  id() { return 'recorded'; }\n\
         async callApi(prompt, context) { return { output: answers[context.vars.q] }; }\n};\n",
    )?;
    write(suite, prompt, &json!(["file://answers.cjs"]), folder)?;
    let mut command = Command::new(program);
    command
        .args(["eval", "-c", "promptfooconfig.json", "-o", "out.json"])
        .args(["--no-progress-bar", "--no-table", "--no-write", "--no-cache"])
        .current_dir(folder)
        .env("PROMPTFOO_CONFIG_DIR", folder.join("config"));
    for (name, value) in OFFLINE {
        command.env(name, value);
    }
    let done = command.output().map_err(|error| {
        Failure::Said(format!(
            "{}: {error}\nhelp: npm install promptfoo@0.121.20, and give the path of its program",
            program.display()
        ))
    })?;
    // 100 is a failed assertion, which is no failure of promptfoo.
    if !matches!(done.status.code(), Some(0 | 100)) {
        let said = String::from_utf8_lossy(&done.stderr);
        let said: String = said.chars().take(2_000).collect();
        return Err(Failure::Said(format!("promptfoo ended with {}: {said}", done.status)));
    }
    let results: Value = files::json(&folder.join("out.json"))?;
    compare(&results, run).map_err(|error| Failure::Said(error.to_string()))
}
