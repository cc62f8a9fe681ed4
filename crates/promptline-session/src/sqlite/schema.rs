//! Tables, and how older ones become newer.

use rusqlite::{Connection, TransactionBehavior};

use super::failed;
use crate::{Error, ErrorKind};

/// Steps from one schema to the next; the schema of a file is how many were done. Never edit one that was released.
const STEPS: &[&str] = &[
    // 1: sessions and turns.
    "CREATE TABLE session (
        id TEXT PRIMARY KEY,
        epoch INTEGER NOT NULL,
        number INTEGER NOT NULL,
        next_seq INTEGER NOT NULL,
        covers_through INTEGER NOT NULL DEFAULT 0,
        facts BLOB,
        summary BLOB,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE turn (
        session TEXT NOT NULL,
        seq INTEGER NOT NULL,
        turn_id TEXT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (session, seq)
    );
    CREATE UNIQUE INDEX turn_by_id ON turn (session, turn_id);
    CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO counter VALUES ('epoch', 0);",
    // 2: whether a summary was made without a model, and when sessions were last changed.
    "ALTER TABLE session ADD COLUMN fallback INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX session_by_update ON session (updated_ms);",
];

pub(super) fn migrate(connection: &mut Connection) -> Result<(), Error> {
    let known = u32::try_from(STEPS.len()).unwrap_or(u32::MAX);
    let version = |connection: &Connection| -> rusqlite::Result<u32> {
        connection.pragma_query_value(None, "user_version", |row| row.get(0))
    };
    let found = version(connection).map_err(failed)?;
    if found == known {
        return Ok(());
    }
    // Another process may be at it as well: what counts is the version once it is our turn.
    let write =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let found = version(&write).map_err(failed)?;
    if found > known {
        let message = format!(
            "the file has schema {found}, and this version reads up to {known}; update promptline-session"
        );
        return Err(Error::new(ErrorKind::NewerSchema { found, known }, message));
    }
    for step in STEPS.iter().skip(found as usize) {
        write.execute_batch(step).map_err(failed)?;
    }
    write.pragma_update(None, "user_version", known).map_err(failed)?;
    write.commit().map_err(failed)
}
