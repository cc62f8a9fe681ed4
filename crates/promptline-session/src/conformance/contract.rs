//! 1 to 30: what a record promises.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use serde_json::json;

use super::{Checked, Cx, Failure, ensure, fill, loaded, said, table, turn};
use crate::{
    Change, ErrorKind, Facts, ListQuery, MemoryCache, Message, Outcome, Part, Proposal, Session,
    SessionId, Slot, Slots, Summary, Tiered, TrustPolicy, Turn, TurnId, TurnQuery, Version,
};

table! {
    "01 a missing session is none" => missing,
    "02 what was stored comes back, unknown fields too" => round_trip,
    "03 any text of Unicode comes back" => unicode,
    "04 turns keep the order of the caller" => order,
    "05 a batch is written whole or not at all" => atomic,
    "06 no version comes twice" => versions,
    "07 a stale version is a conflict and writes nothing" => stale,
    "08 the same turn twice is one turn" => duplicate,
    "09 the same turn id with another body is refused" => other_body,
    "10 ids are kept apart" => ids,
    "11 the last turns come in order" => last,
    "12 none and more than all are allowed" => last_edges,
    "13 a list is complete while sessions are added" => cursor,
    "14 delete removes everything" => delete,
    "15 delete of nothing says so" => delete_missing,
    "16 a write after a delete brings nothing back" => late_write,
    "17 a fork has the turns and leaves the source alone" => fork,
    "18 a fork at the edges" => fork_edges,
    "19 a spoiled turn is reported and the others load" => corrupt,
    "20 old schemas are migrated and newer ones refused" => schemas,
    "21 what is too large is refused before it is written" => too_large,
    "22 an empty change changes nothing" => empty,
    "23 what was returned is the caller's own" => no_aliasing,
    "24 a dropped commit is whole or not there" => dropped,
    "25 an idle cache does not shorten the record" => retention,
    "26 a summary that is late does not bring a session back" => no_resurrection,
    "27 close may be called twice" => close,
    "28 closing one handle leaves the others open" => other_handles,
    "29 errors hold nothing of what was said" => private,
    "30 sealed records hold no plain text" => sealed,
}

fn conflict(result: &Result<crate::Committed, crate::Error>) -> Option<Version> {
    match result.as_ref().err()?.kind() {
        ErrorKind::Conflict { current } => Some(*current),
        _ => None,
    }
}

async fn missing(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("none")?);
    ensure!(store.load(&id).await?.is_none(), "it is there");
    ensure!(store.version(&id).await? == Version::NONE, "it has a version");
    let page = store.turns(&id, TurnQuery::Last(9)).await?;
    ensure!(page.turns.is_empty(), "it has turns");
    Ok(())
}

async fn round_trip(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let turn: Turn = serde_json::from_value(json!({
        "id": "t1", "at_ms": 7, "channel": {"kind": "app", "n": 1.5},
        "messages": [
            {"role": "user", "parts": [{"type": "text", "text": "hello", "lang": "en"}], "name": "Ada"},
            {"role": "assistant", "parts": [
                {"type": "tool_call", "id": "c", "name": "find", "args": {"b": [1, null], "a": ""}, "signature": "x"},
                {"type": "thinking", "thinking": "…", "signature": "abc"},
            ]},
            {"role": "tool", "parts": [{"type": "tool_result", "id": "c", "text": "42", "error": true}]},
        ],
    }))?;
    let summary = Summary::new("so far", 1).facts([("slot".to_owned(), json!({"x": 1}))].into());
    let change =
        Change::new(id.clone(), Version::NONE).append(turn.clone()).append(self::turn("t2", "b")?);
    store.commit(&change.summary(summary.clone())).await?;
    let session = loaded(&*cx.open().await?, &id).await?;
    ensure!(session.summary == Some(summary), "the summary differs");
    let page = store.turns(&id, TurnQuery::Last(2)).await?;
    let Some(first) = page.turns.first() else { return Err(Failure::Failed("no turns".into())) };
    ensure!(**first == Turn { seq: 1, ..turn }, "the turn differs: {first:?}");
    Ok(())
}

