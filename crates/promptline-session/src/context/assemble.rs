//! How the context is put together, and made to fit.

use std::sync::Arc;

use super::assembled::{Assembled, ContextReport, Mark, SystemBlock, TailPlace};
use super::reminder::{TAG, constraints_text, short_hash, wrap};
use super::rounds::{self, RoundView};
use super::{ContextBudget, SystemPrompt, blocks, without_reminders};
use crate::{Error, ErrorKind, Message, Part, Role, Session, Slots, Tokens, Turn, Wording};

/// Where the constraints are said once more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Placement {
    /// Behind the user's text, or behind the last results of tools: the last thing that the model reads.
    #[default]
    LastUserTail,
    /// In a system message behind all others, where the provider takes one; where not, as `LastUserTail`.
    TrailingSystemMessage,
    /// Nowhere: they are at the end of the system part only. The layout of seed 003.
    SystemEnd,
}

/// How often the constraints are said once more. A reminder is never stored: a turn holds its hash at most, and a
/// later request writes it again from there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reminders {
    /// In every request, and in no later one again.
    #[default]
    Ephemeral,
    /// Once, again when they have changed or their turn has been summarized; seen again in later requests. For
    /// providers that cache only a request that continues the last one byte for byte.
    PersistOnChange,
    /// In every so many turns; seen again in later requests.
    EveryN(usize),
}

/// What is new in a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Input(Vec<Message>);

impl Input {
    /// Messages that are not committed yet: what the user said, and the calls and results since then. When they do
    /// not begin with the user, they continue the last turn.
    #[must_use]
    pub fn messages(messages: Vec<Message>) -> Self {
        Self(messages)
    }
}

impl<T: Into<Arc<str>>> From<T> for Input {
    fn from(text: T) -> Self {
        Self(vec![Message::user(text)])
    }
}

/// Builds contexts. One for a kind of conversation; it holds nothing of any session.
#[derive(Debug, Clone, Default)]
pub struct ContextBuilder {
    constraints: Vec<String>,
    slots: Slots,
    placement: Placement,
    reminders: Reminders,
    tokens: Tokens,
    wording: Wording,
    now_ms: u64,
}

impl ContextBuilder {
    /// No constraints, no slots, English.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule of the host that holds in every answer.
    #[must_use]
    pub fn constraint(mut self, rule: impl Into<String>) -> Self {
        self.constraints.push(rule.into());
        self
    }

    /// Sets the slots of the facts.
    #[must_use]
    pub fn slots(mut self, slots: Slots) -> Self {
        self.slots = slots;
        self
    }

    /// Sets where the constraints are said once more.
    #[must_use]
    pub fn placement(mut self, placement: Placement) -> Self {
        self.placement = placement;
        self
    }

    /// Sets how often the constraints are said once more.
    #[must_use]
    pub fn reminders(mut self, reminders: Reminders) -> Self {
        self.reminders = reminders;
        self
    }

    /// Sets who counts tokens.
    #[must_use]
    pub fn tokens(mut self, tokens: Tokens) -> Self {
        self.tokens = tokens;
        self
    }

    /// Sets the words around summary, facts and constraints.
    #[must_use]
    pub fn wording(mut self, wording: Wording) -> Self {
        self.wording = wording;
        self
    }

    /// Sets what time it is, in milliseconds since 1970: facts expire by it.
    #[must_use]
    pub fn now_ms(mut self, ms: u64) -> Self {
        self.now_ms = ms;
        self
    }

