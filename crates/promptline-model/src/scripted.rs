//! A model that follows a script: answers and failures in order, and a record of what was asked.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use crate::{Capabilities, ChatModel, ChatRequest, ChatResponse, ModelError, ModelErrorKind};

/// A model that follows a script.
#[derive(Debug, Default)]
pub struct Scripted {
    id: Option<String>,
    capabilities: Capabilities,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    turns: VecDeque<Result<ChatResponse, ModelError>>,
    requests: Vec<ChatRequest>,
}

impl Scripted {
    /// A model that has nothing to say.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what it can do.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Sets its name.
    #[must_use]
    pub fn named(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The next answer is this text.
    #[must_use]
    pub fn says(self, text: impl Into<String>) -> Self {
        self.answers(ChatResponse::new(text))
    }

    /// The next answer.
    #[must_use]
    pub fn answers(mut self, response: ChatResponse) -> Self {
        self.state_mut().turns.push_back(Ok(response));
        self
    }

    /// The next request fails.
    #[must_use]
    pub fn fails(self, kind: ModelErrorKind, message: impl Into<String>) -> Self {
        self.fails_with(ModelError::new(kind, message))
    }

    /// The next request fails with this.
    #[must_use]
    pub fn fails_with(mut self, error: ModelError) -> Self {
        self.state_mut().turns.push_back(Err(error));
        self
    }

    /// What was asked, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }

    fn state_mut(&mut self) -> &mut State {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ChatModel for Scripted {
    async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.requests.push(request);
        match state.turns.pop_front() {
            Some(turn) => turn,
            None => Err(ModelError::new(
                ModelErrorKind::NotScripted,
                "the script is at its end; give it one more answer",
            )),
        }
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}
