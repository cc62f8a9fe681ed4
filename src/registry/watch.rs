//! A registry that follows its folders: what changes in them is read again, and taken when all of it is
//! good. It never shows a registry that is half new, and an error never takes away what was good.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::{PromptRegistry, PromptRegistryBuilder};
use crate::error::panic_message;
use promptline_diagnostic::{Error, ErrorKind};

/// How long a folder must be quiet before it is read: editors and version control write in bursts.
const QUIET: Duration = Duration::from_millis(100);
/// A folder that never gets quiet is read after so many bursts all the same.
const MOST_BURSTS: usize = 50;

/// A registry whose packs and overlays follow their folders.
///
/// A change in a folder is read when the folder has been quiet for a moment; the registry is made anew
/// and taken as a whole when there is no mistake in it, else the last good one stays and
/// [`last_error`](Self::last_error) says why. A folder that goes takes its pack or overlay with it, so that
/// the built-in text comes back; when it is there again, so is what it says. Links inside a folder are not
/// followed, as always.
///
/// The folders are watched by a thread of its own, which ends when this is dropped. Errors go to
/// `tracing`, too.
///
/// ```no_run
/// use promptline::{Overlay, Pack, PromptContext, PromptRegistry, WatchedRegistry};
///
/// # fn main() -> Result<(), promptline::Error> {
/// let builder = PromptRegistry::builder()
///     .pack(Pack::builtin())
///     .overlay(Overlay::from_dir("prompts/overlay")?);
/// let registry = WatchedRegistry::new(builder)?;
/// // For each request: what is good now. A build that is under way keeps what it began with.
/// let prompt = registry.current().build_blocking(&PromptContext::new("openai", "gpt-5"))?;
/// # Ok(())
/// # }
/// ```
pub struct WatchedRegistry {
    shared: Arc<Shared>,
    signals: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread and its readers share.
struct Shared {
    current: ArcSwap<PromptRegistry>,
    error: ArcSwapOption<Error>,
}

/// The messages to the thread.
enum Signal {
    /// Something happened at these paths.
    Changed(Vec<PathBuf>),
    /// Something may have been missed.
    Lost,
    Stop,
}

impl WatchedRegistry {
    /// Makes the registry, and watches the folders that its packs and overlays came from.
    ///
    /// # Errors
    /// Those of [`PromptRegistryBuilder::build`]; of kind [`ErrorKind::Io`] when the folders cannot be
    /// watched.
    pub fn new(builder: PromptRegistryBuilder) -> Result<Self, Error> {
        let registry = builder.clone().build()?;
        let shared = Arc::new(Shared {
            current: ArcSwap::from_pointee(registry),
            error: ArcSwapOption::empty(),
        });
        let (signals, inbox) = channel();
        let sender = signals.clone();
        let watcher = notify::recommended_watcher(move |event| {
            // The receiver is gone when this is being dropped.
            let _ = signal(event).map(|signal| sender.send(signal));
        });
        let watcher = watcher.map_err(|error| cannot_watch(&error))?;
        let mut line = Line { builder, watcher, watched: BTreeSet::new(), shared: shared.clone() };
        line.watch()?;
        // What changed between the reading and the watching would be missed otherwise.
        let _ = signals.send(Signal::Lost);
        let thread = std::thread::Builder::new()
            .name("promptline-watch".to_owned())
            .spawn(move || line.run(&inbox))
            .map_err(|error| cannot_watch(&error))?;
        Ok(Self { shared, signals, thread: Some(thread) })
    }

    /// The last good registry. Cheap.
    #[must_use]
    pub fn current(&self) -> PromptRegistry {
        PromptRegistry::clone(&self.shared.current.load())
    }

