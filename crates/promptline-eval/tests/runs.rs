//! Runs: resumed, sharded, merged, replayed; infrastructure apart from failures; labels' canary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the helpers of a test fail as the test does, and say what they ran"
)]

use std::path::Path;
use std::sync::Mutex;

use promptline_eval::gate::Verdict;
use promptline_eval::report::{Judged, html, junit, markdown};
use promptline_eval::run::{Journal, Run, Runner};
use promptline_eval::suite::parse;
use promptline_eval::version::{Canary, Decision, Outcomes};
use promptline_eval::{ErrorKind, Prompt, Suite, collect, promptfoo};
use promptline_model::{
    ChatModel, ChatRequest, ChatResponse, ModelError, ModelErrorKind, Scripted, ToolCall,
    async_trait,
};

/// Counts what it is asked, and fails from a number of answers on.
struct Counted {
    asked: Mutex<Vec<String>>,
    fails_from: usize,
}

impl Counted {
    fn new(fails_from: usize) -> Self {
        Self { asked: Mutex::new(Vec::new()), fails_from }
    }
}

#[async_trait]
impl ChatModel for Counted {
    async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError> {
        let mut asked = self.asked.lock().unwrap();
        if asked.len() >= self.fails_from {
            return Err(ModelError::new(ModelErrorKind::RateLimit, "too many requests"));
        }
        let question =
            request.messages.last().map(|message| message.text.clone()).unwrap_or_default();
        asked.push(format!("{question}#{}", request.repeat));
        Ok(ChatResponse::new(format!("answer to {question}")))
    }

    fn id(&self) -> Option<&str> {
        Some("counted")
    }
}

fn suite(count: usize, more: &str) -> Suite {
    let cases: String = (0..count)
        .map(|n| format!("  - {{id: 'c{n}', query: 'question {n}', must_contain: answer}}\n"))
        .collect();
    parse("s.yaml", format!("suite: s\n{more}cases:\n{cases}").as_bytes(), Path::new("")).unwrap()
}

fn run(runner: &Runner<'_>, suite: &Suite, model: &dyn ChatModel) -> Run {
    pollster::block_on(runner.run(suite, &Prompt::of(suite).unwrap(), model)).unwrap()
}

#[test]
fn a_run_that_was_interrupted_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.jsonl");
    let suite = suite(50, "repeat: 2\n");
    let first = Counted::new(37);
    let broken = run(
        &Runner::new().with_concurrency(4).with_journal(Journal::open(&file).unwrap()),
        &suite,
        &first,
    );
    let report = suite.gate.judge(&suite, &broken, None);
    assert_eq!((report.verdict, report.errors), (Verdict::Infrastructure, 63));
    assert_eq!(report.pass_rate.of, 37, "a request without an answer is no failure");
    // The kill cut off a line.
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.extend(b"{\"case\": \"c49\", \"rep");
    std::fs::write(&file, bytes).unwrap();
    let second = Counted::new(usize::MAX);
    let whole = run(&Runner::new().with_journal(Journal::open(&file).unwrap()), &suite, &second);
    let mut asked = first.asked.into_inner().unwrap();
    asked.extend(second.asked.into_inner().unwrap());
    assert_eq!(asked.len(), 100);
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), 100, "each request once");
    assert_eq!(whole.rows.len(), 100);
    assert_eq!(whole.rows[3].case, "c1", "in the suite's order");
    assert_eq!(suite.gate.judge(&suite, &whole, None).verdict, Verdict::Pass);
    // Of another suite it is refused.
    let other = self::suite(3, "");
    let refused =
        pollster::block_on(Runner::new().with_journal(Journal::open(&file).unwrap()).run(
            &other,
            &Prompt::of(&other).unwrap(),
            &Counted::new(9),
        ));
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Journal);
}

