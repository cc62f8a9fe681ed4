//! The file: JSONL, read whole, appended to. A line that a crash has cut off at the end is dropped.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::redact::redact;
use crate::{ChatRequest, ChatResponse, ContextFigures, ModelError, ModelErrorKind};

/// What the file has.
pub(super) struct Tape {
    path: PathBuf,
    lines: BTreeMap<String, Entry>,
    writer: Option<File>,
}

pub(super) struct Entry {
    pub(super) model: String,
    pub(super) request: Value,
    pub(super) kept: Kept,
}

pub(super) enum Kept {
    Response(Box<ChatResponse>),
    Error(KeptError),
}

/// A refusal of the request itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct KeptError {
    kind: ModelErrorKind,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<ContextFigures>,
}

impl KeptError {
    fn of(error: &ModelError) -> Option<Self> {
        // Any other failure is one of that day.
        let kept = matches!(
            error.kind(),
            ModelErrorKind::ContentFilter
                | ModelErrorKind::ContextLength
                | ModelErrorKind::BadRequest
        );
        kept.then(|| Self {
            kind: error.kind(),
            message: redact(error.message(), &[]),
            status: error.status(),
            code: error.code().map(str::to_owned),
            context: error.context(),
        })
    }

    pub(super) fn to_error(&self) -> ModelError {
        let mut error = ModelError::new(self.kind, self.message.clone());
        if let Some(status) = self.status {
            error = error.with_status(status);
        }
        if let Some(code) = &self.code {
            error = error.with_code(code.clone());
        }
        if let Some(context) = self.context {
            error = error.with_context(context);
        }
        error
    }
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    model: String,
    request: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<Box<ChatResponse>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<KeptError>,
}

impl Tape {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self, ModelError> {
        let text = fs::read_to_string(path).map_err(|error| failed(path, "read", error))?;
        let (lines, _) = parse(path, &text)?;
        Ok(Self { path: path.to_owned(), lines, writer: None })
    }

    /// Reads a file, if it is there, and opens it to be written.
    pub(super) fn open(path: &Path) -> Result<Self, ModelError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(path, "read", error)),
        };
        let (lines, whole) = parse(path, &text)?;
        let write = || {
            let mut writer = OpenOptions::new().create(true).append(true).open(path)?;
            if whole < text.len() {
                writer.set_len(whole as u64)?;
            }
            if whole > 0 && !text.as_bytes().get(..whole).is_some_and(|kept| kept.ends_with(b"\n"))
            {
                writer.write_all(b"\n")?;
            }
            Ok(writer)
        };
        let writer = write().map_err(|error| failed(path, "written", error))?;
        Ok(Self { path: path.to_owned(), lines, writer: Some(writer) })
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Kept> {
        self.lines.get(key).map(|entry| &entry.kept)
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.lines.values()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds an answer, or a refusal of the request; any other failure is not kept.
    pub(super) fn keep(
        &mut self,
        key: &str,
        model: &str,
        request: &ChatRequest,
        answer: Result<&ChatResponse, &ModelError>,
    ) -> Result<(), ModelError> {
        let (response, error) = match answer {
            Ok(response) => (Some(Box::new(response.clone())), None),
            Err(error) => match KeptError::of(error) {
                Some(error) => (None, Some(error)),
                None => return Ok(()),
            },
        };
        let request = serde_json::to_value(request).unwrap_or_default();
        let line = Line { key: key.to_owned(), model: model.to_owned(), request, response, error };
        if let Some(writer) = &mut self.writer {
            // One write a line: two programs that record into one file do not mix theirs.
            let mut text = serde_json::to_string(&line).unwrap_or_default();
            text.push('\n');
            let written = writer.write_all(text.as_bytes());
            written.map_err(|error| failed(&self.path, "written", error))?;
        }
        if let Some((key, entry)) = entry(line) {
            self.lines.insert(key, entry);
        }
        Ok(())
    }
}

fn entry(line: Line) -> Option<(String, Entry)> {
    let kept = match (line.response, line.error) {
        (Some(response), _) => Kept::Response(response),
        (None, Some(error)) => Kept::Error(error),
        (None, None) => return None,
    };
    Some((line.key, Entry { model: line.model, request: line.request, kept }))
}

/// The lines, and how many bytes of the text they are.
fn parse(path: &Path, text: &str) -> Result<(BTreeMap<String, Entry>, usize), ModelError> {
    let mut lines = BTreeMap::new();
    let mut whole = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let blank = line.trim().is_empty();
        let read = serde_json::from_str::<Line>(line).map_err(|error| error.to_string()).and_then(
            |line| entry(line).ok_or_else(|| "it has neither `response` nor `error`".to_owned()),
        );
        match read {
            _ if blank => {}
            Ok((key, entry)) => {
                lines.insert(key, entry);
            }
            // A program that ended while it wrote.
            Err(_) if !line.ends_with('\n') => break,
            Err(error) => {
                let place = format!("{}:{}", path.display(), number + 1);
                return Err(ModelError::new(
                    ModelErrorKind::Other,
                    format!("{place}: the line is no recording: {error}"),
                ));
            }
        }
        whole += line.len();
    }
    Ok((lines, whole))
}

fn failed(path: &Path, what: &str, error: io::Error) -> ModelError {
    let message = format!("{}: the recording cannot be {what}: {error}", path.display());
    ModelError::new(ModelErrorKind::Other, message).with_source(error)
}
