//! What to download, out of a sentence: platform, quality, subtitles. A scripted model answers as real ones
//! did: politely, with a synonym for a value, and cut off.

#![allow(clippy::print_stdout, reason = "an example")]

use promptline_model::{ChatRequest, ChatResponse, FinishReason, Scripted};
use promptline_output::{Language, OutputSpec};
use serde::Deserialize;
use serde_json::json;

#[derive(Debug, Deserialize)]
struct Download {
    platform: Option<String>,
    quality: Option<String>,
    subtitle: Option<bool>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = OutputSpec::from_schema(json!({
        "type": "object",
        "properties": {
            "platform": {"enum": ["bilibili", "douyin", "youtube", "other", null]},
            "quality": {"enum": ["720p", "1080p", "4k", "best", null]},
            "subtitle": {"type": ["boolean", "null"]}
        },
        "required": ["platform", "quality", "subtitle"]
    }))?
    .synonym("quality", "高清", "1080p")?
    .synonym("platform", "B站", "bilibili")?
    .typed::<Download>();
    println!("{}\n", spec.constraint(Language::Chinese));

    let model = Scripted::new()
        .answers(ChatResponse::new("好的！\n{\"platform\": \"B站\", \"qua").finish(FinishReason::Length))
        .says("```json\n{\"platform\": \"B站\", \"quality\": \"高清\", \"subtitle\": \"true\"}\n```\n以上仅供参考");
    let request = ChatRequest::new().user("帮我下载B站这个视频，高清，带字幕").max_tokens(20);
    let answer = pollster::block_on(spec.ask_in(&model, request, Language::Chinese))?;
    match answer.value {
        Some(Download { platform, quality, subtitle }) => {
            println!("{:?}: {platform:?} {quality:?} {subtitle:?}", answer.outcome);
        }
        None => println!("nothing was found: the user chooses"),
    }
    for attempt in &answer.attempts {
        println!(
            "read: {:?}, cut off: {}",
            attempt.parsed.value,
            attempt.parsed.truncated.is_some()
        );
    }
    Ok(())
}