async fn unicode(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("会话-👩‍👩‍👧")?);
    let texts = [
        "👩‍👩‍👧‍👦 e\u{301} 🇨🇳",
        "\u{202e}עברית\u{202c} العربية",
        "a\0b",
        "\u{feff}\u{fffe}\u{10ffff}",
        "\r\n\t\u{2028}",
    ];
    let mut change = Change::new(id.clone(), Version::NONE);
    for (at, text) in texts.iter().enumerate() {
        change = change.append(Turn::new(TurnId::new(format!("号{at}"))?).user(*text));
    }
    store.commit(&change).await?;
    let session = loaded(&*cx.open().await?, &id).await?;
    let read: Vec<&str> = session.turns.iter().flat_map(|turn| said(turn)).collect();
    ensure!(read == texts, "{read:?}");
    // Half a surrogate pair is no text; it is refused where it is read.
    let half = serde_json::from_str::<Message>(
        r#"{"role":"user","parts":[{"type":"text","text":"\ud800"}]}"#,
    );
    ensure!(half.is_err(), "half a surrogate pair became text");
    Ok(())
}

async fn order(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let mut names = Vec::new();
    for batch in 0..4 {
        let mut change = Change::new(id.clone(), store.version(&id).await?);
        for n in (0..5).rev() {
            names.push(format!("{batch}-{n}"));
            change = change.append(turn(&format!("{batch}-{n}"), "x")?);
        }
        let done = store.commit(&change).await?;
        let from = batch * 5 + 1;
        ensure!(done.seqs == (from..from + 5).collect::<Vec<u64>>(), "numbers {:?}", done.seqs);
    }
    let page = store.turns(&id, TurnQuery::After { seq: 0, limit: 99 }).await?;
    let read: Vec<&str> = page.turns.iter().map(|turn| turn.id.as_str()).collect();
    ensure!(read == names, "{read:?}");
    Ok(())
}

async fn atomic(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let before = fill(&*store, &id, 1).await?;
    let change = Change::to(&before)
        .append(turn("new", "a")?)
        .append(turn("t1", "something else")?)
        .append(turn("newer", "b")?);
    ensure!(store.commit(&change).await.is_err(), "it was taken");
    let after = loaded(&*cx.open().await?, &id).await?;
    ensure!(after == before, "something of it was written");
    Ok(())
}

async fn versions(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let mut seen = BTreeSet::new();
    let mut last = Version::NONE;
    for round in 0..3 {
        for n in 0..3 {
            let change = Change::new(id.clone(), store.version(&id).await?);
            let done = store.commit(&change.append(turn(&format!("{round}-{n}"), "x")?)).await?;
            ensure!(
                done.version > last && seen.insert(done.version),
                "{} after {last}",
                done.version
            );
            ensure!(store.version(&id).await? == done.version, "another version is stored");
            last = done.version;
        }
        store.delete(&id).await?;
        ensure!(store.version(&id).await? == Version::NONE, "a deleted session has a version");
    }
    Ok(())
}

async fn stale(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let old = fill(&*store, &id, 1).await?;
    let now = fill(&*store, &id, 2).await?;
    for change in [
        Change::to(&old).facts(Facts::default()),
        Change::to(&old).summary(Summary::new("old", 1)),
        Change::to(&old).append(turn("t3", "x")?).exact(),
    ] {
        let result = store.commit(&change).await;
        ensure!(conflict(&result) == Some(now.version), "{result:?}");
    }
    ensure!(loaded(&*store, &id).await? == now, "something was written");
    // What only adds goes behind.
    let done = store.commit(&Change::to(&old).append(turn("t3", "x")?)).await?;
    ensure!(done.rebased && done.seqs == [3], "{done:?}");
    Ok(())
}

async fn duplicate(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let first = fill(&*store, &id, 2).await?;
    let again = turn("t1", "question 1")?;
    let done = store.commit(&Change::to(&first).append(again.clone().at_ms(99))).await?;
    ensure!(done.version == first.version && done.seqs == [1], "{done:?}");
    ensure!(done.duplicates == [again.id.clone()], "{done:?}");
    // As the caller tries again who does not know that the session was created.
    let done = store.commit(&Change::new(id.clone(), Version::NONE).append(again)).await?;
    ensure!(done.version == first.version, "{done:?}");
    let twice = Change::to(&first).append(turn("t3", "x")?).append(turn("t3", "x")?);
    let done = store.commit(&twice).await?;
    ensure!(done.seqs == [3, 3], "{done:?}");
    let page = store.turns(&id, TurnQuery::Last(9)).await?;
    ensure!(page.turns.len() == 3, "{} turns", page.turns.len());
    Ok(())
}

