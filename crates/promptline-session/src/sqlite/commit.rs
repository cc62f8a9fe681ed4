//! What writes: inside of the writer's transaction.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::failed;
use super::worker::Writing;
use crate::rules::{self, Head};
use crate::{Change, Committed, Error, SessionId, Turn, Version};

/// SQLite's integers are signed.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn head(connection: &Connection, id: &SessionId) -> Result<Option<Head>, Error> {
    let sql = "SELECT epoch, number, next_seq, covers_through, fallback FROM session WHERE id = ?1";
    let mut query = connection.prepare_cached(sql).map_err(failed)?;
    let row = query.query_row([id.as_str()], |row| {
        Ok(Head {
            version: Version::new(unsigned(row.get(0)?), unsigned(row.get(1)?)),
            next_seq: unsigned(row.get(2)?),
            covers_through: unsigned(row.get(3)?),
            fallback: row.get(4)?,
        })
    });
    row.optional().map_err(failed)
}

fn existing(writing: &Writing<'_>, change: &Change) -> Result<Vec<Turn>, Error> {
    let sql = "SELECT seq, body FROM turn WHERE session = ?1 AND turn_id = ?2";
    let mut query = writing.connection.prepare_cached(sql).map_err(failed)?;
    let mut turns = Vec::new();
    for turn in &change.append {
        let row = query.query_row([change.session.as_str(), turn.id.as_str()], |row| {
            Ok((unsigned(row.get(0)?), row.get::<_, Vec<u8>>(1)?))
        });
        if let Some((seq, body)) = row.optional().map_err(failed)? {
            turns.push(writing.codec.read_turn(&change.session, seq, &body)?);
        }
    }
    Ok(turns)
}

fn next_epoch(connection: &Connection) -> Result<u64, Error> {
    let sql = "UPDATE counter SET value = value + 1 WHERE name = 'epoch' RETURNING value";
    connection.query_row(sql, [], |row| row.get(0)).map(unsigned).map_err(failed)
}

pub(super) fn commit(writing: &Writing<'_>, change: &Change) -> Result<Committed, Error> {
    let connection = writing.connection;
    let head = head(connection, &change.session)?;
    rules::admit(head.as_ref(), change)?;
    let existing = if head.is_some() { existing(writing, change)? } else { Vec::new() };
    let mut plan = rules::plan(head.as_ref(), change, existing, 0)?;
    plan.committed.at_ms = writing.now_ms;
    if plan.is_empty {
        return Ok(plan.committed);
    }
    if plan.creates {
        plan.committed.version = Version::new(next_epoch(connection)?, 1);
    }
    let state =
        writing.codec.state(&change.session, change.facts.as_ref(), change.summary.as_ref())?;
    let sql = "INSERT INTO turn (session, seq, turn_id, body) VALUES (?1, ?2, ?3, ?4)";
    let mut insert = connection.prepare_cached(sql).map_err(failed)?;
    for (seq, turn) in &plan.turns {
        let turn = Turn { seq: *seq, ..Turn::clone(turn) };
        let body = writing.codec.turn(&change.session, &turn)?;
        insert
            .execute(params![change.session.as_str(), signed(*seq), turn.id.as_str(), body])
            .map_err(failed)?;
    }
    let summary = change.summary.as_ref();
    let sql = "INSERT INTO session
            (id, epoch, number, next_seq, covers_through, fallback, facts, summary, created_ms, updated_ms)
        VALUES (?1, ?2, ?3, ?4, COALESCE(?5, 0), COALESCE(?6, 0), ?7, ?8, ?9, ?9)
        ON CONFLICT (id) DO UPDATE SET
            number = excluded.number, next_seq = excluded.next_seq, updated_ms = excluded.updated_ms,
            covers_through = COALESCE(?5, covers_through), fallback = COALESCE(?6, fallback),
            facts = COALESCE(?7, facts), summary = COALESCE(?8, summary)";
    let mut write = connection.prepare_cached(sql).map_err(failed)?;
    write
        .execute(params![
            change.session.as_str(),
            signed(plan.committed.version.epoch),
            signed(plan.committed.version.number),
            signed(plan.next_seq),
            summary.map(|summary| signed(summary.covers_through)),
            summary.map(|summary| summary.fallback_from.is_some()),
            state.facts,
            state.summary,
            signed(writing.now_ms),
        ])
        .map_err(failed)?;
    Ok(plan.committed)
}

pub(super) fn delete(writing: &Writing<'_>, id: &SessionId) -> Result<bool, Error> {
    let connection = writing.connection;
    connection.execute("DELETE FROM turn WHERE session = ?1", [id.as_str()]).map_err(failed)?;
    let gone = connection.execute("DELETE FROM session WHERE id = ?1", [id.as_str()]);
    gone.map(|rows| rows > 0).map_err(failed)
}

pub(super) fn fork(
    writing: &Writing<'_>,
    source: &SessionId,
    target: &SessionId,
    through: u64,
) -> Result<Version, Error> {
    let (connection, codec) = (writing.connection, writing.codec);
    let from = head(connection, source)?.ok_or_else(|| Error::conflict(Version::NONE))?;
    if let Some(there) = head(connection, target)? {
        return Err(Error::conflict(there.version));
    }
    let through = through.min(from.next_seq - 1);
    let version = Version::new(next_epoch(connection)?, 1);
    let sql = "SELECT facts, summary FROM session WHERE id = ?1";
    let (facts, summary): (Option<Vec<u8>>, Option<Vec<u8>>) = connection
        .query_row(sql, [source.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .map_err(failed)?;
    let keeps = from.covers_through > 0 && from.covers_through <= through;
    // A record is sealed for its session, so each is opened and sealed again.
    let facts = facts.map(|facts| codec.read_facts(source, &facts)).transpose()?;
    let summary =
        summary.filter(|_| keeps).map(|bytes| codec.read_summary(source, &bytes)).transpose()?;
    let state = codec.state(target, facts.as_ref(), summary.as_ref())?;
    let sql = "SELECT seq, turn_id, body FROM turn WHERE session = ?1 AND seq <= ?2 ORDER BY seq";
    let mut query = connection.prepare(sql).map_err(failed)?;
    let mut rows = query.query(params![source.as_str(), signed(through)]).map_err(failed)?;
    let sql = "INSERT INTO turn (session, seq, turn_id, body) VALUES (?1, ?2, ?3, ?4)";
    let mut insert = connection.prepare(sql).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let seq: i64 = row.get(0).map_err(failed)?;
        let turn_id: String = row.get(1).map_err(failed)?;
        let body: Vec<u8> = row.get(2).map_err(failed)?;
        let body = match codec.cipher {
            None => body,
            Some(_) => codec.turn(target, &codec.read_turn(source, unsigned(seq), &body)?)?,
        };
        insert.execute(params![target.as_str(), seq, turn_id, body]).map_err(failed)?;
    }
    let sql = "INSERT INTO session
            (id, epoch, number, next_seq, covers_through, fallback, facts, summary, created_ms, updated_ms)
        VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
    let written = params![
        target.as_str(),
        signed(version.epoch),
        signed(through + 1),
        if keeps { signed(from.covers_through) } else { 0 },
        keeps && from.fallback,
        state.facts,
        state.summary,
        signed(writing.now_ms),
    ];
    connection.execute(sql, written).map_err(failed)?;
    Ok(version)
}
