//! Threads that have the connections: SQLite blocks, and an executor must not. A job that has begun is finished,
//! whether its caller waits or not.

use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{Semaphore, oneshot};

use super::failed;
use crate::codec::Codec;
use crate::{Clock, Error, ErrorKind};

/// How many jobs may wait; more callers wait outside, without memory of ours.
const QUEUE: usize = 1_024;
/// How many commits share a transaction at most.
const GROUP: usize = 64;

/// What a writing job works with.
pub(super) struct Writing<'c> {
    pub(super) connection: &'c Connection,
    pub(super) codec: &'c Codec,
    pub(super) now_ms: u64,
}

/// A job inside of the shared transaction, or why there is none. It keeps its result until the transaction is
/// committed.
type WriteJob = Box<dyn FnOnce(Result<&Writing<'_>, Error>) -> Answer + Send>;
/// Sends the result; with an error when the transaction as a whole failed.
type Answer = (Outcome, Box<dyn FnOnce(Result<(), Error>) + Send>);
type ReadJob = Box<dyn FnOnce(&mut Connection) + Send>;

/// Whether what a job wrote is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Keep,
    Undo,
}

/// What a thread does with the jobs.
type Work<J> = Box<dyn FnOnce(Arc<Mutex<Receiver<J>>>) + Send>;

struct Queue<J> {
    sender: Mutex<Option<Sender<J>>>,
    room: Arc<Semaphore>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl<J: Send + 'static> Queue<J> {
    fn start(room: Arc<Semaphore>, threads: Vec<Work<J>>) -> Result<Self, Error> {
        let (sender, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let spawn = |work: Work<J>| {
            let receiver = Arc::clone(&receiver);
            let builder = std::thread::Builder::new().name("promptline-session".into());
            let spawned = builder.spawn(move || work(receiver));
            spawned.map_err(|error| Error::unavailable("no thread for SQLite").with_source(error))
        };
        let threads = threads.into_iter().map(spawn).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { sender: Mutex::new(Some(sender)), room, threads: Mutex::new(threads) })
    }

    async fn send(&self, job: J) -> Result<(), Error> {
        let closed = || Error::new(ErrorKind::Closed, "the store is closed");
        let permit = self.room.acquire().await.map_err(|_| closed())?;
        permit.forget();
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = sender.as_ref().is_some_and(|sender| sender.send(job).is_ok());
        if sent { Ok(()) } else { Err(closed()) }
    }

    /// Lets the threads finish what waits, and waits for them.
    async fn close(&self) {
        drop(self.sender.lock().unwrap_or_else(PoisonError::into_inner).take());
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        if threads.is_empty() {
            return;
        }
        let (done, finished) = oneshot::channel();
        let join = move || {
            for thread in threads {
                let _ = thread.join();
            }
            let _ = done.send(());
        };
        if std::thread::Builder::new().spawn(join).is_ok() {
            let _ = finished.await;
        }
    }
}

impl<J> fmt::Debug for Queue<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("room", &self.room.available_permits())
            .finish_non_exhaustive()
    }
}

fn next<J>(receiver: &Mutex<Receiver<J>>) -> Option<J> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// The thread that writes.
#[derive(Debug)]
pub(super) struct Writer(Queue<WriteJob>);

impl Writer {
    pub(super) fn start(
        connection: Connection,
        codec: Codec,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        let room = Arc::new(Semaphore::new(QUEUE));
        let back = Arc::clone(&room);
        let work = move |receiver: Arc<Mutex<Receiver<WriteJob>>>| {
            write_all(connection, &codec, &*clock, &receiver, &back);
        };
        Ok(Self(Queue::start(room, vec![Box::new(work)])?))
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Writing<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = oneshot::channel();
        let job = move |writing: Result<&Writing<'_>, Error>| -> Answer {
            let result = writing.and_then(job);
            let outcome = if result.is_ok() { Outcome::Keep } else { Outcome::Undo };
            let answer = move |committed: Result<(), Error>| {
                let _ = sender.send(match (result, committed) {
                    (Ok(_), Err(error)) => Err(error),
                    (result, _) => result,
                });
            };
            (outcome, Box::new(answer))
        };
        self.0.send(Box::new(job)).await?;
        let gone =
            || Error::unavailable("the thread of the SQLite file has ended").with_unknown_outcome();
        receiver.await.map_err(|_| gone())?
    }

    pub(super) async fn close(&self) {
        self.0.close().await;
    }
}