#[test]
fn shards_merge_to_the_whole() {
    let suite = suite(10, "");
    let model = Counted::new(usize::MAX);
    let whole = run(&Runner::new(), &suite, &model);
    let shards: Vec<Run> =
        (1..=3).map(|n| run(&Runner::new().with_shard(n, 3), &suite, &model)).collect();
    assert_eq!(Run::merge(shards.clone(), Some(&suite)).unwrap(), whole);
    assert!(Run::merge(vec![shards[0].clone(), shards[0].clone()], Some(&suite)).is_err(), "twice");
}

#[test]
fn flaky_is_shown_and_no_repeat_makes_red_green() {
    let text =
        "suite: s\nrepeat: 3\ncases:\n  - {id: a, query: q, must_contain: 'yes', critical: true}\n";
    let suite = parse("s.yaml", text.as_bytes(), Path::new("")).unwrap();
    let model = Scripted::new().says("yes").says("no").says("yes");
    let found = run(&Runner::new(), &suite, &model);
    let report = suite.gate.judge(&suite, &found, None);
    assert_eq!(report.flaky, ["a"]);
    assert_eq!(report.verdict, Verdict::Fail);
    assert!(report.reasons[0].contains("critical"), "{:?}", report.reasons);
}

#[test]
fn an_interval_over_the_bound_is_inconclusive_and_says_what_would_settle_it() {
    let suite = suite(10, "");
    let report = suite.gate.judge(&suite, &run(&Runner::new(), &suite, &Counted::new(99)), None);
    assert_eq!(report.verdict, Verdict::Inconclusive);
    assert!(report.reasons[0].contains("--repeat 3"), "{:?}", report.reasons);
    let point = self::suite(10, "gate: {confidence: point}\n");
    let report = point.gate.judge(&point, &run(&Runner::new(), &point, &Counted::new(99)), None);
    assert_eq!(report.verdict, Verdict::Pass);
}

#[test]
fn calls_of_tools_in_data_and_in_text() {
    let text = "suite: s\ncases:\n  - id: a\n    query: q\n    tool_calls: [{name: read_file, arguments: {path: a.rs}}]\n";
    let suite = parse("s.yaml", text.as_bytes(), Path::new("")).unwrap();
    let native = ChatResponse::new("").tool_call(ToolCall::new(
        "1",
        "read_file",
        serde_json::json!({"path": "a.rs", "x": 1}),
    ));
    let wrong = ChatResponse::new("").tool_call(ToolCall::new(
        "1",
        "read_file",
        serde_json::json!({"path": "b.rs"}),
    ));
    for (response, pass) in [
        (native, true),
        (wrong, false),
        (ChatResponse::new("<read_file>\n<path>a.rs</path>\n</read_file>"), true),
        (ChatResponse::new("I read it."), false),
    ] {
        let found = run(&Runner::new(), &suite, &Scripted::new().answers(response));
        assert_eq!(found.rows[0].pass, pass, "{:?}", found.rows[0]);
        assert!(!found.rows[0].refusal.refused);
    }
}

#[cfg(unix)]
#[test]
fn a_program_checks_an_answer() {
    let text = "suite: s\ncases:\n  - {id: a, query: q, exec: [sh, -c, 'grep -q good']}\n";
    let suite = parse("s.yaml", text.as_bytes(), Path::new("")).unwrap();
    assert!(run(&Runner::new(), &suite, &Scripted::new().says("good")).rows[0].pass);
    assert!(!run(&Runner::new(), &suite, &Scripted::new().says("bad")).rows[0].pass);
}

#[test]
fn reports_hold_hostile_answers() {
    let suite = suite(3, "");
    let hostile = "<script>alert(1)</script>\u{1}\u{b}]]> | `x` @everyone\n# title";
    let model = Scripted::new().says(hostile).says("answer").says(hostile);
    let found = run(&Runner::new(), &suite, &model);
    let gate = suite.gate.judge(&suite, &found, None);
    let judged = Judged::new(found, gate);
    let xml = junit(&judged).unwrap();
    assert!(xml.contains("tests=\"3\"") && xml.contains("failures=\"2\""), "{xml}");
    assert!(!xml.contains('\u{1}'));
    let page = html(&judged, None).unwrap();
    assert!(!page.contains("<script>alert") && page.contains("&#60;script&#62;alert"));
    let text = markdown(&judged);
    assert!(!text.contains("@everyone") && !text.contains("<script>"), "{text}");
    let json = serde_json::to_string(&judged).unwrap();
    assert_eq!(serde_json::from_str::<Judged>(&json).unwrap(), judged);
}

