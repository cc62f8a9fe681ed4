//! What is kept: baselines, labels; and cases from a log.

use std::fs::OpenOptions;
use std::io::Write as _;

use promptline_eval::baseline::Baseline;
use promptline_eval::collect;
use promptline_eval::report::Judged;
use promptline_eval::version::{Author, History, Version};

use super::args::{BlessArgs, CollectArgs, LabelArgs};
use super::{STALE, files};
use crate::output::{Failure, Output, harmless};

pub(super) fn bless(args: &BlessArgs) -> Result<(), Failure> {
    let judged: Judged = files::json(&args.input)?;
    if judged.gate.errors > 0 {
        return Err(Failure::Said(format!(
            "{} requests of this run had no answer; run it again before it is blessed",
            judged.gate.errors
        )));
    }
    let baseline = Baseline::bless(&judged.run, &args.reason);
    let json = serde_json::to_string_pretty(&baseline)
        .map_err(|error| Failure::Said(error.to_string()))?;
    files::write(&args.baseline, &(json + "\n"))?;
    Output::note(&format!(
        "blessed {} cases in {}\n",
        baseline.cases.len(),
        args.baseline.display()
    ));
    Ok(())
}

pub(super) fn label(args: &LabelArgs, output: &mut Output) -> Result<(), Failure> {
    let text = match args.history.exists() {
        true => files::text(&args.history)?,
        false => String::new(),
    };
    let mut history = History::read(&text).map_err(|error| Failure::Said(error.to_string()))?;
    let show = args.report.is_none() && !args.rollback;
    let Some(label) = args.label.as_ref().filter(|_| !show) else {
        for one in history
            .moves()
            .iter()
            .filter(|one| args.label.as_ref().is_none_or(|label| *label == one.label))
        {
            let prompt = one.to.prompt.get(..8).unwrap_or(&one.to.prompt);
            let forced = if one.forced { " (forced)" } else { "" };
            output.line(harmless(&format!(
                "{} {} -> v-{prompt} on {} by {}{forced}: {}",
                one.at, one.label, one.to.model, one.by, one.reason
            )))?;
        }
        return Ok(());
    };
    let by = args
        .by
        .clone()
        .or_else(|| std::env::var("USER").ok())
        .unwrap_or_else(|| "unknown".to_owned());
    let at = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let at = at.map(|time| format!("{}", time.as_secs())).unwrap_or_default();
    let author = Author::new(by, at, &args.reason).with_force(args.force);
    let moved = if args.rollback {
        history.roll_back(label, author)
    } else {
        let judged = args.report.as_deref().map(files::json::<Judged>).transpose()?;
        let Some(judged) = judged else {
            return Err(Failure::Said("give --report FILE".to_owned()));
        };
        let mut to = Version::of(&judged.run);
        if let Some(model) = &args.model {
            to.model.clone_from(model);
        }
        history.set(label, to, Some((&judged.run, &judged.gate)), author)
    };
    let moved = moved.map_err(|error| {
        Output::complain(&error.to_string());
        Failure::Code(STALE)
    })?;
    let line = serde_json::to_string(&moved).map_err(|error| Failure::Said(error.to_string()))?;
    let mut file = OpenOptions::new().create(true).append(true).open(&args.history)?;
    writeln!(file, "{line}")?;
    Output::note(&format!(
        "{label} -> v-{} on {}\n",
        moved.to.prompt.get(..8).unwrap_or_default(),
        moved.to.model
    ));
    Ok(())
}

pub(super) fn collect(args: &CollectArgs, output: &mut Output) -> Result<(), Failure> {
    let known = match &args.suite {
        Some(file) => {
            files::suite(file)?.cases.iter().map(|case| case.question().to_owned()).collect()
        }
        None => Vec::new(),
    };
    let proposals = collect::collect(&files::text(&args.log)?, &known, args.min)
        .map_err(|error| Failure::Said(format!("{}: {error}", args.log.display())))?;
    if args.json { output.json(&proposals) } else { output.write(&collect::to_yaml(&proposals)) }
}
