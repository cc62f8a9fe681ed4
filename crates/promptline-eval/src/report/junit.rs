//! JUnit: a test case for each answer.

use std::fmt::Write as _;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Judged, excerpt};

/// The report as JUnit XML.
///
/// # Errors
/// When it cannot be written as XML.
pub fn junit(judged: &Judged) -> Result<String, String> {
    let run = &judged.run;
    let mut suite =
        TestSuite::new(format!("{} [{} {}]", run.suite, run.model, run.prompt.short_version()));
    for row in &run.rows {
        let mut status = match (&row.error, row.pass) {
            (Some(_), _) => TestCaseStatus::non_success(NonSuccessKind::Error),
            (None, true) => TestCaseStatus::success(),
            (None, false) => TestCaseStatus::non_success(NonSuccessKind::Failure),
        };
        if let Some(error) = &row.error {
            status.set_type(error.kind.clone()).set_message(error.message.clone());
        } else if !row.pass {
            let failed: Vec<_> = row.checks.iter().filter(|check| !check.pass).collect();
            let first = failed.first().map(|check| check.reason.clone()).unwrap_or_default();
            let mut text = String::new();
            for check in &failed {
                let _ = writeln!(text, "{}: {}", check.kind, check.reason);
                if let Some(near) = check.nearest.clone().and_then(|range| row.answer.get(range)) {
                    let _ = writeln!(text, "    nearest: {near}");
                }
            }
            let _ = write!(text, "answer: {}", excerpt(&row.answer, 500));
            status.set_type("assertion").set_message(first).set_description(text);
        }
        let name = if row.repeat > 0 {
            format!("{} #{}", row.case, row.repeat + 1)
        } else {
            row.case.clone()
        };
        let mut case = TestCase::new(name, status);
        case.set_classname(run.suite.clone());
        if let Some(ms) = row.latency_ms.filter(|ms| ms.is_finite() && *ms >= 0.0) {
            case.set_time(std::time::Duration::from_secs_f64(ms / 1000.0));
        }
        suite.add_test_case(case);
    }
    let mut report = Report::new("promptline eval");
    report.add_test_suite(suite);
    report.to_string().map_err(|error| error.to_string())
}
