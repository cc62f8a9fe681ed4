//! Many writers on one session: nothing is lost, nothing is there twice, each one's turns are in order.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use promptline_session::{
    Change, Durability, PostgresStore, SessionStore, SqliteStore, Turn, TurnQuery, Version,
};

use crate::servers::{database, variable};
use crate::{id, turn};

const WRITERS: usize = 8;
const EACH: usize = 500;

async fn write(store: &dyn SessionStore, writer: &str) {
    let id = id("shared");
    for n in 0..EACH {
        let change = Change::new(id.clone(), Version::NONE);
        store.commit(&change.append(turn(&format!("{writer}-{n}"), "x"))).await.unwrap();
    }
}

async fn look(store: &dyn SessionStore) {
    let turns = store.turns(&id("shared"), TurnQuery::Last(usize::MAX)).await.unwrap().turns;
    assert_eq!(turns.len(), WRITERS * EACH);
    let mut next: HashMap<String, usize> = HashMap::new();
    for (at, turn) in turns.iter().enumerate() {
        assert_eq!(turn.seq, at as u64 + 1);
        let (writer, n) = Turn::clone(turn)
            .id
            .as_str()
            .split_once('-')
            .map(|(w, n)| (w.to_owned(), n.to_owned()))
            .unwrap();
        let next = next.entry(writer).or_default();
        assert_eq!(n, next.to_string());
        *next += 1;
    }
    assert_eq!(next.len(), WRITERS);
    println!("{} of {} turns, in order", turns.len(), WRITERS * EACH);
}

fn open(file: &str) -> SqliteStore {
    SqliteStore::options().durability(Durability::Normal).open(file).unwrap()
}

/// One of the eight processes; nothing when it is run by itself.
#[tokio::test]
async fn child() {
    let Ok(file) = std::env::var("PROMPTLINE_TEST_WRITER_FILE") else { return };
    let writer = std::env::var("PROMPTLINE_TEST_WRITER").unwrap();
    let store = open(&file);
    write(&store, &writer).await;
    store.close().await.unwrap();
}

#[tokio::test]
async fn eight_processes_on_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.db").display().to_string();
    let children: Vec<_> = (0..WRITERS)
        .map(|writer| {
            Command::new(std::env::current_exe().unwrap())
                .args(["writers::child", "--exact"])
                .env("PROMPTLINE_TEST_WRITER_FILE", &file)
                .env("PROMPTLINE_TEST_WRITER", format!("w{writer}"))
                .stdout(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        let lines: Vec<_> =
            BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok).collect();
        assert!(child.wait().unwrap().success(), "{lines:?}");
    }
    look(&open(&file)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_connections_to_postgres() {
    let Some(server) = variable("PROMPTLINE_TEST_POSTGRES", "eight connections") else { return };
    let url = database(&server, "writers").await;
    let tasks: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let url = url.clone();
            tokio::spawn(async move {
                let store = PostgresStore::options().connections(1).connect(&url).await.unwrap();
                write(&store, &format!("w{writer}")).await;
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    look(&PostgresStore::connect(&url).await.unwrap()).await;
}