#[test]
fn a_canary_is_sticky_and_only_grows() {
    let share = |percent: f64| {
        (0..10_000).filter(|n| Canary::new(percent, "s").takes(&format!("session-{n}"))).count()
    };
    assert!((900..1_100).contains(&share(10.0)), "{}", share(10.0));
    assert_eq!((share(0.0), share(100.0)), (0, 10_000));
    for n in 0..1_000 {
        let session = format!("session-{n}");
        assert!(!Canary::new(10.0, "s").takes(&session) || Canary::new(30.0, "s").takes(&session));
    }
    let decide = |stable: (u64, u64), canary: (u64, u64)| {
        Canary::decide(
            Outcomes::new(stable.0, stable.1),
            Outcomes::new(canary.0, canary.1),
            500,
            0.02,
        )
    };
    assert_eq!(decide((50, 1_000), (30, 100)), Decision::RollBack);
    assert_eq!(decide((5, 100), (5, 100)), Decision::Hold);
    assert_eq!(decide((100, 10_000), (100, 10_000)), Decision::Promote);
    assert_eq!(decide((25, 500), (25, 500)), Decision::Hold);
}

#[test]
fn cases_are_proposed_from_a_log() {
    let line = |query: &str, answer: &str| {
        serde_json::json!({"query": query, "answer": answer}).to_string()
    };
    let refused = "抱歉，我无法回答这个问题。";
    let log = [
        line("订单12345什么时候发货？", refused),
        line("订单67890什么时候发货?", refused),
        line("我的手机号13812345678怎么改绑？", refused),
        line("我的手机号13987654321怎么改绑？", refused),
        line("满多少包邮？", "满99包邮。"),
        line("怎么开发票？", refused),
    ]
    .join("\n");
    let found = collect::collect(&log, &[], 2).unwrap();
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().any(|one| one.personal.contains(&"phone")));
    assert_eq!(
        collect::collect(&log, &[String::from("订单1什么时候发货")], 2).unwrap().len(),
        1,
        "known ones are left out"
    );
    assert!(collect::to_yaml(&found).contains("PERSONAL DATA: phone"));
}

#[test]
fn a_suite_goes_to_promptfoo_and_comes_back() {
    let text = "suite: s\nprompt: {text: 'Say {{ name }} {% raw %} and {% endraw %}.', params: {name: '{{x}}'}}\ncases:\n  - {id: a, query: '{{q}} {% if %}', must_contain: '{{b', assert: [{type: regex, value: '^a'}]}\n";
    let suite = parse("s.yaml", text.as_bytes(), Path::new("")).unwrap();
    let prompt = Prompt::of(&suite).unwrap();
    assert_eq!(prompt.text, "Say {{x}} {% raw %} and {% endraw %}.");
    let export = promptfoo::export(&suite, &prompt, &serde_json::json!(["echo"]));
    assert_eq!(
        export.prompt[0]["content"],
        "{% raw %}Say {{x}} {% raw %} and {% endraw %}{{ '{%' }}{% raw %} endraw %}.{% endraw %}"
    );
    assert_eq!(export.config["tests"][0]["vars"]["q"], "{{q}} {% if %}");
    let (yaml, losses) = promptfoo::import(&export.config.to_string()).unwrap();
    let back = parse("back.yaml", yaml.as_bytes(), Path::new("")).unwrap();
    assert_eq!(back.cases[0].query.as_deref(), Some("{{q}} {% if %}"));
    assert_eq!(back.cases[0].assertions.len(), 2);
    assert!(losses.iter().any(|loss| loss.contains("providers")));
}
