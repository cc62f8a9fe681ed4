//! What writes: one transaction each. A commit locks the session's row, so that commits to one session queue there.

use deadpool_postgres::{Object, Transaction};
use tokio_postgres::error::SqlState;

use super::{failed, signed, unsigned};
use crate::codec::Codec;
use crate::rules::{self, Head};
use crate::{Change, Committed, Error, SessionId, Turn, Version};

/// Milliseconds since 1970 by the server's clock: those of workers differ.
const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

async fn head(write: &Transaction<'_>, id: &SessionId, lock: &str) -> Result<Option<Head>, Error> {
    let sql = format!(
        "SELECT epoch, number, next_seq, covers_through, fallback FROM promptline_session WHERE id = $1 {lock}"
    );
    let query = write.prepare_cached(&sql).await.map_err(failed)?;
    let row = write.query_opt(&query, &[&id.as_str()]).await.map_err(failed)?;
    Ok(row.map(|row| Head {
        version: Version::new(unsigned(row.get(0)), unsigned(row.get(1))),
        next_seq: unsigned(row.get(2)),
        covers_through: unsigned(row.get(3)),
        fallback: row.get(4),
    }))
}

async fn existing(
    write: &Transaction<'_>,
    codec: &Codec,
    change: &Change,
) -> Result<Vec<Turn>, Error> {
    if change.append.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "SELECT seq, body FROM promptline_turn WHERE session = $1 AND turn_id = ANY ($2)";
    let query = write.prepare_cached(sql).await.map_err(failed)?;
    let ids: Vec<&str> = change.append.iter().map(|turn| turn.id.as_str()).collect();
    let rows = write.query(&query, &[&change.session.as_str(), &ids]).await.map_err(failed)?;
    let read = |row: &tokio_postgres::Row| {
        codec.read_turn(&change.session, unsigned(row.get(0)), row.get::<_, &[u8]>(1))
    };
    rows.iter().map(read).collect()
}

async fn next_epoch(write: &Transaction<'_>) -> Result<u64, Error> {
    let row = write.query_one("SELECT nextval('promptline_epoch')", &[]).await.map_err(failed)?;
    Ok(unsigned(row.get(0)))
}

/// Several workers may create a session at once: one does, the others find it.
const TRIES: usize = 4;

pub(super) async fn commit(
    client: &mut Object,
    codec: &Codec,
    change: &Change,
) -> Result<Committed, Error> {
    for _ in 1..TRIES {
        match attempt(client, codec, change).await {
            Err(Failed::Created) => {}
            Err(Failed::Other(error)) => return Err(error),
            Ok(committed) => return Ok(committed),
        }
    }
    attempt(client, codec, change).await.map_err(|failed| match failed {
        Failed::Created => Error::unavailable("the session is created and deleted all the time"),
        Failed::Other(error) => error,
    })
}

