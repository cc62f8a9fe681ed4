//! Which model is asked, and what its failures mean for the exit code.

use std::sync::Arc;

use promptline_model::{ChatModel, Exec, GenaiModel, ModelError, ModelErrorKind, Record, Recorded};

use super::args::AskArgs;
use crate::output::Failure;

/// The key's variable for a base URL.
const KEY: &str = "PROMPTLINE_API_KEY";

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let message = error.to_string();
        match error.kind() {
            ModelErrorKind::RateLimit
            | ModelErrorKind::Quota
            | ModelErrorKind::Timeout
            | ModelErrorKind::Auth
            | ModelErrorKind::Server
            | ModelErrorKind::Network
            | ModelErrorKind::Protocol => Self::Unreached(message),
            _ => Self::Said(message),
        }
    }
}

/// The model that the flags name.
pub(super) fn model(
    args: &AskArgs,
    id: &str,
    provider: &str,
) -> Result<Arc<dyn ChatModel>, Failure> {
    if let Some(file) = &args.replay {
        return Ok(Arc::new(Recorded::replay(file, id)?));
    }
    let model = real(args, id, provider)?;
    match &args.record {
        Some(file) => Ok(Arc::new(Recorded::record(file, model, Record::New)?)),
        None => Ok(model),
    }
}

fn real(args: &AskArgs, id: &str, provider: &str) -> Result<Arc<dyn ChatModel>, Failure> {
    if let Some(program) = &args.exec {
        return Ok(Arc::new(Exec::new(program).with_id(id)));
    }
    let mut builder = match &args.base_url {
        Some(url) => GenaiModel::openai_compatible(url, id).with_key_from_env(KEY),
        None if provider.is_empty() => {
            return Err(Failure::Said(
                "no server is given to ask\nhelp: add --base-url URL, or --provider NAME"
                    .to_owned(),
            ));
        }
        None => GenaiModel::provider(provider, id)?,
    };
    if let Some(name) = &args.key_env {
        builder = builder.with_key_from_env(name);
    }
    Ok(Arc::new(builder.build()?))
}
