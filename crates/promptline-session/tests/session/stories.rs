//! The stories of seed 003, and what they cost.

use std::sync::Arc;

use promptline_model::Scripted;
use promptline_session::{
    CompactionPolicy, Compactor, ContextBudget, ContextBuilder, CostMeter, Facts, MemoryStore,
    ModelSummarizer, Outcome, Part, Placement, Prices, Proposal, Session, SessionStore, Slot,
    Slots, Summarizer, SummaryDraft, SummaryRequest, Tokens, Trust, TrustPolicy, Turn, TurnId,
    TurnQuery, Wording, async_trait,
};

use crate::{id, turn};

fn slots() -> Slots {
    Slots::new([
        Slot::new("身份", "用户身份，如是否成年"),
        Slot::new("设备型号", "用户的设备型号"),
        Slot::new("故障现象", "设备的故障现象"),
        Slot::new("已尝试操作", "用户已经尝试过的操作"),
        Slot::new("用户诉求", "用户想要什么"),
    ])
    .unwrap()
}

async fn loaded(store: &dyn SessionStore, name: &str) -> Session {
    store.load(&id(name)).await.unwrap().unwrap_or_else(|| Session::new(id(name)))
}

/// Said in turn 3, in the context of turn 7, whatever became of turn 3.
#[tokio::test]
async fn a_minor_stays_a_minor() {
    for (said_by_host, keep) in [(true, 3), (false, 3), (false, 1)] {
        let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
        let answer = r#"{"summary": "用户咨询劳动合同。", "facts": [
            {"slot": "身份", "value": "未成年人", "turn": "t3", "quote": "我是未成年人", "confidence": 0.95},
            {"slot": "设备型号", "value": "X-9", "turn": "t3", "quote": "型号是 X-9", "confidence": 1}]}"#;
        let summarizer = ModelSummarizer::new(Arc::new(Scripted::new().says(answer)))
            .wording(Wording::chinese());
        let compactor = Compactor::new(Arc::clone(&store))
            .slots(slots())
            .recent_keep(keep)
            .policy(CompactionPolicy::EveryN(2));
        let compactor =
            if said_by_host { compactor } else { compactor.summarizer(Arc::new(summarizer)) };
        for n in 1..=6 {
            let text = if n == 3 {
                "我是未成年人，想找暑期工".to_owned()
            } else {
                format!("第 {n} 个问题")
            };
            let session = loaded(&*store, "s").await;
            let turn = turn(&format!("t{n}"), &text);
            let mut change = session.append(turn.clone());
            if n == 3 && said_by_host {
                let mut facts = session.facts.clone();
                let proposal = Proposal::quoted(
                    Trust::User,
                    "身份",
                    "未成年人",
                    turn.id.clone(),
                    "我是未成年人",
                );
                assert_eq!(
                    facts.propose(&slots(), &TrustPolicy, &[Arc::new(turn)], proposal, 1),
                    Outcome::Accepted
                );
                change = change.facts(facts);
            }
            store.commit(&change).await.unwrap();
            if n == 6 {
                compactor.compact_now(&id("s")).await.unwrap();
            }
        }
        let session = loaded(&*store, "s").await;
        assert!(session.covered_through() >= 3, "turn 3 is still there");
        let builder = ContextBuilder::new().slots(slots()).wording(Wording::chinese());
        let context = builder
            .assemble(
                &session,
                "你是法律咨询助手。",
                "我可以自己签劳动合同吗",
                &ContextBudget::new(4_000),
            )
            .unwrap();
        let texts: Vec<&str> =
            context.messages.iter().flat_map(|message| message.texts()).collect();
        assert!(texts.iter().any(|text| text.contains("身份: \"未成年人\"")), "{texts:?}");
        // What nobody said is no fact.
        assert!(!texts.iter().any(|text| text.contains("X-9")), "{texts:?}");
    }
}

#[tokio::test]
async fn the_slots_are_asked_for_by_name() {
    let model = Arc::new(Scripted::new().says("摘要：无"));
    let request_turns = [Arc::new(turn("t1", "打印机不动了"))];
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let session = loaded(&*store, "s").await;
    store.commit(&session.append(Turn::clone(&request_turns[0]))).await.unwrap();
    let summarizer =
        ModelSummarizer::new(Arc::<Scripted>::clone(&model)).wording(Wording::chinese());
    let compactor = Compactor::new(Arc::clone(&store))
        .slots(slots())
        .summarizer(Arc::new(summarizer))
        .recent_keep(0);
    compactor.compact_now(&id("s")).await.unwrap();
    let requests = model.requests();
    for slot in ["设备型号", "故障现象", "已尝试操作", "用户诉求"] {
        assert!(requests[0].messages[0].text.contains(slot), "{slot}");
    }
    assert!(requests[0].messages[1].text.contains("打印机不动了"));
    assert_eq!(loaded(&*store, "s").await.summary.unwrap().text, "摘要：无");
}

struct Brief;

#[async_trait]
impl Summarizer for Brief {
    async fn summarize(
        &self,
        request: &SummaryRequest,
    ) -> Result<SummaryDraft, promptline_session::Error> {
        let last = request.turns.last().map(|turn| turn.id.to_string()).unwrap_or_default();
        Ok(SummaryDraft::new(format!("Until {last}. ") + &"What mattered. ".repeat(50)))
    }
}