async fn other_body(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let session = fill(&*store, &id, 1).await?;
    let error = store.commit(&Change::to(&session).append(turn("t1", "other")?)).await.err();
    let kind = error.map(|error| error.kind().clone());
    ensure!(kind == Some(ErrorKind::TurnExists { turn: TurnId::new("t1")? }), "{kind:?}");
    ensure!(loaded(&*store, &id).await? == session, "something was written");
    Ok(())
}

async fn ids(cx: Cx<'_>) -> Checked {
    let store = cx.open().await?;
    let base = cx.id("x")?;
    let tails = ["", "y", ":y", "{y}", "}{", "/y", "%", "_", "Y", " ", "*", "\\", "'--", "é"];
    let ids = tails.iter().map(|tail| SessionId::new(format!("{base}{tail}")));
    let ids = ids.collect::<Result<Vec<_>, _>>()?;
    for id in &ids {
        let change = Change::new(id.clone(), Version::NONE).append(turn("t", id.as_str())?);
        store.commit(&change).await?;
    }
    for id in &ids {
        let session = loaded(&*store, id).await?;
        let turns = session.turns.iter().flat_map(|turn| said(turn)).next();
        ensure!(session.turns.len() == 1 && turns == Some(id.as_str()), "{id}");
    }
    let listed = store.list(&ListQuery::first(100).prefix(base.as_str())).await?;
    let mut sorted = ids.clone();
    sorted.sort();
    let listed: Vec<SessionId> = listed.into_iter().map(|info| info.id).collect();
    ensure!(listed == sorted, "listed {listed:?}");
    for id in &ids {
        ensure!(store.delete(id).await?, "{id} was not there any more");
    }
    Ok(())
}

async fn last(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    fill(&*store, &id, 7).await?;
    let page = store.turns(&id, TurnQuery::Last(3)).await?;
    let seqs: Vec<u64> = page.turns.iter().map(|turn| turn.seq).collect();
    ensure!(seqs == [5, 6, 7], "{seqs:?}");
    let page = store.turns(&id, TurnQuery::After { seq: 2, limit: 3 }).await?;
    let seqs: Vec<u64> = page.turns.iter().map(|turn| turn.seq).collect();
    ensure!(seqs == [3, 4, 5] && page.through == 5, "{seqs:?}");
    Ok(())
}

async fn last_edges(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    fill(&*store, &id, 3).await?;
    for (query, count) in [
        (TurnQuery::Last(0), 0),
        (TurnQuery::Last(usize::MAX), 3),
        (TurnQuery::After { seq: 0, limit: 0 }, 0),
        (TurnQuery::After { seq: 3, limit: 9 }, 0),
        (TurnQuery::After { seq: u64::MAX, limit: usize::MAX }, 0),
    ] {
        let page = store.turns(&id, query).await?;
        ensure!(page.turns.len() == count, "{query:?}: {}", page.turns.len());
    }
    Ok(())
}

async fn cursor(cx: Cx<'_>) -> Checked {
    let store = cx.open().await?;
    let id = |n: usize| cx.id(&format!("{n:03}"));
    for n in (0..40).step_by(2) {
        store.commit(&Change::new(id(n)?, Version::NONE).append(turn("t", "x")?)).await?;
    }
    let mut query = ListQuery::first(7).prefix(cx.id("")?.as_str());
    let mut seen = Vec::new();
    loop {
        let page = store.list(&query).await?;
        let Some(last) = page.last() else { break };
        query.after = Some(last.id.clone());
        seen.extend(page.iter().map(|info| info.id.clone()));
        // Others come in between, on both sides of where we are.
        let n = seen.len() * 2 + 1;
        store.commit(&Change::new(id(n % 40)?, Version::NONE).append(turn("t", "x")?)).await?;
        ensure!(seen.len() < 100, "it has no end");
    }
    let once: BTreeSet<&SessionId> = seen.iter().collect();
    ensure!(once.len() == seen.len(), "a session came twice");
    for n in (0..40).step_by(2) {
        ensure!(once.contains(&id(n)?), "{n} is missing");
    }
    Ok(())
}