    /// The context of the next request.
    ///
    /// # Errors
    /// [`OverBudget`](ErrorKind::OverBudget) when what cannot be left out does not fit: tools, system part, notes, the
    /// input with the user's text as a whole, and the reminder; it says what they cost.
    /// [`Invalid`](ErrorKind::Invalid) when a constraint holds a tag of this crate, or the input is empty.
    pub fn assemble<'p>(
        &self,
        session: &Session,
        prompt: impl Into<SystemPrompt<'p>>,
        input: impl Into<Input>,
        budget: &ContextBudget,
    ) -> Result<Assembled, Error> {
        let (prompt, input) = (prompt.into(), input.into().0);
        self.check(&input)?;
        let tokens = &self.tokens;
        let mut report = ContextReport::default();
        let rules = constraints_text(&self.constraints, &self.wording);
        let system = system_blocks(prompt.text, &rules);
        let summary = session.summary.as_ref();
        let notes = summary.and_then(|summary| blocks::notes(summary, &self.wording));
        let reminder = (!rules.is_empty()).then(|| wrap(&rules));
        let (tail, persists) = self.tail(session, reminder.as_ref());

        report.tokens.tools = prompt.tool_tokens(tokens);
        report.tokens.system = system.iter().map(|block| tokens.count(&block.text)).sum();
        report.tokens.notes = notes.as_ref().map_or(0, |notes| MESSAGE + tokens.count(notes));
        report.tokens.tail = tail.as_ref().map_or(0, |tail| MESSAGE + tokens.count(tail));
        // The first message must be the user's, whoever began.
        let fixed = report.tokens.total() + MESSAGE + tokens.count(&self.wording.opening);
        let available = budget.available();

        let view = RoundView {
            tokens,
            wording: &self.wording,
            reminder: reminder.as_ref().map(|(text, hash)| (text.as_str(), hash.as_str())),
        };
        let (older, newest) = rounds::split(&session.turns, &input);
        let room = available.saturating_sub(fixed);
        let longest = budget.longest_part();
        let newest = view.newest(newest, &input, room, longest, &mut report).map_err(|least| {
            let (needed, of) = (fixed + least, &report.tokens);
            let message = format!(
                "the request needs {needed} tokens at least, and there are {available}: tools {}, system {}, \
                 notes {}, the input {least}, constraints at the end {}",
                of.tools, of.system, of.notes, of.tail
            );
            Error::new(ErrorKind::OverBudget { needed, budget: available }, message)
        })?;
        let kept = view.kept(&older, room - newest.tokens, longest, &mut report);
        report.tokens.turns = kept.iter().map(|round| round.tokens).sum();
        report.tokens.input = newest.tokens;
        report.kept =
            kept.iter().chain([&newest]).flat_map(|round| round.seqs.iter().copied()).collect();
        if !report.left_out.is_empty() {
            let turns = report.left_out.len();
            tracing::warn!(
                turns,
                "turns that no summary covers do not fit into the context; compact the session"
            );
        }

        let mut messages: Vec<Message> =
            kept.into_iter().chain([newest]).flat_map(|round| round.messages).collect();
        open_with(&mut messages, notes.as_deref(), &self.wording.opening);
        let mut marks = vec![Mark::System];
        if let Some((message, last)) = messages.iter().enumerate().next_back() {
            marks.push(Mark::Part { message, part: last.parts.len().saturating_sub(1) });
        }
        let tools = prompt.tools.as_deref().unwrap_or_default();
        let stable = system.iter().map(|block| block.text.as_str()).chain(notes.as_deref());
        let prefix_hash = short_hash([tools].into_iter().chain(stable));
        let mut assembled = Assembled {
            system,
            messages,
            trailing_system: None,
            marks,
            tail: None,
            prefix_hash,
            reminder: persists.then(|| reminder.map(|(_, hash)| hash)).flatten(),
            report,
            input: input.into_iter().map(as_stored).collect(),
        };
        if let Some(tail) = tail {
            self.place(&mut assembled, tail);
        }
        Ok(assembled)
    }

    fn check(&self, input: &[Message]) -> Result<(), Error> {
        if input.iter().all(|message| message.parts.is_empty()) {
            return Err(Error::invalid("the input is empty; give what the user said"));
        }
        let tag = |text: &str| text.to_ascii_lowercase().contains(&format!("<{TAG}"));
        if self.constraints.iter().any(|rule| tag(rule) || rule.trim().is_empty()) {
            let message =
                "a constraint is empty or holds `<session-`, which this crate keeps for itself";
            return Err(Error::invalid(message));
        }
        Ok(())
    }

    /// What is said at the end, and whether its reminder is to be seen again.
    fn tail(
        &self,
        session: &Session,
        reminder: Option<&(String, String)>,
    ) -> (Option<String>, bool) {
        let changes = blocks::changes(session, &self.slots, self.now_ms, &self.wording);
        let wanted = |(_, hash): &&(String, String)| {
            let reminded = |turn: &Arc<Turn>| turn.reminder.as_ref() == Some(hash);
            let mut opening = session.turns.iter().filter(|turn| turn.opens()).rev();
            match self.reminders {
                Reminders::Ephemeral => true,
                Reminders::PersistOnChange => !opening.any(reminded),
                Reminders::EveryN(n) => !opening.take(n.saturating_sub(1)).any(reminded),
            }
        };
        let reminder = reminder.filter(|_| self.placement != Placement::SystemEnd).filter(wanted);
        let persists = reminder.is_some() && self.reminders != Reminders::Ephemeral;
        let texts = [changes.as_deref(), reminder.map(|(text, _)| text.as_str())];
        let texts: Vec<&str> = texts.into_iter().flatten().collect();
        ((!texts.is_empty()).then(|| texts.join("\n\n")), persists)
    }

    fn place(&self, assembled: &mut Assembled, tail: String) {
        if self.placement == Placement::TrailingSystemMessage {
            assembled.tail = Some(TailPlace::System);
            assembled.trailing_system = Some(tail);
            return;
        }
        let messages = &mut assembled.messages;
        if messages.last().is_none_or(|last| last.role != Role::User) {
            messages.push(Message::new(Role::User, Vec::new()));
        }
        let at = messages.len() - 1;
        if let Some(last) = messages.last_mut() {
            assembled.tail = Some(TailPlace::Part { message: at, part: last.parts.len() });
            last.parts.push(Part::text(tail));
        }
    }
}

/// What a message costs beside its parts, as [`size`](super::size) counts it.
const MESSAGE: usize = 4;

/// The prompt, and the constraints once.
fn system_blocks(prompt: &str, rules: &str) -> Vec<SystemBlock> {
    let texts = [prompt, rules].into_iter().filter(|text| !text.trim().is_empty());
    texts.map(|text| SystemBlock { text: text.to_owned() }).collect()
}

/// Puts the notes in front, and sees to it that the user's message is the first.
fn open_with(messages: &mut Vec<Message>, notes: Option<&str>, opening: &str) {
    let users = messages.first().is_some_and(|first| first.role == Role::User);
    match (notes, messages.first_mut().filter(|_| users)) {
        (Some(notes), Some(first)) => first.parts.insert(0, Part::text(notes)),
        (Some(notes), None) => messages.insert(0, Message::user(notes)),
        (None, Some(_)) => {}
        (None, None) => messages.insert(0, Message::user(opening)),
    }
}

/// A message of the input as it is stored: without reminders.
fn as_stored(mut message: Message) -> Message {
    if message.role == Role::User {
        for part in &mut message.parts {
            if let Part::Text { text, .. } = part
                && let std::borrow::Cow::Owned(plain) = without_reminders(text)
            {
                *text = plain.into();
            }
        }
    }
    message
}