/// 40 turns, both layouts on the same words: 5,000 tokens of system prompt, 3,000 of tools, 800 a turn.
#[tokio::test]
async fn forty_turns_cost_less_than_half_of_the_seeds_layout() {
    let tokens = Tokens::estimate();
    let (system, tools) = ("Be of help. ".repeat(1_667), "tool ".repeat(2_400));
    let rule = "始终引用法条编号";
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let compactor =
        Compactor::new(Arc::clone(&store)).summarizer(Arc::new(Brief)).summary_tokens(300);
    let builder = ContextBuilder::new().constraint(rule).constraint("Do not guess. ".repeat(40));
    let (mut ours, mut seed) = (
        CostMeter::new(Prices::default(), tokens.clone()),
        CostMeter::new(Prices::default(), tokens.clone()),
    );
    let (mut equal, mut last_prefix, mut turns) = (0, None, Vec::<Turn>::new());
    for n in 1..=40 {
        let question = format!("Question {n}: {}", "word ".repeat(300));
        let answer = format!("Answer {n}: {}", "word ".repeat(320));
        let session = loaded(&*store, "s").await;
        let context = builder
            .assemble(&session, system.as_str(), question.as_str(), &ContextBudget::new(64_000))
            .unwrap();
        ours.request(&tools, &context);
        equal += usize::from(
            last_prefix
                .replace(context.prefix_hash.clone())
                .is_none_or(|last| last == context.prefix_hash),
        );
        // The rule is the same bytes within the last 300 tokens of what is sent.
        let last = context.messages.last().unwrap();
        let Part::Text { text, .. } = last.parts.last().unwrap() else {
            panic!("no text at the end")
        };
        let at = text.rfind(rule).expect("no rule at the end");
        assert!(tokens.count(&text[at..]) <= 300, "turn {n}");

        // The seed: summary, facts and constraints in the system part, and always the last three turns. Its tools
        // come first, and are cached.
        let summary = "What mattered. ".repeat(50);
        let volatile = format!("{system}\n历史摘要：{n} {summary}\n强制约束：{rule}");
        let mut blocks = vec![(tools.clone(), true), (volatile, false)];
        for turn in turns.iter().rev().take(3).rev() {
            blocks.extend(
                turn.messages
                    .iter()
                    .flat_map(|message| message.texts())
                    .map(|text| (text.to_owned(), false)),
            );
        }
        blocks.push((question.clone(), false));
        let counted: Vec<(&str, usize, bool)> =
            blocks.iter().map(|(text, mark)| (text.as_str(), tokens.count(text), *mark)).collect();
        seed.blocks(&counted);

        let turn = context.turn(TurnId::new(format!("t{n}")).unwrap()).assistant(answer);
        store.commit(&session.append(turn.clone())).await.unwrap();
        turns.push(turn);
        compactor.compact(&id("s")).await.unwrap();
    }
    let (ours, seed) = (ours.total(), seed.total());
    let share = ours.equivalent / seed.equivalent;
    println!("layout            sent      read   written  billed-equivalent   a turn");
    for (name, bill) in [("seed 003", seed), ("promptline", ours)] {
        println!(
            "{name:12} {:9} {:9} {:9} {:18.0} {:8.0}",
            bill.sent,
            bill.read,
            bill.written,
            bill.equivalent,
            bill.equivalent / 40.0
        );
    }
    println!(
        "{:.1} % of the seed's; prefix equal in {equal} of 40 requests; {} compactions",
        share * 100.0,
        compactor.counts().compactions
    );
    assert!(share <= 0.45, "{share}");
    assert!(equal >= 36, "{equal}");
}

/// Facts pinned over 1,000 compactions are the same bytes.
#[tokio::test]
async fn pinned_facts_over_a_thousand_compactions() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let slots = Slots::new([Slot::new("身份", "x").pinned(), Slot::new("别的", "y")]).unwrap();
    let mut facts = Facts::default();
    let none: [Arc<Turn>; 0] = [];
    facts.propose(&slots, &TrustPolicy, &none, Proposal::host("身份", "未成年人"), 1);
    let bytes = serde_json::to_vec(&facts).unwrap();
    store.commit(&loaded(&*store, "s").await.append(turn("t0", "x")).facts(facts)).await.unwrap();
    let compactor =
        Compactor::new(Arc::clone(&store)).slots(slots).summarizer(Arc::new(Brief)).recent_keep(1);
    for n in 1..=1_000 {
        store
            .commit(&loaded(&*store, "s").await.append(turn(&format!("t{n}"), "x")))
            .await
            .unwrap();
        compactor.compact_now(&id("s")).await.unwrap();
    }
    assert_eq!(compactor.counts().compactions, 1_000);
    let session = loaded(&*store, "s").await;
    assert_eq!(serde_json::to_vec(&session.facts).unwrap(), bytes);
    assert_eq!(session.covered_through(), 1_000);
    assert_eq!(
        store.turns(&id("s"), TurnQuery::Last(usize::MAX)).await.unwrap().turns.len(),
        1_001
    );
}

/// The layout of the seed is there for who wants it.
#[test]
fn the_layout_of_the_seed_is_a_choice() {
    let builder =
        ContextBuilder::new().constraint("始终引用法条编号").placement(Placement::SystemEnd);
    let context = builder
        .assemble(&Session::new(id("s")), "你是助手。", "问", &ContextBudget::new(500))
        .unwrap();
    assert!(context.tail.is_none());
    assert!(context.system.last().unwrap().text.ends_with("始终引用法条编号"));
    assert_eq!(context.messages.last().unwrap().parts.len(), 1);
}
