//! A summarizer that asks a chat model, once for the summary and the facts.

use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use promptline_model::{ChatModel, ChatRequest};
use serde::Deserialize;
use serde_json::Value;

use super::{Summarizer, SummaryDraft, SummaryRequest};
use crate::context::{shorten_to, without_reminders};
use crate::{Error, ErrorKind, Part, Proposal, Role, Trust, TurnId, Wording};

/// Asks a [`ChatModel`]. The declared slots are asked for by name, so that what matters is not left out.
pub struct ModelSummarizer {
    model: Arc<dyn ChatModel>,
    wording: Wording,
    longest_part: usize,
}

impl fmt::Debug for ModelSummarizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelSummarizer").finish_non_exhaustive()
    }
}

impl ModelSummarizer {
    /// Asks this model, in English.
    #[must_use]
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, wording: Wording::english(), longest_part: 8_000 }
    }

    /// Asks in other words.
    #[must_use]
    pub fn wording(mut self, wording: Wording) -> Self {
        self.wording = wording;
        self
    }

    /// Sets how much of one message or tool result the model reads, in bytes. 8,000 unless set.
    #[must_use]
    pub fn longest_part(mut self, bytes: usize) -> Self {
        self.longest_part = bytes;
        self
    }

    fn request(&self, request: &SummaryRequest) -> ChatRequest {
        let words = &self.wording;
        let mut system = words.summarize.replace("{tokens}", &request.max_tokens.to_string());
        for slot in request.slots.iter() {
            let _ = write!(system, "\n- {}: {} ({})", slot.name, slot.about, slot.kind);
        }
        let _ = write!(system, "\n{}", words.summary_form);
        let mut user = String::new();
        if let Some(previous) = &request.previous {
            let _ = write!(user, "{}\n{previous}\n\n", words.summary_so_far);
        }
        let known = request.facts.iter().map(|(name, fact)| (name, &fact.value));
        let known: std::collections::BTreeMap<_, _> = known.collect();
        if !known.is_empty() {
            let known = serde_json::to_string(&known).unwrap_or_default();
            let _ = write!(user, "{}\n{known}\n\n", words.known_facts);
        }
        let _ = writeln!(user, "{}", words.turns_to_summarize);
        let bytes = |text: &str| text.len();
        for turn in &request.turns {
            let _ = writeln!(user, "<turn id={:?}>", turn.id.as_str());
            for message in &turn.messages {
                for part in &message.parts {
                    let (who, said) = match (part, message.role) {
                        (Part::Text { text, .. }, Role::User) => {
                            ("user", without_reminders(text).into_owned())
                        }
                        (Part::Text { text, .. }, _) => ("assistant", text.as_ref().to_owned()),
                        (Part::ToolCall { name, args, .. }, _) => {
                            ("call", format!("{name} {args}"))
                        }
                        (Part::ToolResult { text, .. }, _) => ("result", text.as_ref().to_owned()),
                        (Part::Other(_), _) => continue,
                    };
                    let _ =
                        writeln!(user, "{who}: {}", shorten_to(&said, self.longest_part, &bytes));
                }
            }
            user.push_str("</turn>\n");
        }
        // Room for the facts and their quotes beside the summary.
        let room = u32::try_from(request.max_tokens.saturating_mul(4)).unwrap_or(u32::MAX);
        ChatRequest::new().system(system).user(user).max_tokens(room)
    }
}

/// The answer that the model is asked for.
#[derive(Deserialize)]
struct Answer {
    summary: String,
    #[serde(default)]
    facts: Vec<AnsweredFact>,
}

#[derive(Deserialize)]
struct AnsweredFact {
    slot: String,
    value: Value,
    #[serde(default)]
    turn: String,
    #[serde(default)]
    quote: String,
    #[serde(default = "unsure")]
    confidence: f32,
}

fn unsure() -> f32 {
    0.7
}

#[async_trait]
impl Summarizer for ModelSummarizer {
    async fn summarize(&self, request: &SummaryRequest) -> Result<SummaryDraft, Error> {
        let response = self.model.complete(self.request(request)).await.map_err(|error| {
            Error::new(ErrorKind::Summarizer, "the model gave no summary").with_source(error)
        })?;
        let text = response.text.trim();
        let Some(answer) = read(text) else {
            // A model that writes no JSON may still have written a summary; it has no facts then.
            if text.starts_with(['{', '[']) || text.starts_with("```") {
                return Err(Error::new(ErrorKind::Summarizer, "the model's summary is no JSON"));
            }
            return Ok(SummaryDraft::new(text));
        };
        let facts = answer.facts.into_iter().filter_map(|fact| {
            let turn = TurnId::new(fact.turn).ok()?;
            let proposal = Proposal::quoted(Trust::Model, fact.slot, fact.value, turn, fact.quote);
            Some(proposal.confidence(fact.confidence))
        });
        Ok(SummaryDraft { text: answer.summary, facts: facts.collect() })
    }
}

/// The answer, also in a fence or behind a sentence.
fn read(text: &str) -> Option<Answer> {
    if let Ok(answer) = serde_json::from_str(text) {
        return Some(answer);
    }
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    serde_json::from_str(text.get(start..=end)?).ok()
}
