//! A program is the model: a request as JSON on its stdin, an answer as JSON on its stdout.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::pin::Pin;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::{Capabilities, ChatModel, ChatRequest, ChatResponse, ModelError, ModelErrorKind};

/// So much of stderr is kept, its end.
const MAX_STDERR: usize = 4_000;
/// So much of stdout is read.
const MAX_STDOUT: usize = 64 * 1024 * 1024;

/// A program that answers.
///
/// It gets a [`ChatRequest`] as one line of JSON on stdin and writes a [`ChatResponse`] as JSON to stdout; fields
/// that it leaves out are empty, and text that is no JSON object is the answer's text as it is. An exit status other
/// than 0 is a failure, with the end of stderr in its message. The program and all that it has started are ended
/// when time is up, and when nobody waits for the answer any more. Needs no runtime: a thread waits.
#[derive(Debug, Clone)]
pub struct Exec {
    program: OsString,
    arguments: Vec<OsString>,
    timeout: Duration,
    id: Option<String>,
    capabilities: Capabilities,
}

impl Exec {
    /// A program, looked for as the system does. It gets this process's environment and folder.
    #[must_use]
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            timeout: Duration::from_secs(120),
            id: None,
            capabilities: Capabilities::default(),
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with_argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Sets how long an answer may take; 2 minutes unless set.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the model's name; the program's unless set.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets what the model can do beyond text.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }

    fn start(&self) -> Result<Child, ModelError> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        command.spawn().map_err(|error| {
            ModelError::new(
                ModelErrorKind::Other,
                format!("`{}` cannot be started: {error}", self.name()),
            )
            .with_source(error)
        })
    }
}

#[async_trait]
impl ChatModel for Exec {
    async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError> {
        let mut input = serde_json::to_vec(&request).map_err(|error| {
            ModelError::new(ModelErrorKind::BadRequest, format!("the request is no JSON: {error}"))
        })?;
        input.push(b'\n');
        let child = self.start()?;
        let (name, timeout) = (self.name(), self.timeout);
        let answer = Arc::new(Answer::default());
        let theirs = Arc::clone(&answer);
        thread::spawn(move || {
            let ran = Running::new(child).run(input, timeout, &theirs.given_up);
            theirs.set(ran.and_then(|ran| ran.response(&name)).map_err(
                |error| match error.kind() {
                    ModelErrorKind::Timeout => ModelError::new(
                        ModelErrorKind::Timeout,
                        format!("`{name}` gave no answer in {} s", timeout.as_secs_f64()),
                    ),
                    _ => error,
                },
            ));
        });
        Waiting(answer).await
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn id(&self) -> Option<&str> {
        self.id.as_deref().or_else(|| self.program.to_str())
    }
}

#[derive(Default)]
struct Awaited {
    result: Option<Result<ChatResponse, ModelError>>,
    waker: Option<Waker>,
}

/// What the thread leaves for the future.
#[derive(Default)]
struct Answer {
    state: Mutex<Awaited>,
    given_up: AtomicBool,
}

impl Answer {
    fn set(&self, result: Result<ChatResponse, ModelError>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.result = Some(result);
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }
}

struct Waiting(Arc<Answer>);

impl Future for Waiting {
    type Output = Result<ChatResponse, ModelError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                state.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.given_up.store(true, Ordering::Relaxed);
    }
}

/// A program that runs, with its group.
struct Running {
    child: Child,
}

struct Ran {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Running {
    fn new(child: Child) -> Self {
        Self { child }
    }

    fn run(
        mut self,
        input: Vec<u8>,
        timeout: Duration,
        given_up: &AtomicBool,
    ) -> Result<Ran, ModelError> {
        let deadline = Instant::now().checked_add(timeout);
        if let Some(mut stdin) = self.child.stdin.take() {
            // A program that does not read is not to hold us up; one that has read enough may close.
            thread::spawn(move || stdin.write_all(&input));
        }
        let (sender, outputs) = mpsc::channel();
        let stdout = self.child.stdout.take();
        let stderr = self.child.stderr.take();
        let errors = sender.clone();
        thread::spawn(move || sender.send((true, stdout.map(read_all).unwrap_or_default())));
        thread::spawn(move || errors.send((false, stderr.map(read_end).unwrap_or_default())));
        let (mut out, mut err, mut status) = (None, None, None);
        let mut ended: Option<Instant> = None;
        loop {
            match outputs.recv_timeout(Duration::from_millis(10)) {
                Ok((true, bytes)) => out = Some(bytes),
                Ok((false, bytes)) => err = Some(bytes),
                Err(_) => {}
            }
            if status.is_none() {
                status = self.child.try_wait().map_err(failed)?;
                ended = status.map(|_| Instant::now());
            }
            if let (Some(status), Some(_), Some(_)) = (status, &out, &err) {
                let (stdout, stderr) = (out.unwrap_or_default(), err.unwrap_or_default());
                return Ok(Ran { status, stdout, stderr });
            }
            // What the program has started may hold its outputs open.
            if ended.is_some_and(|ended| ended.elapsed() > Duration::from_millis(500)) {
                self.end_group();
            }
            let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || given_up.load(Ordering::Relaxed) {
                return Err(ModelError::new(ModelErrorKind::Timeout, "the program gave no answer"));
            }
        }
    }

    fn end_group(&self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            // It may be gone already.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end_group();
        let _ = self.child.wait();
    }
}

impl Ran {
    fn response(self, name: &str) -> Result<ChatResponse, ModelError> {
        if !self.status.success() {
            let stderr = String::from_utf8_lossy(&self.stderr);
            let mut message = format!("`{name}` failed: {}", self.status);
            if !stderr.trim().is_empty() {
                message.push_str(&format!(": {}", stderr.trim()));
            }
            return Err(ModelError::new(
                ModelErrorKind::Other,
                crate::redact::redact(&message, &[]),
            ));
        }
        if self.stdout.len() >= MAX_STDOUT {
            return Err(ModelError::new(
                ModelErrorKind::Protocol,
                format!("`{name}` writes more than {MAX_STDOUT} bytes"),
            ));
        }
        let text = String::from_utf8(self.stdout).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let message = format!("`{name}` writes what is not UTF-8 at byte {at}");
            ModelError::new(ModelErrorKind::Protocol, message)
        })?;
        let trimmed = text.trim();
        // An object with the fields of a response is one; an answer that is some other JSON is text.
        let is_response = serde_json::from_str::<serde_json::Value>(trimmed).is_ok_and(|json| {
            ["text", "tool_calls", "refusal"].iter().any(|key| json.get(key).is_some())
        });
        if !is_response {
            return Ok(ChatResponse::new(text.strip_suffix('\n').unwrap_or(&text)));
        }
        serde_json::from_str(trimmed).map_err(|error| {
            let message = format!("`{name}` writes an answer that is none: {error}");
            ModelError::new(ModelErrorKind::Protocol, message).with_body(trimmed)
        })
    }
}

fn failed(error: io::Error) -> ModelError {
    ModelError::new(ModelErrorKind::Other, format!("the program cannot be waited for: {error}"))
}

fn read_all(stream: impl Read) -> Vec<u8> {
    let mut all = Vec::new();
    let _ = stream.take(MAX_STDOUT as u64).read_to_end(&mut all);
    all
}

/// The end of a stream, which is read whole so that its writer is not held up.
fn read_end(mut stream: impl Read) -> Vec<u8> {
    let mut end = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        end.extend(buffer.iter().take(read));
        let over = end.len().saturating_sub(MAX_STDERR);
        end.drain(..over);
    }
    end
}
