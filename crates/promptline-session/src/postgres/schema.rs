//! Tables, and how older ones become newer.

use deadpool_postgres::Object;

use super::failed;
use crate::{Error, ErrorKind};

/// Steps from one schema to the next; the schema of a database is how many were done. Never edit one that was
/// released. Records are bytes: JSON of PostgreSQL cannot hold U+0000, and sealed records are no text. Ids are
/// compared byte by byte, as in the other stores.
const STEPS: &[&str] = &[
    // 1: sessions and turns.
    r#"CREATE TABLE promptline_session (
        id text COLLATE "C" PRIMARY KEY,
        epoch bigint NOT NULL,
        number bigint NOT NULL,
        next_seq bigint NOT NULL,
        covers_through bigint NOT NULL DEFAULT 0,
        facts bytea,
        summary bytea,
        created_ms bigint NOT NULL,
        updated_ms bigint NOT NULL
    );
    CREATE TABLE promptline_turn (
        session text COLLATE "C" NOT NULL,
        seq bigint NOT NULL,
        turn_id text COLLATE "C" NOT NULL,
        body bytea NOT NULL,
        PRIMARY KEY (session, seq),
        UNIQUE (session, turn_id)
    );
    CREATE SEQUENCE promptline_epoch;"#,
    // 2: whether a summary was made without a model, and when sessions were last changed.
    "ALTER TABLE promptline_session ADD COLUMN fallback boolean NOT NULL DEFAULT false;
    CREATE INDEX promptline_session_by_update ON promptline_session (updated_ms);",
];

/// The number of a lock that only this crate takes.
const LOCK: i64 = 0x7072_6f6d_7074_6c6e;

pub(super) async fn migrate(client: &mut Object) -> Result<(), Error> {
    let known = u32::try_from(STEPS.len()).unwrap_or(u32::MAX);
    let write = client.transaction().await.map_err(failed)?;
    // Several workers may start at once.
    write.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(failed)?;
    write
        .batch_execute("CREATE TABLE IF NOT EXISTS promptline_schema (version bigint NOT NULL)")
        .await
        .map_err(failed)?;
    let found =
        write.query_opt("SELECT version FROM promptline_schema", &[]).await.map_err(failed)?;
    let found = found.map_or(0, |row| row.get::<_, i64>(0));
    let found = u32::try_from(found).unwrap_or(u32::MAX);
    if found > known {
        let message = format!(
            "the tables have schema {found}, and this version reads up to {known}; update promptline-session"
        );
        return Err(Error::new(ErrorKind::NewerSchema { found, known }, message));
    }
    if found < known {
        for step in STEPS.iter().skip(found as usize) {
            write.batch_execute(step).await.map_err(failed)?;
        }
        write.batch_execute("DELETE FROM promptline_schema").await.map_err(failed)?;
        let version = i64::from(known);
        write
            .execute("INSERT INTO promptline_schema VALUES ($1)", &[&version])
            .await
            .map_err(failed)?;
    }
    write.commit().await.map_err(failed)
}
