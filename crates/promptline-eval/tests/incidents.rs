//! The three incidents of the seed: one word changed, another model, a figure in the prompt.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the helpers of a test fail as the test does, and say what they ran"
)]

use std::path::Path;

use promptline_eval::baseline::Baseline;
use promptline_eval::gate::{Report, Verdict};
use promptline_eval::run::{Run, Runner};
use promptline_eval::suite::parse;
use promptline_eval::version::{Author, History, Version};
use promptline_eval::{ErrorKind, Prompt, Suite, diff};
use promptline_model::{ChatModel, ChatRequest, ChatResponse, ModelError, Role, async_trait};

const REFUSAL: &str = "抱歉，这个问题我无法回答。";

/// A shop's model: it refuses more when it is told to be short, and says what the prompt says about shipping.
struct Shop {
    id: &'static str,
}

#[async_trait]
impl ChatModel for Shop {
    async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError> {
        let text = |role| {
            let message = request.messages.iter().find(|message| message.role == role);
            message.map(|message| message.text.clone()).unwrap_or_default()
        };
        let (system, question) = (text(Role::System), text(Role::User));
        let number: u32 =
            question.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
        let refused = if system.contains("简短") { 30 } else { 5 };
        if number % 100 < refused {
            return Ok(ChatResponse::new(REFUSAL));
        }
        let threshold = if system.contains("满79") { "79" } else { "99" };
        Ok(ChatResponse::new(format!("您好，订单满{threshold}元包邮。")))
    }

    fn id(&self) -> Option<&str> {
        Some(self.id)
    }
}

