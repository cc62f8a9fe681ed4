//! Parameters with their sources: loaded once, or followed. Readers get a whole generation and never wait.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};

use crate::declare::Declarations;
use crate::error::{Error, ErrorKind};
use crate::generation::Generation;
use crate::source::{Changed, Loaded, ParamSource, Watch};

/// What the watching thread hears.
#[derive(Debug)]
pub(crate) enum Signal {
    Changed,
    Stop,
}

/// Builds [`Params`].
pub struct ParamsBuilder {
    declared: Declarations,
    sources: Vec<Box<dyn ParamSource>>,
    debounce: Duration,
    settle: Duration,
    poll: Duration,
}

impl ParamsBuilder {
    /// Adds a source; later ones win.
    #[must_use]
    pub fn source(mut self, source: impl ParamSource + 'static) -> Self {
        self.sources.push(Box::new(source));
        self
    }

    /// Sets for how long changes are gathered before they are read; 75 ms unless set.
    #[must_use]
    pub fn with_debounce(mut self, time: Duration) -> Self {
        self.debounce = time;
        self
    }

    /// Sets for how long a source must stay as it is when it looks cut off, or lacks a value that it had; 1 s unless
    /// set.
    #[must_use]
    pub fn with_settle(mut self, time: Duration) -> Self {
        self.settle = time;
        self
    }

    /// Sets how often sources are read where no event comes; 5 s unless set.
    #[must_use]
    pub fn with_poll(mut self, time: Duration) -> Self {
        self.poll = time;
        self
    }

    /// Reads the sources once.
    ///
    /// # Errors
    /// When a source cannot be read, or what they say is not what is declared.
    pub fn load(self) -> Result<Params, Error> {
        let loaded = self.load_all()?;
        let generation = Generation::of(&self.declared, &loaded.iter().collect::<Vec<_>>(), 1)?;
        Ok(Params { shared: Arc::new(Shared::new(generation)), thread: None, signals: None })
    }

    /// Reads the sources, and follows them from then on in a thread of its own.
    ///
    /// # Errors
    /// As [`load`](Self::load). What goes wrong later is in [`Params::last_error`].
    pub fn watch(self) -> Result<Params, Error> {
        let (signals, inbox) = channel();
        // Watched first: what changes while it is read is read again.
        let watches = self.watch_all(&signals);
        let loaded = self.load_all()?;
        let generation = Generation::of(&self.declared, &loaded.iter().collect::<Vec<_>>(), 1)?;
        let shared = Arc::new(Shared::new(generation));
        let follower = Follower {
            builder: self,
            shared: Arc::clone(&shared),
            loaded,
            unsettled: None,
            _watches: watches,
        };
        let thread = std::thread::Builder::new()
            .name("promptline-params".to_owned())
            .spawn(move || follower.run(&inbox))
            .map_err(|error| {
                Error::new(ErrorKind::Io, format!("there is no thread to watch: {error}"))
            })?;
        Ok(Params { shared, thread: Some(thread), signals: Some(signals) })
    }

    fn load_all(&self) -> Result<Vec<Loaded>, Error> {
        self.sources.iter().map(|source| source.load()).collect()
    }

    fn watch_all(&self, signals: &Sender<Signal>) -> Vec<Watch> {
        let mut watches = Vec::new();
        for source in &self.sources {
            match source.watch(Changed(signals.clone())) {
                Ok(watch) => watches.extend(watch),
                Err(error) => tracing::warn!("{error}; it is polled"),
            }
        }
        watches
    }
}

impl fmt::Debug for ParamsBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sources: Vec<String> = self.sources.iter().map(|source| source.name()).collect();
        formatter.debug_struct("ParamsBuilder").field("sources", &sources).finish_non_exhaustive()
    }
}

/// Parameters: the current generation, and why a newer one is not in use.
pub struct Params {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    signals: Option<Sender<Signal>>,
}

struct Shared {
    current: ArcSwap<Generation>,
    error: ArcSwapOption<Error>,
    /// Counts what has happened, for those who wait.
    events: Mutex<u64>,
    happened: Condvar,
}

impl Shared {
    fn new(generation: Generation) -> Self {
        Self {
            current: ArcSwap::from_pointee(generation),
            error: ArcSwapOption::empty(),
            events: Mutex::new(0),
            happened: Condvar::new(),
        }
    }

    fn happened(&self) {
        *self.events.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.happened.notify_all();
    }
}

impl Params {
    /// Begins with what is declared.
    #[must_use]
    pub fn builder(declared: Declarations) -> ParamsBuilder {
        ParamsBuilder {
            declared,
            sources: Vec::new(),
            debounce: Duration::from_millis(75),
            settle: Duration::from_secs(1),
            poll: Duration::from_secs(5),
        }
    }