fn slots() -> Result<Slots, crate::Error> {
    Slots::new([Slot::new("device", "the model of the device")])
}

fn facts() -> Result<Facts, crate::Error> {
    let mut facts = Facts::default();
    let none: [Arc<Turn>; 0] = [];
    let proposal = Proposal::host("device", "X-200");
    let outcome = facts.propose(&slots()?, &TrustPolicy, &none, proposal, 1);
    debug_assert_eq!(outcome, Outcome::Accepted);
    Ok(facts)
}

async fn delete(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let session = fill(&*store, &id, 4).await?;
    store.commit(&Change::to(&session).facts(facts()?).summary(Summary::new("s", 2))).await?;
    ensure!(store.delete(&id).await?, "it was not there");
    ensure!(store.load(&id).await?.is_none(), "it is there still");
    ensure!(
        store.turns(&id, TurnQuery::Last(9)).await?.turns.is_empty(),
        "its turns are there still"
    );
    let again = Change::new(id.clone(), Version::NONE).append(turn("t1", "another life")?);
    let done = store.commit(&again).await?;
    let session = loaded(&*store, &id).await?;
    ensure!(done.seqs == [1] && session.turns.len() == 1, "turns of the first life");
    ensure!(session.facts.is_empty() && session.summary.is_none(), "state of the first life");
    Ok(())
}

async fn delete_missing(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    ensure!(!store.delete(&id).await?, "nothing was deleted");
    fill(&*store, &id, 1).await?;
    ensure!(store.delete(&id).await? && !store.delete(&id).await?, "deleted twice");
    Ok(())
}

async fn late_write(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let old = fill(&*store, &id, 2).await?;
    store.delete(&id).await?;
    for change in
        [Change::to(&old).append(turn("late", "x")?), Change::to(&old).facts(Facts::default())]
    {
        let result = store.commit(&change).await;
        ensure!(conflict(&result) == Some(Version::NONE), "{result:?}");
        ensure!(store.load(&id).await?.is_none(), "it is back");
    }
    let new = fill(&*store, &id, 1).await?;
    let result = store.commit(&Change::to(&old).append(turn("late", "x")?)).await;
    ensure!(conflict(&result) == Some(new.version), "written into another life: {result:?}");
    Ok(())
}

async fn fork(cx: Cx<'_>) -> Checked {
    let (store, id, copy) = (cx.open().await?, cx.id("s")?, cx.id("copy")?);
    let session = fill(&*store, &id, 6).await?;
    store.commit(&Change::to(&session).facts(facts()?).summary(Summary::new("s", 2))).await?;
    let before = loaded(&*store, &id).await?;
    store.fork(&id, &copy, 4).await?;
    let forked = loaded(&*store, &copy).await?;
    ensure!(forked.next_seq == 5 && forked.turns.len() == 2, "{} turns", forked.turns.len());
    ensure!(
        forked.facts == before.facts && forked.summary == before.summary,
        "facts or summary differ"
    );
    let added = store.commit(&Change::to(&forked).append(turn("mine", "x")?)).await?;
    ensure!(added.seqs == [5], "{added:?}");
    ensure!(loaded(&*store, &id).await? == before, "the source has changed");
    // A summary of turns that are not there would be wrong.
    store.fork(&id, &cx.id("early")?, 1).await?;
    let early = loaded(&*store, &cx.id("early")?).await?;
    ensure!(
        early.summary.is_none() && early.turns.len() == 1,
        "a summary of turns that are not there"
    );
    let taken = store.fork(&id, &copy, 4).await;
    ensure!(taken.is_err_and(|error| error.is_conflict()), "a fork over another session");
    Ok(())
}

