//! Reports: on the terminal and as files; `merge`, `report` and `diff`.

use promptline_eval::baseline::Baseline;
use promptline_eval::diff;
use promptline_eval::gate::{Rate, Verdict};
use promptline_eval::report::{Judged, html, junit, markdown};
use promptline_eval::run::{Run, Status};

use super::args::{DiffArgs, MergeArgs, ReportArgs, ReportFiles};
use super::files;
use crate::output::{Failure, Output, harmless};

pub(super) fn finish(judged: &Judged) -> Result<(), Failure> {
    match judged.gate.verdict {
        Verdict::Pass => Ok(()),
        other => Err(Failure::Code(other.exit_code())),
    }
}

pub(super) fn write(
    judged: &Judged,
    baseline: Option<&Baseline>,
    files: &ReportFiles,
    output: &mut Output,
) -> Result<(), Failure> {
    if let Some(file) = &files.report {
        let json = serde_json::to_string_pretty(judged)
            .map_err(|error| Failure::Said(error.to_string()))?;
        files::write(file, &(json + "\n"))?;
    }
    if let Some(file) = &files.junit {
        files::write(file, &junit(judged).map_err(Failure::Said)?)?;
    }
    if let Some(file) = &files.markdown {
        files::write(file, &markdown(judged))?;
    }
    if let Some(file) = &files.html {
        files::write(file, &html(judged, baseline).map_err(Failure::Said)?)?;
    }
    if files.json { output.json(judged) } else { terminal(judged, output) }
}

fn terminal(judged: &Judged, output: &mut Output) -> Result<(), Failure> {
    let Judged { gate, run, .. } = judged;
    for (id, rows) in run.by_case() {
        let word = match Status::of(&rows) {
            Status::Pass => continue,
            Status::Flaky => "flaky",
            Status::Error => "error",
            _ => "FAIL",
        };
        output.line(format!("{word:5} {}", harmless(id)))?;
        if let Some(row) = rows.iter().find(|row| !row.pass) {
            if let Some(error) = &row.error {
                output.line(format!(
                    "      no answer ({}): {}",
                    error.kind,
                    harmless(&error.message)
                ))?;
            }
            for check in row.checks.iter().filter(|check| !check.pass) {
                output.line(format!("      {}: {}", check.kind, harmless(&check.reason)))?;
                if let Some(near) = check.nearest.clone().and_then(|range| row.answer.get(range)) {
                    output.line(format!("      nearest: {}", harmless(near)))?;
                }
            }
            if row.error.is_none() {
                let answer: String = row.answer.chars().take(160).collect();
                output.line(format!("      answer: {}", harmless(&answer.replace('\n', " "))))?;
            }
        }
    }
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    for (name, rate) in [("pass rate", &gate.pass_rate), ("refusal rate", &gate.refusal_rate)] {
        let Rate { share, hits, of, interval, .. } = rate;
        let (low, high) = (percent(interval.low), percent(interval.high));
        output.line(format!(
            "{name:13} {} ({hits} of {of}; 95 % interval {low} to {high})",
            percent(*share)
        ))?;
    }
    if let Some(comparison) = &gate.comparison {
        output.line(format!(
            "baseline      {} newly failing, {} fixed (McNemar p = {:.3}); refusals {} before, {} now (Fisher p = {:.3})",
            comparison.newly_failing.len(),
            comparison.fixed.len(),
            comparison.p,
            comparison.refusals.0,
            comparison.refusals.1,
            comparison.refusals_p
        ))?;
        if comparison.suite_changed {
            output.line("              the suites differ: only common cases are compared")?;
        }
    }
    if !gate.flaky.is_empty() {
        output.line(format!("flaky         {}", harmless(&gate.flaky.join(", "))))?;
    }
    let cost = run.cost.map(|cost| format!(", cost {cost:.4}")).unwrap_or_default();
    output.line(format!("tokens        {} in, {} out{cost}", run.usage.input, run.usage.output))?;
    output.line(format!(
        "prompt        {} on {}",
        run.prompt.short_version(),
        harmless(&run.model)
    ))?;
    output.line(format!("verdict       {}", gate.verdict))?;
    for reason in &gate.reasons {
        output.line(format!("              {}", harmless(reason)))?;
    }
    Ok(())
}

pub(super) fn merge(args: &MergeArgs, output: &mut Output) -> Result<(), Failure> {
    let suite = files::suite(&args.suite)?;
    let runs = args.inputs.iter().map(|file| files::json::<Judged>(file).map(|judged| judged.run));
    let runs = runs.collect::<Result<Vec<_>, _>>()?;
    let run = Run::merge(runs, Some(&suite)).map_err(|error| Failure::Said(error.to_string()))?;
    if run.suite_hash != suite.hash() {
        return Err(Failure::Said("the reports are of another state of the suite".to_owned()));
    }
    let missing =
        suite.cases.iter().filter(|case| !run.by_case().contains_key(case.id.as_str())).count();
    if missing > 0 {
        Output::note(&format!("{missing} cases of the suite are in no report\n"));
    }
    let baseline: Option<Baseline> = args.baseline.as_deref().map(files::json).transpose()?;
    let gate = suite.gate.judge(&suite, &run, baseline.as_ref());
    let judged = Judged::new(run, gate);
    write(&judged, baseline.as_ref(), &args.reports, output)?;
    finish(&judged)
}

pub(super) fn report(args: &ReportArgs, output: &mut Output) -> Result<(), Failure> {
    let judged: Judged = files::json(&args.input)?;
    let baseline: Option<Baseline> = args.baseline.as_deref().map(files::json).transpose()?;
    write(&judged, baseline.as_ref(), &args.reports, output)
}

pub(super) fn diff(args: &DiffArgs, output: &mut Output) -> Result<(), Failure> {
    let base: Judged = files::json(&args.base)?;
    let new: Judged = files::json(&args.new)?;
    let found = diff::diff(&base.run, &new.run);
    if args.json {
        return output.json(&found);
    }
    if let Some((before, after)) = &found.models {
        output.line(format!("model: {} -> {}", harmless(before), harmless(after)))?;
    }
    for sentence in &found.sentences {
        if !sentence.before.is_empty() {
            output.line(format!("- {}", harmless(&sentence.before)))?;
        }
        if !sentence.after.is_empty() {
            output.line(format!("+ {}", harmless(&sentence.after)))?;
        }
        if !sentence.failures.is_empty() {
            output.line(format!(
                "  newly failing with it: {}",
                harmless(&sentence.failures.join(", "))
            ))?;
        }
    }
    for case in &found.cases {
        let word = |status: Option<Status>| match status {
            None => "absent",
            Some(Status::Pass) => "pass",
            Some(Status::Fail) => "fail",
            Some(Status::Flaky) => "flaky",
            Some(_) => "error",
        };
        output.line(format!(
            "{}: {} -> {}",
            harmless(&case.id),
            word(case.before),
            word(case.after)
        ))?;
        output.line(format!("  before: {}", harmless(&case.answer_before.replace('\n', " "))))?;
        output.line(format!("  now:    {}", harmless(&case.answer_after.replace('\n', " "))))?;
        for reason in &case.failing {
            output.line(format!("  {}", harmless(reason)))?;
        }
    }
    Ok(())
}