    /// The current generation. Take it once for each build, and use no other within it. Cheap, never waits.
    #[must_use]
    pub fn current(&self) -> Arc<Generation> {
        self.shared.current.load_full()
    }

    /// Why what the sources say now is not in use; `None` when it is.
    #[must_use]
    pub fn last_error(&self) -> Option<Arc<Error>> {
        self.shared.error.load_full()
    }

    /// Waits until a newer generation than this is current, or a reload has failed, or time is up; whether
    /// something has happened.
    #[must_use]
    pub fn wait(&self, seen: &Seen, time: Duration) -> bool {
        let events = self.shared.events.lock().unwrap_or_else(PoisonError::into_inner);
        let waited =
            self.shared.happened.wait_timeout_while(events, time, |events| *events == seen.0);
        let (events, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *events != seen.0
    }

    /// What has happened so far, for [`wait`](Self::wait).
    #[must_use]
    pub fn seen(&self) -> Seen {
        Seen(*self.shared.events.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What has happened so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen(u64);

impl Drop for Params {
    fn drop(&mut self) {
        if let Some(signals) = self.signals.take() {
            let _ = signals.send(Signal::Stop);
        }
        // A thread that panicked has nothing to say any more.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl fmt::Debug for Params {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Params")
            .field("current", &self.current())
            .field("last_error", &self.last_error())
            .finish_non_exhaustive()
    }
}

/// What the watching thread owns.
struct Follower {
    builder: ParamsBuilder,
    shared: Arc<Shared>,
    /// The last good state of each source.
    loaded: Vec<Loaded>,
    /// A state that looked cut off, and since when it is so.
    unsettled: Option<(Vec<Loaded>, Instant)>,
    _watches: Vec<Watch>,
}

impl Follower {
    fn run(mut self, inbox: &Receiver<Signal>) {
        loop {
            let wait = match &self.unsettled {
                Some(_) => (self.builder.settle / 4).max(Duration::from_millis(5)),
                None => self.builder.poll,
            };
            match inbox.recv_timeout(wait) {
                Ok(Signal::Changed) => {
                    // Gathered, but not for ever: one who writes all the time is heard all the same.
                    std::thread::sleep(self.builder.debounce);
                    for signal in inbox.try_iter() {
                        if matches!(signal, Signal::Stop) {
                            return;
                        }
                    }
                }
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.read();
        }
    }

    fn read(&mut self) {
        let mut now = Vec::with_capacity(self.loaded.len());
        let mut failed = None;
        let mut cut = false;
        for (source, last) in self.builder.sources.iter().zip(&self.loaded) {
            match source.load() {
                Ok(loaded) => {
                    let lacks = last.values.keys().any(|name| !loaded.values.contains_key(name));
                    cut |= (loaded.looks_cut || lacks) && loaded != *last;
                    now.push(loaded);
                }
                Err(error) => {
                    failed.get_or_insert(error);
                    now.push(last.clone());
                }
            }
        }
        if cut && !self.has_settled(&now) {
            return;
        }
        self.unsettled = None;
        let number = self.shared.current.load().number() + 1;
        let made = Generation::of(&self.builder.declared, &now.iter().collect::<Vec<_>>(), number);
        match made {
            Ok(generation) => {
                self.loaded = now;
                let changed = generation.hash() != self.shared.current.load().hash();
                let current = self.shared.current.load_full();
                let same = generation.clone().numbered(current.number());
                if changed {
                    tracing::info!(hash = generation.hash(), "parameters have changed");
                    self.shared.current.store(Arc::new(generation));
                    self.shared.happened();
                } else if same != *current {
                    // The same values from somewhere else.
                    self.shared.current.store(Arc::new(same));
                }
                self.report(failed);
            }
            Err(error) => self.report(Some(failed.unwrap_or(error))),
        }
    }

    /// What looks cut off has stayed so for long enough.
    fn has_settled(&mut self, now: &[Loaded]) -> bool {
        match &self.unsettled {
            Some((state, since)) if *state == now => since.elapsed() >= self.builder.settle,
            _ => {
                self.unsettled = Some((now.to_vec(), Instant::now()));
                false
            }
        }
    }

    fn report(&self, error: Option<Error>) {
        match error {
            Some(error) => {
                let text = error.to_string();
                let last = self.shared.error.load_full();
                if last.is_none_or(|last| last.to_string() != text) {
                    tracing::warn!("the last good parameters stay in use: {text}");
                    self.shared.error.store(Some(Arc::new(error)));
                    self.shared.happened();
                }
            }
            None => self.shared.error.store(None),
        }
    }
}
