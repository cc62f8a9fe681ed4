//! Rounds: a message of the user with everything up to the next one. They are in the context as a whole, or not at
//! all.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::json;

use super::assembled::{ContextReport, Shortened};
use super::reminder::neutral;
use super::repair::repair;
use super::shorten::{SHORTEST, shorten_part};
use super::{size, without_reminders};
use crate::{Message, Part, Role, Tokens, Turn, Wording};

/// The rounds in front, and the turns that the input continues, when it does not begin with the user.
pub(super) fn split<'t>(
    turns: &'t [Arc<Turn>],
    input: &[Message],
) -> (Vec<&'t [Arc<Turn>]>, &'t [Arc<Turn>]) {
    let mut rounds: Vec<&[Arc<Turn>]> = Vec::new();
    let mut start = 0;
    for (at, turn) in turns.iter().enumerate().skip(1) {
        if turn.opens() {
            rounds.extend(turns.get(start..at));
            start = at;
        }
    }
    rounds.extend(turns.get(start..).filter(|round| !round.is_empty()));
    let begins = input.first().is_some_and(|message| {
        let answers = message.parts.iter().any(|part| matches!(part, Part::ToolResult { .. }));
        message.role == Role::User && !answers
    });
    let continued = if begins { None } else { rounds.pop() };
    (rounds, continued.unwrap_or_default())
}

/// A round as the model sees it.
pub(super) struct Round {
    pub(super) messages: Vec<Message>,
    pub(super) seqs: Vec<u64>,
    pub(super) tokens: usize,
    notes: Notes,
}

/// What was done to a round; reported when it is used.
#[derive(Default)]
struct Notes {
    report: ContextReport,
}

impl Notes {
    fn add_to(self, report: &mut ContextReport) {
        report.shortened.extend(self.report.shortened);
        report.repaired.extend(self.report.repaired);
        report.neutralised += self.report.neutralised;
    }
}

pub(super) struct RoundView<'a> {
    pub(super) tokens: &'a Tokens,
    pub(super) wording: &'a Wording,
    /// The reminder that is valid now, and its hash.
    pub(super) reminder: Option<(&'a str, &'a str)>,
}

impl RoundView<'_> {
    /// The round that the input belongs to. The user's text is whole; results of tools give way. `Err` is what it
    /// costs at least.
    pub(super) fn newest(
        &self,
        turns: &[Arc<Turn>],
        input: &[Message],
        room: usize,
        longest: usize,
        report: &mut ContextReport,
    ) -> Result<Round, usize> {
        let mut longest_now = usize::MAX;
        loop {
            let mut round = self.round(turns, input, longest_now, true);
            if round.tokens <= room {
                std::mem::take(&mut round.notes).add_to(report);
                return Ok(round);
            }
            longest_now = match longest_now {
                usize::MAX => longest,
                SHORTEST => return Err(round.tokens),
                other => (other / 2).max(SHORTEST),
            };
        }
    }

    /// As many of the last rounds as there is room for.
    pub(super) fn kept(
        &self,
        rounds: &[&[Arc<Turn>]],
        mut room: usize,
        longest: usize,
        report: &mut ContextReport,
    ) -> Vec<Round> {
        let mut kept: Vec<Round> = Vec::new();
        let mut rounds = rounds.iter().rev();
        for turns in rounds.by_ref() {
            let mut round = self.round(turns, &[], longest, false);
            let mut shorter = longest;
            // The newest one is worth more than it is whole.
            while round.tokens > room && kept.is_empty() && shorter > SHORTEST {
                shorter = (shorter / 2).max(SHORTEST);
                round = self.round(turns, &[], shorter, false);
            }
            if round.tokens > room {
                report.left_out.extend(turns.iter().map(|turn| turn.seq));
                break;
            }
            room -= round.tokens;
            std::mem::take(&mut round.notes).add_to(report);
            kept.push(round);
        }
        report.left_out.extend(rounds.flat_map(|turns| turns.iter()).map(|turn| turn.seq));
        report.left_out.sort_unstable();
        kept.reverse();
        kept
    }

    fn round(&self, turns: &[Arc<Turn>], input: &[Message], longest: usize, newest: bool) -> Round {
        let mut notes = Notes::default();
        let mut messages = Vec::new();
        for turn in turns {
            let mut reminder =
                self.reminder.filter(|(_, hash)| turn.reminder.as_deref() == Some(hash));
            for message in &turn.messages {
                let place = Some((turn.id.as_str(), turn.seq));
                let mut shown = self.message(message, longest, newest, place, &mut notes);
                if shown.role == Role::User
                    && let Some((text, _)) = reminder.take()
                {
                    shown.parts.push(Part::text(text));
                }
                messages.push(shown);
            }
        }
        for message in input {
            messages.push(self.message(message, longest, newest, None, &mut notes));
        }
        messages.retain(|message| !message.parts.is_empty());
        let messages = repair(messages, self.wording, &mut notes.report.repaired);
        let tokens = size::of_messages(&messages, self.tokens);
        Round { messages, seqs: turns.iter().map(|turn| turn.seq).collect(), tokens, notes }
    }

    /// A message without reminders and false tags, its long parts shortened.
    fn message(
        &self,
        message: &Message,
        longest: usize,
        newest: bool,
        place: Option<(&str, u64)>,
        notes: &mut Notes,
    ) -> Message {
        let mut shown = message.clone();
        let whole = newest && message.role == Role::User;
        for part in &mut shown.parts {
            match part {
                Part::Text { text, .. } => {
                    self.text(text, if whole { usize::MAX } else { longest }, place, notes);
                }
                Part::ToolResult { text, .. } => self.text(text, longest, place, notes),
                Part::ToolCall { args, .. } => {
                    let written = args.to_string();
                    if self.is_longer(&written, longest) {
                        let cut = self.cut(&written, longest, place, notes);
                        *args = json!({ "shortened": cut });
                    }
                }
                Part::Other(value) if !whole => {
                    if size::of_part(&Part::Other(value.clone()), self.tokens) > longest {
                        let cut = self.cut(&value.to_string(), SHORTEST, place, notes);
                        *part = Part::text(cut);
                    }
                }
                Part::Other(_) => {}
            }
        }
        shown
    }

    fn text(
        &self,
        text: &mut Arc<str>,
        longest: usize,
        place: Option<(&str, u64)>,
        notes: &mut Notes,
    ) {
        let plain = without_reminders(text);
        let shown = match neutral(&plain) {
            Cow::Owned(neutral) => {
                notes.report.neutralised += 1;
                Cow::Owned(neutral)
            }
            Cow::Borrowed(_) => plain,
        };
        if self.is_longer(&shown, longest) {
            *text = self.cut(&shown, longest, place, notes).into();
        } else if let Cow::Owned(shown) = shown {
            *text = shown.into();
        }
    }

    fn is_longer(&self, text: &str, longest: usize) -> bool {
        text.len() > longest && self.tokens.count(text) > longest
    }

    fn cut(
        &self,
        text: &str,
        longest: usize,
        place: Option<(&str, u64)>,
        notes: &mut Notes,
    ) -> String {
        let count = |text: &str| self.tokens.count(text);
        let cut = shorten_part(text, longest, &count, self.wording, place);
        let seq = place.map(|(_, seq)| seq);
        notes.report.shortened.push(Shortened { seq, bytes: text.len(), kept: cut.len() });
        cut
    }
}