fn suite(prompt: &str, cases: &str) -> Suite {
    let text = format!("suite: 客服\nprompt: {prompt}\ncases:\n{cases}");
    let suite = parse("suite.yaml", text.as_bytes(), Path::new("")).unwrap();
    let errors: Vec<String> =
        suite.check().iter().map(ToString::to_string).filter(|one| one.contains("error")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    suite
}

/// A hundred questions that expect nothing but are counted: the pass rate holds whatever is refused.
fn questions() -> String {
    (0..100)
        .map(|n| format!("  - {{id: 'q{n}', query: '第{n}个问题：怎么包邮？', refusal_max: 1}}\n"))
        .collect()
}

fn run(suite: &Suite, model: &dyn ChatModel) -> (Run, Report) {
    let prompt = Prompt::of(suite).unwrap();
    let run = pollster::block_on(Runner::new().run(suite, &prompt, model)).unwrap();
    let report = suite.gate.judge(suite, &run, None);
    (run, report)
}

#[test]
fn one_word_changed() {
    let shop = Shop { id: "shop-1" };
    let before = suite("{text: 你是客服。请简洁回答。}", &questions());
    let after = suite("{text: 你是客服。请简短回答。}", &questions());
    let (old, _) = run(&before, &shop);
    let (new, report) = run(&after, &shop);
    assert_eq!(report.verdict, Verdict::Fail);
    assert!((report.pass_rate.share - 1.0).abs() < 1e-9, "the pass rate holds");
    assert!((report.refusal_rate.share - 0.30).abs() < 1e-9);
    assert!(report.reasons[0].contains("refusal rate 30.0 %"), "{:?}", report.reasons);
    let comparison = Baseline::bless(&old, "known good").compare(&new);
    assert!(comparison.refusals_p < 1e-5);
    let found = diff::diff(&old, &new);
    assert_eq!(found.sentences.len(), 1);
    assert_eq!(
        (found.sentences[0].before.as_str(), found.sentences[0].after.as_str()),
        ("请简洁回答。", "请简短回答。")
    );
}

#[test]
fn the_changed_word_goes_with_its_failures() {
    let shop = Shop { id: "shop-1" };
    let cases: String = (0..100)
        .map(|n| format!("  - {{id: 'q{n}', query: '第{n}个问题', must_contain: 包邮}}\n"))
        .collect();
    let (old, _) = run(&suite("{text: 你是客服。请简洁回答。}", &cases), &shop);
    let after = suite("{text: 你是客服。请简短回答。}", &cases);
    let (new, _) = run(&after, &shop);
    let baseline = Baseline::bless(&old, "known good");
    let report = after.gate.judge(&after, &new, Some(&baseline));
    let comparison = report.comparison.unwrap();
    assert_eq!((comparison.newly_failing.len(), comparison.fixed.len()), (25, 0));
    assert!(comparison.p < 1e-6);
    assert_eq!(diff::diff(&old, &new).sentences[0].failures.len(), 25);
}

#[test]
fn another_model_without_a_report() {
    let cases: String = (20..80)
        .map(|n| format!("  - {{id: 'q{n}', query: '第{n}个问题', must_contain: 包邮}}\n"))
        .collect();
    let suite = suite("{text: 你是客服。请简洁回答。}", &cases);
    let (run, report) = run(&suite, &Shop { id: "gpt-3.5" });
    assert_eq!(report.verdict, Verdict::Pass, "{:?}", report.reasons);
    let author = || Author::new("ada", "2026-12-01", "release");
    let mut history = History::default();
    let proven = Version::of(&run);
    let mut other = proven.clone();
    other.model = String::from("local-7b");
    let refused =
        history.set("production", other.clone(), Some((&run, &report)), author()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unvalidated);
    assert!(refused.to_string().contains("untested on another"));
    assert!(history.set("production", other.clone(), None, author()).is_err());
    assert!(
        history
            .set("production", other.clone(), None, Author::new("ada", "", "").with_force(true))
            .is_err()
    );
    assert!(history.moves().is_empty());
    history.set("production", proven.clone(), Some((&run, &report)), author()).unwrap();
    // By force, with a reason, and it says so for ever.
    let forced = history.set("production", other, None, author().with_force(true)).unwrap();
    assert!(forced.forced && forced.from.as_ref() == Some(&proven));
    history.roll_back("production", author()).unwrap();
    assert_eq!(history.current("production"), Some(&proven));
    let lines: String =
        history.moves().iter().map(|one| serde_json::to_string(one).unwrap() + "\n").collect();
    assert_eq!(History::read(&lines).unwrap(), history);
    // A baseline of another model is stale.
    let (swapped, _) = self::run(&suite, &Shop { id: "local-7b" });
    let judged = suite.gate.judge(&suite, &swapped, Some(&Baseline::bless(&run, "known good")));
    assert_eq!(judged.verdict, Verdict::Stale);
    assert_eq!(judged.verdict.exit_code(), 4);
}

#[test]
fn the_threshold_in_the_prompt() {
    let shop = Shop { id: "shop-1" };
    // Operations have moved the threshold to 79: that is what the suite asks for.
    let cases: String = (20..80)
        .map(|n| format!("  - {{id: 'q{n}', query: '第{n}个问题', must_contain: 满79, must_not_contain: 满99, critical: true}}\n"))
        .collect();
    let (stale, failed) = run(&suite("{text: 你是客服。满99包邮。}", &cases), &shop);
    assert_eq!(failed.verdict, Verdict::Fail);
    assert!(
        stale.rows[0].checks[0].nearest.is_some(),
        "the nearest part is found: {:?}",
        stale.rows[0]
    );
    let with = |threshold: u32| {
        format!(
            "{{text: '你是客服。满{{{{threshold}}}}包邮。', params: {{threshold: {threshold}}}}}"
        )
    };
    let (old, failed) = run(&suite(&with(99), &cases), &shop);
    assert_eq!(failed.verdict, Verdict::Fail);
    let (new, passed) = run(&suite(&with(79), &cases), &shop);
    assert_eq!(passed.verdict, Verdict::Pass, "{:?}", passed.reasons);
    // The prompt is the same version; only its parameters differ.
    assert_eq!(old.prompt.version, new.prompt.version);
    assert_ne!(old.prompt.params, new.prompt.params);
}
