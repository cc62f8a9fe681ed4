//! What reads. One transaction each, so that all of it is of one version.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::commit::{signed, unsigned};
use super::failed;
use crate::codec::Codec;
use crate::{Error, ListQuery, Session, SessionId, SessionInfo, TurnPage, TurnQuery, Version};

pub(super) fn version(connection: &Connection, id: &SessionId) -> Result<Version, Error> {
    let sql = "SELECT epoch, number FROM session WHERE id = ?1";
    let mut query = connection.prepare_cached(sql).map_err(failed)?;
    let row = query.query_row([id.as_str()], |row| {
        Ok(Version::new(unsigned(row.get(0)?), unsigned(row.get(1)?)))
    });
    Ok(row.optional().map_err(failed)?.unwrap_or(Version::NONE))
}

pub(super) fn load(
    connection: &mut Connection,
    codec: &Codec,
    id: SessionId,
) -> Result<Option<Session>, Error> {
    let read = connection.transaction().map_err(failed)?;
    let sql =
        "SELECT epoch, number, next_seq, covers_through, facts, summary, created_ms, updated_ms
        FROM session WHERE id = ?1";
    let mut query = read.prepare_cached(sql).map_err(failed)?;
    let row = query.query_row([id.as_str()], |row| {
        let session = Session {
            version: Version::new(unsigned(row.get(0)?), unsigned(row.get(1)?)),
            next_seq: unsigned(row.get(2)?),
            created_ms: unsigned(row.get(6)?),
            updated_ms: unsigned(row.get(7)?),
            ..Session::new(id.clone())
        };
        let covered = unsigned(row.get(3)?);
        Ok((session, covered, row.get::<_, Option<Vec<u8>>>(4)?, row.get::<_, Option<Vec<u8>>>(5)?))
    });
    let Some((mut session, covered, facts, summary)) = row.optional().map_err(failed)? else {
        return Ok(None);
    };
    if let Some(facts) = facts {
        session.facts = codec.read_facts(&id, &facts)?;
    }
    session.summary = summary.map(|summary| codec.read_summary(&id, &summary)).transpose()?;
    // The newest ones, where there are more than are loaded.
    let from = covered.max((session.next_seq - 1).saturating_sub(codec.limits.loaded_turns as u64));
    let page = page(&read, codec, &id, from, usize::MAX)?;
    (session.turns, session.corrupt) = (page.turns, page.corrupt);
    Ok(Some(session))
}

pub(super) fn turns(
    connection: &mut Connection,
    codec: &Codec,
    id: &SessionId,
    query: TurnQuery,
) -> Result<TurnPage, Error> {
    let read = connection.transaction().map_err(failed)?;
    let (after, limit) = match query {
        TurnQuery::After { seq, limit } => (seq, limit),
        TurnQuery::Last(n) => {
            let sql = "SELECT next_seq FROM session WHERE id = ?1";
            let next = read.query_row(sql, [id.as_str()], |row| row.get(0)).optional();
            let next = unsigned(next.map_err(failed)?.unwrap_or(1));
            ((next - 1).saturating_sub(n as u64), n)
        }
    };
    page(&read, codec, id, after, limit)
}

fn page(
    connection: &Connection,
    codec: &Codec,
    id: &SessionId,
    after: u64,
    limit: usize,
) -> Result<TurnPage, Error> {
    let sql = "SELECT seq, body FROM turn WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
    let mut query = connection.prepare_cached(sql).map_err(failed)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut rows = query.query(params![id.as_str(), signed(after), limit]).map_err(failed)?;
    let mut page = TurnPage::default();
    while let Some(row) = rows.next().map_err(failed)? {
        page.through = unsigned(row.get(0).map_err(failed)?);
        // A record of another type is corrupt, and no reason to hide the others.
        let body = row.get_ref(1).map_err(failed)?;
        let body = body.as_bytes().unwrap_or_default();
        match codec.read_turn(id, page.through, body) {
            Ok(turn) => page.turns.push(Arc::new(turn)),
            Err(error) => {
                tracing::error!(%error, "a turn cannot be read");
                page.corrupt.push(error.to_string());
            }
        }
    }
    Ok(page)
}

pub(super) fn list(connection: &Connection, query: &ListQuery) -> Result<Vec<SessionInfo>, Error> {
    let prefix = query.prefix.as_deref().unwrap_or_default();
    let sql =
        "SELECT id, epoch, number, next_seq, covers_through, created_ms, updated_ms FROM session
        WHERE id > ?1 AND substr(id, 1, ?2) = ?3 AND updated_ms < ?4 ORDER BY id LIMIT ?5";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let after = query.after.as_ref().map_or("", SessionId::as_str);
    let length = i64::try_from(prefix.chars().count()).unwrap_or(i64::MAX);
    let idle = query.idle_since_ms.map_or(i64::MAX, signed);
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let info = |row: &Row<'_>| {
        let id: String = row.get(0)?;
        let version = Version::new(unsigned(row.get(1)?), unsigned(row.get(2)?));
        let turns = unsigned(row.get(3)?).saturating_sub(1);
        let (covered, created, updated): (i64, i64, i64) = (row.get(4)?, row.get(5)?, row.get(6)?);
        Ok((id, version, turns, unsigned(covered), unsigned(created), unsigned(updated)))
    };
    let rows =
        statement.query_map(params![after, length, prefix, idle, limit], info).map_err(failed)?;
    rows.map(|row| {
        let (id, version, turns, covered_through, created_ms, updated_ms) = row.map_err(failed)?;
        let id = SessionId::new(id)?;
        Ok(SessionInfo {
            covered_through,
            created_ms,
            updated_ms,
            ..SessionInfo::new(id, version, turns)
        })
    })
    .collect()
}
