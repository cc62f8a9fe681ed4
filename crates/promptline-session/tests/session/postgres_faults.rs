//! PostgreSQL behind a connection that is cut: what is not acknowledged may be tried again, and is one turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use promptline_session::{ErrorKind, PostgresStore, SessionStore, Tiered, TurnQuery};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::servers::{database, variable};
use crate::{id, turn};

const OPEN: u8 = 0;
const DOWN: u8 = 1;
/// The answer to the next COMMIT is swallowed, and the connection cut.
const LOSE_COMMIT: u8 = 2;

/// A connection to the server that can be cut.
struct Proxy {
    mode: Arc<AtomicU8>,
    port: u16,
}

impl Proxy {
    async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let mode = Arc::new(AtomicU8::new(OPEN));
        let shared = Arc::clone(&mode);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if shared.load(Ordering::SeqCst) == DOWN {
                    continue;
                }
                let server = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(pipe(client, server, Arc::clone(&shared)));
            }
        });
        Self { mode, port }
    }

    fn set(&self, mode: u8) {
        self.mode.store(mode, Ordering::SeqCst);
    }
}

async fn pipe(mut client: TcpStream, mut server: TcpStream, mode: Arc<AtomicU8>) {
    let (mut from_client, mut from_server) = ([0; 8192], [0; 8192]);
    let mut lose = false;
    loop {
        tokio::select! {
            read = client.read(&mut from_client) => {
                let Ok(read @ 1..) = read else { return };
                let sent = &from_client[..read];
                if sent.windows(6).any(|window| window == b"COMMIT") && mode.load(Ordering::SeqCst) == LOSE_COMMIT {
                    lose = true;
                }
                if server.write_all(sent).await.is_err() { return }
            }
            read = server.read(&mut from_server) => {
                let Ok(read @ 1..) = read else { return };
                if lose {
                    mode.store(OPEN, Ordering::SeqCst);
                    return;
                }
                if client.write_all(&from_server[..read]).await.is_err() { return }
            }
            () = tokio::time::sleep(Duration::from_millis(5)) => {}
        }
        if mode.load(Ordering::SeqCst) == DOWN {
            return;
        }
    }
}

async fn behind_a_proxy(name: &str) -> Option<(Proxy, PostgresStore)> {
    let server = variable("PROMPTLINE_TEST_POSTGRES", name)?;
    let url = database(&server, name).await;
    let (rest, database) = url.rsplit_once('/').unwrap();
    let (user, address) = rest.rsplit_once('@').unwrap();
    let proxy = Proxy::to(address.to_owned()).await;
    let url = format!("{user}@127.0.0.1:{}/{database}", proxy.port);
    let options = PostgresStore::options().timeout(Duration::from_millis(800)).connections(2);
    let store = options.connect(&url).await.unwrap();
    Some((proxy, store))
}

#[tokio::test]
async fn the_answer_of_a_commit_is_lost() {
    let Some((proxy, store)) = behind_a_proxy("lost_answer").await else { return };
    let tiered = Tiered::new(Arc::new(store));
    for n in 1..=10_usize {
        let session = tiered.open_session(&id("s")).await.unwrap();
        let change = session.append(turn(&format!("t{n}"), "x"));
        proxy.set(LOSE_COMMIT);
        let error = tiered.commit(&change).await.unwrap_err();
        assert!(error.may_have_committed(), "{error:#}");
        assert_eq!(*error.kind(), ErrorKind::Unavailable);
        proxy.set(OPEN);
        let done = tiered.commit(&change).await.unwrap();
        assert_eq!(done.duplicates.len(), 1, "it had not committed");
        let turns = tiered.turns(&id("s"), TurnQuery::Last(99)).await.unwrap().turns;
        assert_eq!(turns.len(), n);
    }
}

#[tokio::test]
async fn the_server_is_down_and_comes_back() {
    let Some((proxy, store)) = behind_a_proxy("server_down").await else { return };
    let tiered = Tiered::new(Arc::new(store));
    let session = tiered.open_session(&id("s")).await.unwrap();
    tiered.commit(&session.append(turn("t1", "x"))).await.unwrap();
    let before = tiered.get(&id("s")).await.unwrap().unwrap();
    proxy.set(DOWN);
    tokio::time::sleep(Duration::from_millis(20)).await;
    let change = before.append(turn("t2", "x"));
    for _ in 0..3 {
        let error = tiered.commit(&change).await.unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Unavailable, "{error:#}");
        assert!(tiered.get(&id("s")).await.is_err());
    }
    let stale = tiered.clone().serve_stale(true).lookup(&id("s")).await;
    assert!(stale.is_err() || stale.unwrap().is_none_or(|found| found.stale));
    proxy.set(OPEN);
    assert_eq!(tiered.get(&id("s")).await.unwrap().unwrap(), before, "something was written");
    tiered.commit(&change).await.unwrap();
    assert_eq!(tiered.get(&id("s")).await.unwrap().unwrap().turns.len(), 2);
}