/// Takes what waits, runs it in one transaction with a savepoint for each job, commits, and only then answers.
fn write_all(
    mut connection: Connection,
    codec: &Codec,
    clock: &dyn Clock,
    receiver: &Mutex<Receiver<WriteJob>>,
    room: &Semaphore,
) {
    while let Some(first) = next(receiver) {
        let mut jobs = vec![first];
        {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            while jobs.len() < GROUP
                && let Ok(job) = receiver.try_recv()
            {
                jobs.push(job);
            }
        }
        room.add_permits(jobs.len());
        write_group(&mut connection, codec, clock.wall_ms(), jobs);
    }
    // The file is as small as it can be when it is closed.
    let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
}

fn write_group(connection: &mut Connection, codec: &Codec, now_ms: u64, jobs: Vec<WriteJob>) {
    let alone = jobs.len() == 1;
    let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let transaction = match begun {
        Ok(transaction) => transaction,
        Err(error) => {
            for job in jobs {
                let why = Error::unavailable("the SQLite file cannot be written now");
                let (_, answer) = job(Err(why.with_source(error.to_string())));
                answer(Ok(()));
            }
            return;
        }
    };
    let mut answers = Vec::with_capacity(jobs.len());
    for job in jobs {
        let writing = Writing { connection: &transaction, codec, now_ms };
        if alone {
            let (outcome, answer) = job(Ok(&writing));
            if outcome == Outcome::Undo {
                drop(transaction);
                return answer(Ok(()));
            }
            answers.push(answer);
            break;
        }
        let saved = transaction.execute_batch("SAVEPOINT one");
        let (outcome, answer) = job(Ok(&writing));
        let end = match outcome {
            Outcome::Keep => "RELEASE one",
            Outcome::Undo => "ROLLBACK TO one; RELEASE one",
        };
        match saved.and_then(|()| transaction.execute_batch(end)) {
            Ok(()) => answers.push(answer),
            Err(error) => answer(Err(failed(error))),
        }
    }
    let committed = transaction.commit().map_err(|error| error.to_string());
    for answer in answers {
        answer(match &committed {
            Ok(()) => Ok(()),
            Err(error) => {
                let failed = Error::unavailable("the SQLite file was not written");
                Err(failed.with_source(error.clone()).with_unknown_outcome())
            }
        });
    }
}

/// The threads that read.
#[derive(Debug)]
pub(super) struct Readers(Queue<ReadJob>);

impl Readers {
    pub(super) fn start(connections: Vec<Connection>) -> Result<Self, Error> {
        let work = |mut connection: Connection| {
            let work = move |receiver: Arc<Mutex<Receiver<ReadJob>>>| {
                while let Some(job) = next(&receiver) {
                    job(&mut connection);
                }
            };
            Box::new(work) as Work<ReadJob>
        };
        let room = Arc::new(Semaphore::new(QUEUE));
        Ok(Self(Queue::start(room, connections.into_iter().map(work).collect())?))
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = oneshot::channel();
        let room = Arc::clone(&self.0.room);
        let job = move |connection: &mut Connection| {
            let _ = sender.send(job(connection));
            room.add_permits(1);
        };
        self.0.send(Box::new(job)).await?;
        let gone = |_| Error::unavailable("the thread of the SQLite file has ended");
        receiver.await.map_err(gone)?
    }

    pub(super) async fn close(&self) {
        self.0.close().await;
    }
}