async fn fork_edges(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    fill(&*store, &id, 3).await?;
    for (name, through, count) in [("none", 0, 0), ("all", 3, 3), ("beyond", u64::MAX, 3)] {
        let target = cx.id(name)?;
        store.fork(&id, &target, through).await?;
        let forked = loaded(&*store, &target).await?;
        ensure!(forked.turns.len() == count, "{name}: {}", forked.turns.len());
    }
    let missing = store.fork(&cx.id("nobody")?, &cx.id("x")?, 1).await;
    ensure!(missing.is_err_and(|error| error.is_conflict()), "a fork of nothing");
    Ok(())
}

async fn corrupt(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    fill(&*store, &id, 3).await?;
    if !cx.harness.spoil_turn(&id, 2).await {
        return Err(Failure::Skipped("its records cannot be spoiled"));
    }
    let page = store.turns(&id, TurnQuery::Last(9)).await?;
    let seqs: Vec<u64> = page.turns.iter().map(|turn| turn.seq).collect();
    ensure!(seqs == [1, 3], "{seqs:?}");
    ensure!(page.corrupt.len() == 1, "{:?}", page.corrupt);
    ensure!(page.corrupt.iter().all(|record| record.contains('2')), "{:?}", page.corrupt);
    let session = loaded(&*cx.open().await?, &id).await?;
    let done = store.commit(&Change::to(&session).append(turn("t4", "x")?)).await?;
    ensure!(done.seqs == [4], "{done:?}");
    Ok(())
}

async fn schemas(cx: Cx<'_>) -> Checked {
    let Some((newer, older)) = cx.harness.other_schemas().await else {
        return Err(Failure::Skipped("it has no schema"));
    };
    let kind = newer.err().map(|error| error.kind().clone());
    ensure!(matches!(kind, Some(ErrorKind::NewerSchema { .. })), "{kind:?}");
    let old = SessionId::new("old")?;
    let session = loaded(&*older, &old).await?;
    ensure!(session.turns.len() == 1, "{} turns of an old schema", session.turns.len());
    older.commit(&Change::to(&session).append(turn("new", "x")?)).await?;
    Ok(())
}

async fn too_large(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let large = |result: Result<crate::Committed, crate::Error>| {
        result.is_err_and(|error| matches!(error.kind(), ErrorKind::TooLarge { .. }))
    };
    let new = || Change::new(id.clone(), Version::NONE);
    let text = "x".repeat(17 << 20);
    let change =
        new().append(turn("small", "x")?).append(Turn::new(TurnId::new("large")?).user(text));
    ensure!(large(store.commit(&change).await), "a turn of 17 MiB was taken");
    let mut many = new();
    for n in 0..1_001 {
        many = many.append(turn(&n.to_string(), "x")?);
    }
    ensure!(large(store.commit(&many).await), "1,001 turns at once were taken");
    let change = new().append(turn("t", "x")?).summary(Summary::new("x".repeat(2 << 20), 1));
    ensure!(large(store.commit(&change).await), "a summary of 2 MiB was taken");
    ensure!(store.load(&id).await?.is_none(), "something was written");
    Ok(())
}

async fn empty(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let done = store.commit(&Change::new(id.clone(), Version::NONE)).await?;
    ensure!(done.version == Version::NONE && store.load(&id).await?.is_none(), "it was created");
    let session = fill(&*store, &id, 2).await?;
    let done = store.commit(&Change::to(&session)).await?;
    ensure!(done.version == session.version, "{done:?}");
    ensure!(loaded(&*store, &id).await? == session, "it has changed");
    Ok(())
}

async fn no_aliasing(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let mut mine = fill(&*store, &id, 2).await?;
    let before = mine.clone();
    mine.turns.clear();
    mine.facts = facts()?;
    ensure!(loaded(&*store, &id).await? == before, "the caller's copy was the store's own");
    Ok(())
}

