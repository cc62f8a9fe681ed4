//! A host in a few lines: a chat loop over a session in a file. It is stopped in mid-conversation, started again, and
//! goes on from the summary: "刚才说到哪了" (where were we?).
//!
//! The model is scripted, so that the example runs anywhere; put a real `ChatModel` in its place.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::path::Path;
use std::sync::Arc;

use promptline_model::{ChatModel, ChatRequest, Scripted};
use promptline_session::{
    Compactor, ContextBudget, ContextBuilder, Error, ModelSummarizer, Role, SessionId, Slot, Slots,
    Tiered, TurnId, Wording, async_trait,
};

/// Answers from what it is shown, and from nothing else.
struct Support;

#[async_trait]
impl ChatModel for Support {
    async fn complete(
        &self,
        request: ChatRequest,
    ) -> Result<promptline_model::ChatResponse, promptline_model::ModelError> {
        let shown: Vec<&str> =
            request.messages.iter().map(|message| message.text.as_str()).collect();
        let question = shown.last().copied().unwrap_or_default();
        let notes =
            shown.iter().find_map(|text| text.split_once("此前对话摘要：")).map(|(_, notes)| notes);
        let answer = match (question.contains("刚才说到哪了"), notes) {
            (true, Some(notes)) => {
                format!("我们说到：{}", notes.trim().lines().next().unwrap_or_default())
            }
            (true, None) => "请重新描述您的问题。".to_owned(),
            (false, _) => "收到，请继续。".to_owned(),
        };
        Ok(promptline_model::ChatResponse::new(answer))
    }
}

struct Host {
    sessions: Tiered,
    compactor: Compactor,
    context: ContextBuilder,
    model: Support,
}

impl Host {
    async fn start(file: &Path) -> Result<Self, Error> {
        let sessions = Tiered::open(&format!("sqlite:{}", file.display())).await?;
        let slots = Slots::new([
            Slot::new("设备型号", "用户的设备型号"),
            Slot::new("故障现象", "设备的故障现象"),
            Slot::new("已尝试操作", "用户已经尝试过的操作"),
        ])?;
        let script = r#"{"summary": "用户的 LaserJet M404 卡纸，已重启并清理进纸口，仍报错 13.20。", "facts": [
            {"slot": "设备型号", "value": "LaserJet M404", "turn": "m1", "quote": "LaserJet M404", "confidence": 0.95}]}"#;
        let summarizer = ModelSummarizer::new(Arc::new(Scripted::new().says(script)))
            .wording(Wording::chinese());
        let compactor = Compactor::new(Arc::new(sessions.clone()))
            .summarizer(Arc::new(summarizer))
            .slots(slots.clone())
            .recent_keep(1);
        let context = ContextBuilder::new()
            .slots(slots)
            .wording(Wording::chinese())
            .constraint("不确定时不要编造。");
        Ok(Self { sessions, compactor, context, model: Support })
    }

    async fn say(&self, id: &SessionId, message: &str, text: &str) -> Result<String, Error> {
        let session = self.sessions.open_session(id).await?;
        let context =
            self.context.assemble(&session, "你是工单助手。", text, &ContextBudget::new(8_000))?;
        let mut request = ChatRequest::new();
        for block in &context.system {
            request = request.system(block.text.as_str());
        }
        for message in &context.messages {
            for text in message.texts() {
                request = match message.role {
                    Role::Assistant => request.assistant(text),
                    // The reminder of the rules goes with what the user says; this model reads the last text.
                    _ if text.starts_with("<session-reminder") => request.system(text),
                    _ => request.user(text),
                };
            }
        }
        // The question is the last thing that the scripted model looks at.
        let answer = self.model.complete(request.user(text)).await;
        let answer = answer
            .map_err(|error| {
                Error::new(promptline_session::ErrorKind::Unavailable, error.to_string())
            })?
            .text;
        let turn = context.turn(TurnId::new(message)?).assistant(answer.as_str());
        self.sessions.commit_turn(&session, turn).await?;
        self.compactor.notify(id);
        Ok(answer)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("chat.db");
    let id = SessionId::new("工单-42")?;
    {
        let host = Host::start(&file).await?;
        for (message, text) in [
            ("m1", "我的打印机是 LaserJet M404，一直卡纸"),
            ("m2", "重启过了，进纸口也清理了"),
            ("m3", "还是报错 13.20"),
            ("m4", "稍等，我接个电话"),
        ] {
            println!("用户：{text}\n助手：{}", host.say(&id, message, text).await?);
        }
        // An hour later: whoever is idle is summarized.
        host.compactor.compact_now(&id).await?;
        println!("（进程重启）");
    }
    let host = Host::start(&file).await?;
    let answer = host.say(&id, "m5", "刚才说到哪了").await?;
    println!("用户：刚才说到哪了\n助手：{answer}");
    assert!(
        answer.contains("LaserJet M404") && answer.contains("13.20"),
        "it has forgotten: {answer}"
    );
    Ok(())
}
