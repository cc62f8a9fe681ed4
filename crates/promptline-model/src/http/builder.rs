//! What a real model is made of: an address, a key, times, and when to try again.

use std::fmt;
use std::time::Duration;

use genai::adapter::AdapterKind;

use super::native::Native;
use super::{GenaiModel, OpenAi, RetryPolicy, Wire};
use crate::{Capabilities, ModelError, ModelErrorKind};

/// Builds a [`GenaiModel`].
#[derive(Clone)]
pub struct GenaiModelBuilder {
    model: String,
    target: Target,
    key: Option<String>,
    connect: Duration,
    idle: Duration,
    retry: RetryPolicy,
    capabilities: Capabilities,
}

#[derive(Clone)]
enum Target {
    Compatible { base_url: String },
    Provider { kind: AdapterKind, base_url: Option<String> },
}

impl GenaiModelBuilder {
    pub(super) fn compatible(base_url: String, model: String) -> Self {
        // Of those who are compatible most take both.
        let capabilities = Capabilities::new().json_object();
        Self::new(model, Target::Compatible { base_url }, capabilities)
    }

    pub(super) fn provider(provider: &str, model: String) -> Result<Self, ModelError> {
        let lower = provider.to_ascii_lowercase();
        let name = match lower.as_str() {
            "google" => "gemini",
            "xai" | "x-ai" => "xai",
            "moonshotai" => "moonshot",
            other => other,
        };
        let Some(kind) = AdapterKind::from_lower_str(name) else {
            let known: Vec<&str> =
                AdapterKind::all().iter().map(AdapterKind::as_lower_str).collect();
            let known = known.join(", ");
            return Err(ModelError::new(
                ModelErrorKind::BadRequest,
                format!(
                    "the provider `{provider}` is not known; known are {known}\nhelp: a server that is \
                     compatible with OpenAI's API is reached by its base URL"
                ),
            ));
        };
        let capabilities = match kind {
            AdapterKind::Anthropic => Capabilities::new(),
            AdapterKind::OpenAI | AdapterKind::OpenAIResp | AdapterKind::Gemini => {
                Capabilities::new().json_object().json_schema()
            }
            _ => Capabilities::new().json_object(),
        };
        Ok(Self::new(model, Target::Provider { kind, base_url: None }, capabilities))
    }

    fn new(model: String, target: Target, capabilities: Capabilities) -> Self {
        Self {
            model,
            target,
            key: None,
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(120),
            retry: RetryPolicy::default(),
            capabilities,
        }
    }

    /// Sets the key. It is never shown, logged or recorded.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into()).filter(|key| !key.is_empty());
        self
    }

    /// Takes the key from an environment variable, when that is set.
    #[must_use]
    pub fn with_key_from_env(self, name: &str) -> Self {
        match std::env::var(name) {
            Ok(key) => self.with_key(key),
            Err(_) => self,
        }
    }

    /// Sets the provider's address, for a proxy or a region.
    #[must_use]
    pub fn with_base_url(mut self, url: impl Into<String>) -> Self {
        match &mut self.target {
            Target::Compatible { base_url } => *base_url = url.into(),
            Target::Provider { base_url, .. } => *base_url = Some(url.into()),
        }
        self
    }

    /// Sets how long connecting may take; 10 seconds unless set.
    #[must_use]
    pub fn with_connect_timeout(mut self, time: Duration) -> Self {
        self.connect = time;
        self
    }

    /// Sets how long the provider may be silent; 2 minutes unless set. An answer that is not streamed comes after
    /// one silence.
    #[must_use]
    pub fn with_idle_timeout(mut self, time: Duration) -> Self {
        self.idle = time;
        self
    }

    /// Sets when a request is made again.
    #[must_use]
    pub fn with_retry(mut self, retry: RetryPolicy) -> Self {
        self.retry = retry;
        self
    }

    /// Sets what the model can do beyond text. For a base URL it is a JSON object unless set, for a provider what
    /// is known of it.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// The model.
    ///
    /// # Errors
    /// [`ModelErrorKind::BadRequest`] when the address is none, [`ModelErrorKind::Auth`] when a provider needs a key
    /// and none is set, [`ModelErrorKind::Other`] when there is no HTTP client on this machine (no certificates).
    pub fn build(self) -> Result<GenaiModel, ModelError> {
        let mut http = reqwest::Client::builder()
            .connect_timeout(self.connect)
            .read_timeout(self.idle)
            // A provider does not move; a key is not sent on.
            .redirect(reqwest::redirect::Policy::none());
        let address = match &self.target {
            Target::Compatible { base_url } => Some(base_url),
            Target::Provider { base_url, .. } => base_url.as_ref(),
        };
        if let Some(address) = address {
            let url = reqwest::Url::parse(address).ok();
            let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            let Some(url) = url else {
                return Err(ModelError::new(
                    ModelErrorKind::BadRequest,
                    "the base URL is no address of a server\nhelp: write it as http://127.0.0.1:8080/v1",
                ));
            };
            if url.scheme() == "http" {
                // Needs no certificates, which a small machine may not have.
                http = http.tls_certs_only([]);
            }
        }
        let http = http.build().map_err(super::failure::from_client)?;
        let wire = match self.target {
            Target::Compatible { base_url } => {
                let url = format!("{}/chat/completions", base_url.trim_end_matches('/'));
                Wire::OpenAi(OpenAi { http, url, key: self.key })
            }
            Target::Provider { kind, base_url } => {
                Wire::Native(Native::new(http, kind, &self.model, base_url, self.key)?)
            }
        };
        Ok(GenaiModel {
            model: self.model,
            capabilities: self.capabilities,
            retry: self.retry,
            wire,
        })
    }
}

impl fmt::Debug for GenaiModelBuilder {
    /// Without address and key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GenaiModelBuilder")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
