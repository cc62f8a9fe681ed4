//! Sessions as JSON lines, out and in.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use promptline_session::{
    Change, Facts, ListQuery, SessionId, SessionStore, Summary, Turn, TurnQuery, Version,
};
use serde::{Deserialize, Serialize};

use super::args::{ExportArgs, ImportArgs};
use super::{all, counted, progress};
use crate::output::{Failure, Output};

/// A line. A session's line is in front of those of its turns.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Session {
        id: SessionId,
        #[serde(default)]
        facts: Facts,
        #[serde(default)]
        summary: Option<Summary>,
    },
    Turn(Turn),
}

/// How many turns are read or written at once.
const BATCH: usize = 200;

pub(super) async fn export(
    store: &dyn SessionStore,
    args: &ExportArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let ids = match args.sessions.is_empty() {
        true => all(store, ListQuery::first(usize::MAX))
            .await?
            .into_iter()
            .map(|session| session.id)
            .collect(),
        false => args
            .sessions
            .iter()
            .map(|id| SessionId::new(id.as_str()))
            .collect::<Result<Vec<_>, _>>()?,
    };
    let bar = progress(ids.len(), false);
    let mut spoiled = 0;
    for id in ids {
        let Some(session) = store.load(&id).await? else {
            if args.sessions.is_empty() {
                continue;
            }
            return Err(Failure::Said(format!("there is no session {id}")));
        };
        write(
            output,
            &Line::Session { id: id.clone(), facts: session.facts, summary: session.summary },
        )?;
        let mut seq = 0;
        loop {
            let page = store.turns(&id, TurnQuery::After { seq, limit: BATCH }).await?;
            for record in &page.corrupt {
                spoiled += 1;
                Output::note(&format!("warning: {record}\n"));
            }
            for turn in &page.turns {
                write(output, &Line::Turn(Turn::clone(turn)))?;
            }
            if page.through <= seq {
                break;
            }
            seq = page.through;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if spoiled > 0 {
        return Err(Failure::Found);
    }
    Ok(())
}

fn write(output: &mut Output, line: &Line) -> Result<(), Failure> {
    output.line(serde_json::to_string(line).map_err(|error| Failure::Said(error.to_string()))?)
}

/// A session on its way in.
struct Incoming {
    id: SessionId,
    facts: Facts,
    summary: Option<Summary>,
    turns: Vec<Turn>,
    /// It is ours: there was none before.
    created: bool,
}

pub(super) async fn import(store: &dyn SessionStore, args: &ImportArgs) -> Result<(), Failure> {
    let place = args.file.display();
    let wrong =
        |number: usize, what: &str| Failure::Said(format!("{place}:{}: {what}", number + 1));
    let mut incoming: Option<Incoming> = None;
    let mut sessions = 0;
    let bar = progress(usize::MAX, true);
    for (number, line) in open(&args.file)?.lines().enumerate() {
        let line = line.map_err(|error| wrong(number, &format!("it cannot be read: {error}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let line = serde_json::from_str(&line)
            .map_err(|error| wrong(number, &format!("it is no line of an export: {error}")))?;
        match line {
            Line::Session { id, facts, summary } => {
                if let Some(done) = incoming.take() {
                    finish(store, done).await?;
                }
                sessions += 1;
                bar.set_position(sessions);
                let created = store.version(&id).await? == Version::NONE;
                incoming = Some(Incoming { id, facts, summary, turns: Vec::new(), created });
            }
            Line::Turn(turn) => {
                let Some(session) = &mut incoming else {
                    return Err(wrong(number, "a turn without the line of its session in front"));
                };
                session.turns.push(turn);
                if session.turns.len() == BATCH {
                    append(store, session).await?;
                }
            }
        }
    }
    if let Some(done) = incoming {
        finish(store, done).await?;
    }
    bar.finish_and_clear();
    Output::note(&format!(
        "imported {}\n",
        counted(usize::try_from(sessions).unwrap_or(usize::MAX))
    ));
    Ok(())
}

/// Turns go behind those that are there; the same ones again are the same turns.
async fn append(store: &dyn SessionStore, session: &mut Incoming) -> Result<(), Failure> {
    let mut change = Change::new(session.id.clone(), Version::NONE);
    change.append = std::mem::take(&mut session.turns);
    let done = store.commit(&change).await;
    done.map_err(|error| Failure::Said(format!("session {}: {error:#}", session.id)))?;
    Ok(())
}

/// Facts and summary are set on sessions that the import has created; what others know by now is theirs.
async fn finish(store: &dyn SessionStore, mut session: Incoming) -> Result<(), Failure> {
    append(store, &mut session).await?;
    if !session.created {
        return Ok(());
    }
    let mut change = Change::new(session.id.clone(), store.version(&session.id).await?);
    change.facts = (!session.facts.is_empty()).then_some(session.facts);
    change.summary = session.summary;
    let done = store.commit(&change).await;
    done.map_err(|error| Failure::Said(format!("session {}: {error:#}", session.id)))?;
    Ok(())
}

fn open(file: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let unreadable =
        |error| Failure::Said(format!("{}: it cannot be read: {error}", file.display()));
    Ok(Box::new(BufReader::new(File::open(file).map_err(unreadable)?)))
}