async fn dropped(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    fill(&*store, &id, 1).await?;
    for polls in 0..24 {
        let name = format!("dropped-{polls}");
        let change = Change::new(id.clone(), store.version(&id).await?)
            .append(turn(&name, "a")?)
            .append(turn(&format!("{name}-b"), "b")?);
        let mut commit = store.commit(&change);
        let mut left = polls;
        std::future::poll_fn(|task| {
            if left == 0 {
                return Poll::Ready(());
            }
            left -= 1;
            match commit.as_mut().poll(task) {
                Poll::Ready(_) => Poll::Ready(()),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
        drop(commit);
        // Nothing is locked: the next one goes through, and a retry is one turn.
        let done =
            store.commit(&Change::new(id.clone(), Version::NONE).append(turn(&name, "a")?)).await?;
        ensure!(done.seqs.len() == 1, "{done:?}");
        let page = store.turns(&id, TurnQuery::Last(usize::MAX)).await?;
        let both = |suffix: &str| {
            let name = format!("{name}{suffix}");
            page.turns.iter().filter(|turn| turn.id.as_str() == name).count()
        };
        ensure!(both("") == 1 && both("-b") <= 1, "after {polls} polls");
        let seqs: Vec<u64> = page.turns.iter().map(|turn| turn.seq).collect();
        ensure!(seqs == (1..=seqs.len() as u64).collect::<Vec<_>>(), "a gap: {seqs:?}");
    }
    Ok(())
}

async fn retention(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let cache = MemoryCache::new().idle(Duration::ZERO);
    let tiered = Tiered::new(store).memory(cache);
    let before = fill(&tiered, &id, 3).await?;
    ensure!(loaded(&tiered, &id).await? == before, "it is gone with the cache");
    Ok(())
}

async fn no_resurrection(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let session = fill(&*store, &id, 5).await?;
    store.delete(&id).await?;
    let result = store.commit(&Change::to(&session).summary(Summary::new("late", 2))).await;
    ensure!(conflict(&result) == Some(Version::NONE), "{result:?}");
    ensure!(store.load(&id).await?.is_none(), "it is back");
    Ok(())
}

async fn close(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let before = fill(&*store, &id, 2).await?;
    store.close().await?;
    store.close().await?;
    ensure!(loaded(&*cx.open().await?, &id).await? == before, "it was not all there");
    Ok(())
}

async fn other_handles(cx: Cx<'_>) -> Checked {
    let (one, other, id) = (cx.open().await?, cx.open().await?, cx.id("s")?);
    fill(&*one, &id, 1).await?;
    one.close().await?;
    let session: Session = loaded(&*other, &id).await?;
    other.commit(&Change::to(&session).append(turn("t2", "x")?)).await?;
    Ok(())
}

async fn private(cx: Cx<'_>) -> Checked {
    const SECRET: &str = "4111-1111-1111-1111";
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let session = fill(&*store, &id, 1).await?;
    let secret = |name: &str| turn(name, SECRET);
    store.commit(&Change::to(&session).append(secret("s")?)).await?;
    let other = secret("s")?.message(Message::new(crate::Role::User, vec![Part::text(SECRET)]));
    let failures = [
        store.commit(&Change::to(&session).append(other)).await.err(),
        store.commit(&Change::to(&session).append(secret("t1")?)).await.err(),
        store.commit(&Change::to(&session).append(secret("e")?).exact()).await.err(),
        store.commit(&Change::to(&session).summary(Summary::new(SECRET, 99))).await.err(),
    ];
    for error in failures {
        let Some(error) = error else { return Err(Failure::Failed("it was taken".into())) };
        let said = format!("{error} {error:#} {error:?}");
        ensure!(!said.contains(SECRET), "{said}");
    }
    Ok(())
}

async fn sealed(cx: Cx<'_>) -> Checked {
    const SECRET: &str = "my PIN is 8472";
    let Some((store, written)) = cx.harness.sealed().await else {
        return Err(Failure::Skipped("what it writes cannot be seen, or it seals nothing"));
    };
    let id = cx.id("s")?;
    let change =
        Change::new(id.clone(), Version::NONE).append(turn("t1", SECRET)?).append(turn("t2", "x")?);
    store.commit(&change.summary(Summary::new(SECRET, 1))).await?;
    let session = loaded(&*store, &id).await?;
    ensure!(session.summary.is_some_and(|summary| summary.text == SECRET), "it does not come back");
    let page = store.turns(&id, TurnQuery::Last(2)).await?;
    ensure!(page.turns.len() == 2 && page.corrupt.is_empty(), "{:?}", page.corrupt);
    let written = written();
    let found = written.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
    ensure!(!written.is_empty() && !found, "the secret is on the disk");
    Ok(())
}
