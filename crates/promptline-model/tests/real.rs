//! A conversation with a real small model (Qwen2.5-Coder-0.5B-Instruct behind llama.cpp), replayed. To record it anew:
//! `scripts/with-model large env PROMPTLINE_RECORD=1 cargo test -p promptline-model --features genai --test real`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "that is how a test fails, and says what it measured"
)]

use std::path::Path;
use std::sync::Arc;

use promptline_model::{
    ChatMessage, ChatModel, ChatRequest, FinishReason, GenaiModel, ModelErrorKind, Record,
    Recorded, ResponseFormat,
};
use serde_json::{Value, json};

const MODEL: &str = "qwen2.5-coder-0.5b-instruct";

/// The recording; with the server's address and `PROMPTLINE_RECORD` the server, which is recorded.
fn model() -> Recorded {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/qwen.jsonl");
    match (std::env::var("PROMPTLINE_RECORD"), std::env::var("PROMPTLINE_MODEL_URL")) {
        (Ok(_), Ok(url)) => {
            let live = GenaiModel::openai_compatible(url, MODEL).build().unwrap();
            Recorded::record(file, Arc::new(live), Record::New).unwrap()
        }
        _ => Recorded::replay(file, MODEL).unwrap(),
    }
}

fn system() -> String {
    let mut text = String::from(
        "你是一家网店的客服。只根据下面的规则回答，一句话，用中文。\n\
         You call tools by writing XML: <read_file>\n<path>the file</path>\n</read_file>\n",
    );
    for (number, rule) in [
        "满79元包邮，不足79元收6元运费。",
        "15天内无理由退换，运费由买家承担。",
        "发票在订单完成后由系统开具，三个工作日内发到邮箱。",
        "会员分为金卡和银卡，金卡九折，银卡九五折。",
        "商品质量问题由商家承担来回运费，并在七天内退款。",
        "客服不能修改订单价格，也不能承诺规则之外的赔偿。",
        "遇到不确定的问题，请顾客联系人工客服。",
    ]
    .iter()
    .enumerate()
    {
        text.push_str(&format!("{}. {rule}\n", number + 1));
    }
    text
}

fn ask(message: &str) -> ChatRequest {
    ChatRequest::new().system(system()).user(message).temperature(0.0).seed(1).max_tokens(60)
}

/// Nine tenths of what the first turn had in the window come from the cache in the second: the system prompt is the
/// same to the byte.
#[tokio::test]
async fn the_second_turn_reads_the_prompt_from_the_cache() {
    let model = model();
    let request = ask("满多少包邮？");
    let first = model.stream(request.clone()).await.unwrap().collect().await.unwrap();
    assert!(first.text.contains("79"), "{}", first.text);
    let mut request = request;
    request.messages.push(ChatMessage::from_response(&first));
    let second = model.stream(request.user("那退货呢？")).await.unwrap().collect().await.unwrap();
    let share = second.usage.cached as f64 / first.usage.input as f64;
    println!(
        "{} of {} tokens of the first turn's prompt are cached: {share:.3}",
        second.usage.cached, first.usage.input
    );
    assert!(share > 0.9, "{share}");
    assert_eq!(second.model.as_deref(), Some(MODEL));
}

#[tokio::test]
async fn json_by_a_schema_and_probabilities() {
    let schema = json!({"type": "object", "properties": {"threshold": {"type": "integer"}}, "required": ["threshold"]});
    let format = ResponseFormat::JsonSchema { name: "rule".into(), schema };
    let answer = model().complete(ask("满多少包邮？用JSON").response_format(format)).await.unwrap();
    let value: Value = serde_json::from_str(&answer.text).unwrap();
    assert!(value["threshold"].is_i64(), "{}", answer.text);
    let answer =
        model().complete(ask("读文件 src/main.rs").max_tokens(1).logprobs(20)).await.unwrap();
    assert_eq!(answer.finish, FinishReason::Length);
    assert_eq!(answer.logprobs[0].top.len(), 20);
    let sum: f64 = answer.logprobs[0].top.iter().map(|(_, logprob)| logprob.exp()).sum();
    assert!((0.5..=1.001).contains(&sum), "{sum}");
}

#[tokio::test]
async fn a_prompt_that_is_too_long_has_the_servers_figures() {
    let long = "满79元包邮。".repeat(3_000);
    let error = model().complete(ChatRequest::new().user(long)).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextLength);
    let figures = error.context().unwrap();
    assert_eq!(figures.window, Some(8192));
    assert!(figures.prompt_tokens.unwrap() > 8192);
}

#[test]
fn the_recording_holds_no_address_and_no_key() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/qwen.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    for word in ["127.0.0.1", "localhost", "http", "Bearer", "sk-", "/work", "/root", ".gguf"] {
        assert!(!text.contains(word), "{word}");
    }
}
