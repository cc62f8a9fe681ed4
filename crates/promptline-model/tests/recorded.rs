//! Recordings: what is in the file is given again, what is not is an error, and nothing else gets into it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "that is how a test fails, and says what it measured"
)]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use pollster::block_on;
use promptline_model::{
    ChatModel, ChatRequest, ChatResponse, Chunk, ModelErrorKind, Record, Recorded, Scripted, Usage,
    request_key,
};
use serde_json::json;

fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers.jsonl");
    (folder, file)
}

fn ask(text: &str) -> ChatRequest {
    ChatRequest::new().system("Be brief.").user(text).temperature(0.1)
}

#[test]
fn what_was_recorded_is_given_again_without_the_model() {
    let (_folder, file) = file();
    let answer = ChatResponse::new("好的").usage(Usage::new(20, 2).cached(16));
    let model = Arc::new(Scripted::new().named("m").answers(answer.clone()).says("two"));
    let recorded = Recorded::record(&file, model.clone(), Record::New).unwrap();
    assert_eq!(block_on(recorded.complete(ask("一"))).unwrap(), answer);
    // The second time it is in the file.
    assert_eq!(block_on(recorded.complete(ask("一"))).unwrap(), answer);
    // The repeat index is part of the key.
    assert_eq!(block_on(recorded.complete(ask("一").repeat(1))).unwrap().text, "two");
    assert_eq!(model.requests().len(), 2);

    let replayed = Recorded::replay(&file, "m").unwrap();
    assert_eq!(replayed.len(), 2);
    assert_eq!(block_on(replayed.complete(ask("一"))).unwrap(), answer);
    let mut stream = block_on(replayed.stream(ask("一"))).unwrap();
    assert_eq!(block_on(stream.next()).unwrap().unwrap(), Chunk::Text("好的".to_owned()));
    assert_eq!(block_on(stream.collect()).unwrap(), answer);
}

#[test]
fn a_request_that_is_not_there_is_an_error_that_shows_the_nearest() {
    let (_folder, file) = file();
    let model = Scripted::new().named("m").says("a").says("b");
    let recorded = Recorded::record(&file, Arc::new(model), Record::New).unwrap();
    block_on(recorded.complete(ask("满99包邮吗？"))).unwrap();
    block_on(recorded.complete(ask("x").max_tokens(5).seed(1))).unwrap();
    let replayed = Recorded::replay(&file, "m").unwrap();
    let error = block_on(replayed.complete(ask("满79包邮吗？"))).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::NotScripted);
    let message = error.to_string().replace(&file.display().to_string(), "FILE");
    insta::assert_snapshot!(message, @r#"
    FILE has no answer to this request; the nearest recorded one differs in:
      messages[1].text: recorded "满99包邮吗？", now "满79包邮吗？"
    help: record it, with `Record::New` (`--record FILE`)
    "#);
    // Another model's answers are not this one's.
    let other = Recorded::replay(&file, "other").unwrap();
    let error = block_on(other.complete(ask("满99包邮吗？"))).unwrap_err();
    assert!(error.to_string().contains("model: recorded \"m\", now \"other\""), "{error}");
}

#[test]
fn only_refusals_of_the_request_itself_are_kept() {
    let (_folder, file) = file();
    let model = Scripted::new()
        .named("m")
        .fails(ModelErrorKind::RateLimit, "slow down")
        .fails(ModelErrorKind::BadRequest, "no such parameter; key sk-abcdefghijklmnop123")
        .says("never asked");
    let recorded = Recorded::record(&file, Arc::new(model), Record::New).unwrap();
    block_on(recorded.complete(ask("1"))).unwrap_err();
    block_on(recorded.complete(ask("2"))).unwrap_err();
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 1);
    assert!(!text.contains("sk-abc"), "{text}");
    let replayed = Recorded::replay(&file, "m").unwrap();
    let error = block_on(replayed.complete(ask("2"))).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::BadRequest);
    let error = block_on(replayed.complete(ask("1"))).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::NotScripted);
}

#[test]
fn all_replaces_what_is_there() {
    let (_folder, file) = file();
    let model = Scripted::new().named("m").says("old").says("new");
    let model: Arc<dyn ChatModel> = Arc::new(model);
    for (record, text) in [(Record::New, "old"), (Record::New, "old"), (Record::All, "new")] {
        let recorded = Recorded::record(&file, model.clone(), record).unwrap();
        assert_eq!(block_on(recorded.complete(ask("?"))).unwrap().text, text);
    }
    let replayed = Recorded::replay(&file, "m").unwrap();
    assert_eq!(block_on(replayed.complete(ask("?"))).unwrap().text, "new");
}

#[test]
fn a_stream_is_recorded_when_it_is_at_its_end() {
    let (_folder, file) = file();
    let model = Scripted::new().named("m").says("one").says("two");
    let recorded = Recorded::record(&file, Arc::new(model), Record::New).unwrap();
    drop(block_on(recorded.stream(ask("dropped"))).unwrap());
    assert!(recorded.is_empty());
    block_on(block_on(recorded.stream(ask("read"))).unwrap().collect()).unwrap();
    assert_eq!(recorded.len(), 1);
}

#[test]
fn a_line_that_a_crash_has_cut_off_is_dropped() {
    let (_folder, file) = file();
    let record = |text: &str| {
        let model = Scripted::new().named("m").says(text);
        let recorded = Recorded::record(&file, Arc::new(model), Record::New).unwrap();
        block_on(recorded.complete(ask(text))).unwrap();
    };
    record("1");
    let mut text = fs::read_to_string(&file).unwrap();
    text.push_str("{\"key\": \"cut o");
    fs::write(&file, &text).unwrap();
    assert_eq!(Recorded::replay(&file, "m").unwrap().len(), 1);
    record("2");
    assert_eq!(Recorded::replay(&file, "m").unwrap().len(), 2);
    // Within the file it is a mistake.
    fs::write(&file, format!("{{\"key\": 1}}\n{text}\n")).unwrap();
    let error = Recorded::replay(&file, "m").unwrap_err();
    assert!(error.to_string().contains(".jsonl:1: the line is no recording"), "{error}");
}

#[test]
fn keys_do_not_depend_on_the_order_of_fields() {
    let one = ask("?").extra("a", json!({"x": 1, "y": [true, {"k": 1, "j": 2}]}));
    let other = ask("?").extra("a", json!({"y": [true, {"j": 2, "k": 1}], "x": 1}));
    assert_eq!(request_key("m", &one), request_key("m", &other));
    assert_ne!(request_key("m", &one), request_key("n", &one));
    let base = request_key("m", &ask("?"));
    for other in [
        ask("?").repeat(1),
        ask("?").seed(0),
        ask("?").temperature(0.2),
        ask("?").user("!"),
        ask("?").stop("x"),
        ask("?").logprobs(3),
        ask("?").extra("grammar", "root ::= \"a\""),
    ] {
        assert_ne!(base, request_key("m", &other));
    }
    // What is never sent and changes no answer is no part of it.
    assert_eq!(base, request_key("m", &ask("?").keep_raw()));
    // A golden key: a file that was recorded once has to be found for ever.
    assert_eq!(base, "1003ab0f7eaa125725ad153410bd53fc29f44f39a7b30d4401afe6958fc237e4");
}
