//! What reads.

use std::sync::Arc;

use deadpool_postgres::Object;
use tokio_postgres::{IsolationLevel, Row};

use super::{failed, signed, unsigned};
use crate::codec::Codec;
use crate::{Error, ListQuery, Session, SessionId, SessionInfo, TurnPage, TurnQuery, Version};

pub(super) async fn version(client: &Object, id: &SessionId) -> Result<Version, Error> {
    let sql = "SELECT epoch, number FROM promptline_session WHERE id = $1";
    let query = client.prepare_cached(sql).await.map_err(failed)?;
    let row = client.query_opt(&query, &[&id.as_str()]).await.map_err(failed)?;
    Ok(row.map_or(Version::NONE, |row| Version::new(unsigned(row.get(0)), unsigned(row.get(1)))))
}

pub(super) async fn load(
    client: &mut Object,
    codec: &Codec,
    id: &SessionId,
) -> Result<Option<Session>, Error> {
    // Session and turns of one moment.
    let read = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    let read = read.read_only(true).start().await.map_err(failed)?;
    let sql =
        "SELECT epoch, number, next_seq, covers_through, facts, summary, created_ms, updated_ms
        FROM promptline_session WHERE id = $1";
    let query = read.prepare_cached(sql).await.map_err(failed)?;
    let Some(row) = read.query_opt(&query, &[&id.as_str()]).await.map_err(failed)? else {
        return Ok(None);
    };
    let mut session = Session {
        version: Version::new(unsigned(row.get(0)), unsigned(row.get(1))),
        next_seq: unsigned(row.get(2)),
        created_ms: unsigned(row.get(6)),
        updated_ms: unsigned(row.get(7)),
        ..Session::new(id.clone())
    };
    let covered = unsigned(row.get(3));
    if let Some(facts) = row.get::<_, Option<&[u8]>>(4) {
        session.facts = codec.read_facts(id, facts)?;
    }
    let summary = row.get::<_, Option<&[u8]>>(5);
    session.summary = summary.map(|summary| codec.read_summary(id, summary)).transpose()?;
    // The newest ones, where there are more than are loaded.
    let from = covered.max((session.next_seq - 1).saturating_sub(codec.limits.loaded_turns as u64));
    let query = read.prepare_cached(PAGE).await.map_err(failed)?;
    let rows =
        read.query(&query, &[&id.as_str(), &signed(from), &i64::MAX]).await.map_err(failed)?;
    let page = page(codec, id, &rows);
    (session.turns, session.corrupt) = (page.turns, page.corrupt);
    read.commit().await.map_err(failed)?;
    Ok(Some(session))
}

const PAGE: &str =
    "SELECT seq, body FROM promptline_turn WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3";

pub(super) async fn turns(
    client: &Object,
    codec: &Codec,
    id: &SessionId,
    query: TurnQuery,
) -> Result<TurnPage, Error> {
    let (sql, from, limit) = match query {
        TurnQuery::After { seq, limit } => (PAGE, signed(seq), limit),
        TurnQuery::Last(n) => (
            "SELECT * FROM (SELECT seq, body FROM promptline_turn WHERE session = $1 AND seq > $2
                ORDER BY seq DESC LIMIT $3) AS last ORDER BY seq",
            0,
            n,
        ),
    };
    let query = client.prepare_cached(sql).await.map_err(failed)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = client.query(&query, &[&id.as_str(), &from, &limit]).await.map_err(failed)?;
    Ok(page(codec, id, &rows))
}

fn page(codec: &Codec, id: &SessionId, rows: &[Row]) -> TurnPage {
    let mut page = TurnPage::default();
    for row in rows {
        page.through = unsigned(row.get(0));
        match codec.read_turn(id, page.through, row.get::<_, &[u8]>(1)) {
            Ok(turn) => page.turns.push(Arc::new(turn)),
            Err(error) => {
                tracing::error!(%error, "a turn cannot be read");
                page.corrupt.push(error.to_string());
            }
        }
    }
    page
}

pub(super) async fn list(client: &Object, query: &ListQuery) -> Result<Vec<SessionInfo>, Error> {
    let sql = "SELECT id, epoch, number, next_seq, covers_through, created_ms, updated_ms FROM promptline_session
        WHERE id > $1 AND starts_with(id, $2) AND updated_ms < $3 ORDER BY id LIMIT $4";
    let statement = client.prepare_cached(sql).await.map_err(failed)?;
    let after = query.after.as_ref().map_or("", SessionId::as_str);
    let prefix = query.prefix.as_deref().unwrap_or_default();
    let idle = query.idle_since_ms.map_or(i64::MAX, signed);
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let rows = client.query(&statement, &[&after, &prefix, &idle, &limit]).await.map_err(failed)?;
    let info = |row: &Row| {
        let version = Version::new(unsigned(row.get(1)), unsigned(row.get(2)));
        Ok(SessionInfo {
            covered_through: unsigned(row.get(4)),
            created_ms: unsigned(row.get(5)),
            updated_ms: unsigned(row.get(6)),
            ..SessionInfo::new(
                SessionId::new(row.get::<_, String>(0))?,
                version,
                unsigned(row.get(3)).saturating_sub(1),
            )
        })
    };
    rows.iter().map(info).collect()
}