enum Failed {
    /// Someone else created the session at the same time.
    Created,
    Other(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

async fn attempt(client: &mut Object, codec: &Codec, change: &Change) -> Result<Committed, Failed> {
    let write = client.transaction().await.map_err(failed)?;
    let head = head(&write, &change.session, "FOR UPDATE").await?;
    rules::admit(head.as_ref(), change)?;
    let existing = if head.is_some() { existing(&write, codec, change).await? } else { Vec::new() };
    let mut plan = rules::plan(head.as_ref(), change, existing, 0)?;
    if plan.is_empty {
        return Ok(plan.committed);
    }
    if plan.creates {
        plan.committed.version = Version::new(next_epoch(&write).await?, 1);
    }
    let summary = change.summary.as_ref();
    let state = codec.state(&change.session, change.facts.as_ref(), summary)?;
    let (version, next_seq) = (plan.committed.version, signed(plan.next_seq));
    let covers = summary.map(|summary| signed(summary.covers_through));
    let fallback = summary.map(|summary| summary.fallback_from.is_some());
    let sql = if plan.creates {
        format!(
            "INSERT INTO promptline_session
                (id, epoch, number, next_seq, covers_through, fallback, facts, summary, created_ms, updated_ms)
            SELECT $1::text, $2::bigint, $3::bigint, $4::bigint, COALESCE($5::bigint, 0),
                COALESCE($6::boolean, false), $7::bytea, $8::bytea, now_ms, now_ms
            FROM (SELECT {NOW} AS now_ms) AS clock RETURNING updated_ms"
        )
    } else {
        format!(
            "UPDATE promptline_session SET number = $3, next_seq = $4, updated_ms = {NOW},
                covers_through = COALESCE($5, covers_through), fallback = COALESCE($6, fallback),
                facts = COALESCE($7, facts), summary = COALESCE($8, summary)
            WHERE id = $1 AND epoch = $2 RETURNING updated_ms"
        )
    };
    let query = write.prepare_cached(&sql).await.map_err(failed)?;
    let row = write
        .query_one(
            &query,
            &[
                &change.session.as_str(),
                &signed(version.epoch),
                &signed(version.number),
                &next_seq,
                &covers,
                &fallback,
                &state.facts,
                &state.summary,
            ],
        )
        .await
        .map_err(|error| match error.code() {
            Some(&SqlState::UNIQUE_VIOLATION) => Failed::Created,
            _ => Failed::Other(failed(error)),
        })?;
    plan.committed.at_ms = unsigned(row.get(0));
    let turns = plan.turns.iter().map(|(seq, turn)| {
        let turn = Turn { seq: *seq, ..Turn::clone(turn) };
        Ok((signed(*seq), turn.id.as_str().to_owned(), codec.turn(&change.session, &turn)?))
    });
    insert(&write, &change.session, turns.collect::<Result<_, Error>>()?).await?;
    // The only statement whose answer may get lost after it was done.
    write.commit().await.map_err(|error| match error.code() {
        Some(_) => failed(error),
        None => failed(error).with_unknown_outcome(),
    })?;
    Ok(plan.committed)
}

async fn insert(
    write: &Transaction<'_>,
    session: &SessionId,
    turns: Vec<(i64, String, Vec<u8>)>,
) -> Result<(), Error> {
    if turns.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO promptline_turn (session, seq, turn_id, body)
        SELECT $1::text, * FROM unnest($2::bigint[], $3::text[], $4::bytea[])";
    let query = write.prepare_cached(sql).await.map_err(failed)?;
    let (mut seqs, mut ids, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    for (seq, id, body) in turns {
        seqs.push(seq);
        ids.push(id);
        bodies.push(body);
    }
    write.execute(&query, &[&session.as_str(), &seqs, &ids, &bodies]).await.map_err(failed)?;
    Ok(())
}

pub(super) async fn delete(client: &mut Object, id: &SessionId) -> Result<bool, Error> {
    let write = client.transaction().await.map_err(failed)?;
    // The row first: a commit under way is waited for, and finds no session after it.
    let gone = write.execute("DELETE FROM promptline_session WHERE id = $1", &[&id.as_str()]).await;
    let gone = gone.map_err(failed)?;
    let turns =
        write.execute("DELETE FROM promptline_turn WHERE session = $1", &[&id.as_str()]).await;
    turns.map_err(failed)?;
    write.commit().await.map_err(|error| failed(error).with_unknown_outcome())?;
    Ok(gone > 0)
}

pub(super) async fn fork(
    client: &mut Object,
    codec: &Codec,
    source: &SessionId,
    target: &SessionId,
    through: u64,
) -> Result<Version, Error> {
    let write = client.transaction().await.map_err(failed)?;
    let from =
        head(&write, source, "FOR SHARE").await?.ok_or_else(|| Error::conflict(Version::NONE))?;
    if let Some(there) = head(&write, target, "").await? {
        return Err(Error::conflict(there.version));
    }
    let through = through.min(from.next_seq - 1);
    let version = Version::new(next_epoch(&write).await?, 1);
    let sql = "SELECT facts, summary FROM promptline_session WHERE id = $1";
    let row = write.query_one(sql, &[&source.as_str()]).await.map_err(failed)?;
    let (facts, summary): (Option<Vec<u8>>, Option<Vec<u8>>) = (row.get(0), row.get(1));
    let keeps = from.covers_through > 0 && from.covers_through <= through;
    // A record is sealed for its session, so each is opened and sealed again.
    let facts = facts.map(|facts| codec.read_facts(source, &facts)).transpose()?;
    let summary =
        summary.filter(|_| keeps).map(|bytes| codec.read_summary(source, &bytes)).transpose()?;
    let state = codec.state(target, facts.as_ref(), summary.as_ref())?;
    let sql = format!(
        "INSERT INTO promptline_session
            (id, epoch, number, next_seq, covers_through, fallback, facts, summary, created_ms, updated_ms)
        SELECT $1::text, $2::bigint, 1, $3::bigint, $4::bigint, $5::boolean, $6::bytea, $7::bytea, now_ms, now_ms
        FROM (SELECT {NOW} AS now_ms) AS clock"
    );
    let covers = if keeps { signed(from.covers_through) } else { 0 };
    write
        .execute(
            &sql,
            &[
                &target.as_str(),
                &signed(version.epoch),
                &signed(through + 1),
                &covers,
                &(keeps && from.fallback),
                &state.facts,
                &state.summary,
            ],
        )
        .await
        .map_err(|error| match error.code() {
            Some(&SqlState::UNIQUE_VIOLATION) => Error::conflict(version),
            _ => failed(error),
        })?;
    if codec.cipher.is_none() {
        let sql = "INSERT INTO promptline_turn (session, seq, turn_id, body)
            SELECT $2::text, seq, turn_id, body FROM promptline_turn WHERE session = $1 AND seq <= $3";
        let copied =
            write.execute(sql, &[&source.as_str(), &target.as_str(), &signed(through)]).await;
        copied.map_err(failed)?;
    } else {
        let sql = "SELECT seq, turn_id, body FROM promptline_turn WHERE session = $1 AND seq <= $2 ORDER BY seq";
        let rows = write.query(sql, &[&source.as_str(), &signed(through)]).await.map_err(failed)?;
        let sealed = rows.iter().map(|row| {
            let (seq, id): (i64, String) = (row.get(0), row.get(1));
            let turn = codec.read_turn(source, unsigned(seq), row.get::<_, &[u8]>(2))?;
            Ok((seq, id, codec.turn(target, &turn)?))
        });
        insert(&write, target, sealed.collect::<Result<_, Error>>()?).await?;
    }
    write.commit().await.map_err(|error| failed(error).with_unknown_outcome())?;
    Ok(version)
}