    /// Why the folders are not what is in use; `None` when they are.
    #[must_use]
    pub fn last_error(&self) -> Option<Arc<Error>> {
        self.shared.error.load_full()
    }
}

impl Drop for WatchedRegistry {
    fn drop(&mut self) {
        let _ = self.signals.send(Signal::Stop);
        // A thread that panicked has nothing to say any more.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl fmt::Debug for WatchedRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatchedRegistry")
            .field("current", &self.current())
            .field("last_error", &self.last_error())
            .finish_non_exhaustive()
    }
}

/// What an event means to us. That a file was read (we do it ourselves) means nothing.
fn signal(event: notify::Result<Event>) -> Option<Signal> {
    match event {
        Ok(event) if event.need_rescan() => Some(Signal::Lost),
        Ok(Event { kind: EventKind::Access(_), .. }) => None,
        Ok(event) => Some(Signal::Changed(event.paths)),
        Err(_) => Some(Signal::Lost),
    }
}

fn cannot_watch(error: &dyn std::error::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the folders cannot be watched: {error}"))
        .with_help("build the registry without watching, and call `reload` when files have changed")
}

/// The registry of what is there now. A panic of the host's components is no reason to stop watching.
fn made(builder: &PromptRegistryBuilder) -> Result<PromptRegistry, Error> {
    let make = || builder.as_it_is_now()?.build();
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| {
        let message = format!("the host's code {}", panic_message(panic.as_ref()));
        Err(Error::new(ErrorKind::Pack, message))
    })
}

/// What the thread owns.
struct Line {
    builder: PromptRegistryBuilder,
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    shared: Arc<Shared>,
}

impl Line {
    fn run(mut self, inbox: &Receiver<Signal>) {
        while let Ok(signal) = inbox.recv() {
            let Some(mut ours) = self.concerns(&signal) else { return };
            for _ in 0..MOST_BURSTS {
                match inbox.recv_timeout(QUIET) {
                    Ok(signal) => match self.concerns(&signal) {
                        Some(more) => ours |= more,
                        None => return,
                    },
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
            if ours {
                self.read_again();
            }
        }
    }

    /// Whether a signal is about our folders; `None` to stop.
    fn concerns(&self, signal: &Signal) -> Option<bool> {
        match signal {
            Signal::Stop => None,
            Signal::Lost => Some(true),
            Signal::Changed(paths) => Some(paths.iter().any(|path| {
                self.folders().any(|folder| path.starts_with(&folder) || folder.starts_with(path))
            })),
        }
    }

    /// The folders, by their whole paths.
    fn folders(&self) -> impl Iterator<Item = PathBuf> {
        self.builder.folders().map(|folder| std::path::absolute(folder).unwrap_or(folder.into()))
    }

    /// Watches each folder that is there, and the one around it, which knows when it goes and comes.
    fn watch(&mut self) -> Result<(), Error> {
        let gone: Vec<PathBuf> =
            self.watched.iter().filter(|folder| !folder.is_dir()).cloned().collect();
        for folder in gone {
            let _ = self.watcher.unwatch(&folder);
            self.watched.remove(&folder);
        }
        let folders: Vec<PathBuf> = self.folders().collect();
        for folder in folders {
            let around = folder.ancestors().skip(1).find(|around| around.is_dir());
            if let Some(around) = around.filter(|around| !self.watched.contains(*around)) {
                let watched = self.watcher.watch(around, RecursiveMode::NonRecursive);
                watched.map_err(|error| cannot_watch(&error))?;
                self.watched.insert(around.to_owned());
            }
            self.watch_inside(&folder)?;
        }
        Ok(())
    }

    /// A folder that is there again is another one to the system.
    fn watch_inside(&mut self, folder: &Path) -> Result<(), Error> {
        if !folder.is_dir() {
            return Ok(());
        }
        let _ = self.watcher.unwatch(folder);
        let watched = self.watcher.watch(folder, RecursiveMode::Recursive);
        self.watched.insert(folder.to_owned());
        watched.map_err(|error| cannot_watch(&error))
    }

    fn read_again(&mut self) {
        // Watched first: what changes while it is read is reported again.
        let made = self.watch().and_then(|()| made(&self.builder));
        match made {
            Ok(registry) => {
                if registry.inner.hash != self.shared.current.load().inner.hash {
                    tracing::debug!("prompt files have changed and were read again");
                    self.shared.current.store(Arc::new(registry));
                }
                self.shared.error.store(None);
            }
            Err(error) => {
                tracing::warn!("prompt files have changed and cannot be used: {error}");
                self.shared.error.store(Some(Arc::new(error)));
            }
        }
    }
}
