//! What is in a record, for people and as JSON.

use std::path::Path;

use promptline_session::{
    ListQuery, Part, Role, SessionId, SessionStore, Stats, TurnQuery, Unhealthy,
};
use serde::Serialize;

use super::args::{ShowArgs, StatsArgs};
use super::{all, moment};
use crate::output::{Failure, Output, harmless};

pub(super) async fn show(
    store: &dyn SessionStore,
    args: &ShowArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let id = SessionId::new(args.session.as_str())?;
    let missing =
        || Failure::Said(format!("there is no session {id}; `promptline session list` lists them"));
    let session = store.load(&id).await?.ok_or_else(missing)?;
    let page = store.turns(&id, TurnQuery::Last(args.turns)).await?;
    for record in session.corrupt.iter().chain(&page.corrupt) {
        Output::note(&format!("warning: {record}\n"));
    }
    if args.json {
        return output.json(&serde_json::json!({
            "id": session.id, "version": session.version, "turns": session.next_seq - 1,
            "created_ms": session.created_ms, "updated_ms": session.updated_ms,
            "facts": session.facts, "summary": session.summary, "last_turns": page.turns,
        }));
    }
    output.line(format_args!(
        "{}: {} turns, version {}, last change {}",
        harmless(id.as_str()),
        session.next_seq - 1,
        session.version,
        moment(session.updated_ms)
    ))?;
    for (slot, fact) in session.facts.iter() {
        output.line(format_args!(
            "fact {}: {}",
            harmless(slot),
            harmless(&fact.value.to_string())
        ))?;
    }
    for (slot, fact) in session.facts.waiting() {
        output.line(format_args!(
            "to confirm {}: {}",
            harmless(slot),
            harmless(&fact.value.to_string())
        ))?;
    }
    if let Some(summary) = &session.summary {
        let made = if summary.fallback_from.is_some() { ", made without a model" } else { "" };
        output.line(format_args!("summary of turns 1 to {}{made}:", summary.covers_through))?;
        output.line(harmless(&summary.text))?;
    }
    for turn in &page.turns {
        output.line(format_args!("turn {} ({})", turn.seq, harmless(turn.id.as_str())))?;
        for message in &turn.messages {
            let who = match message.role {
                Role::User => "user",
                Role::Assistant => "assistant",
                _ => "tool",
            };
            for part in &message.parts {
                let said = match part {
                    Part::Text { text, .. } | Part::ToolResult { text, .. } => text.to_string(),
                    Part::ToolCall { name, args, .. } => format!("calls {name} {args}"),
                    _ => "(a part of another kind)".to_owned(),
                };
                output
                    .line(format_args!("  {who}: {}", harmless(&said).replace('\n', "\n    ")))?;
            }
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Totals {
    sessions: usize,
    turns: u64,
    summarized_turns: u64,
    with_summary: usize,
    last_change_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<Stats>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unhealthy: Vec<Unhealthy>,
}

pub(super) async fn stats(
    store: &dyn SessionStore,
    args: &StatsArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let sessions = all(store, ListQuery::first(usize::MAX)).await?;
    let counters = args.counters.as_deref().map(counters).transpose()?;
    let totals = Totals {
        sessions: sessions.len(),
        turns: sessions.iter().map(|session| session.turns).sum(),
        summarized_turns: sessions.iter().map(|session| session.covered_through).sum(),
        with_summary: sessions.iter().filter(|session| session.covered_through > 0).count(),
        last_change_ms: sessions.iter().map(|session| session.updated_ms).max(),
        unhealthy: counters.map(|counters| counters.unhealthy()).unwrap_or_default(),
        counters,
    };
    if args.json {
        output.json(&totals)?;
    } else {
        output.line(format_args!("sessions          {}", totals.sessions))?;
        output.line(format_args!("turns             {}", totals.turns))?;
        output.line(format_args!("with a summary    {}", totals.with_summary))?;
        output.line(format_args!("summarized turns  {}", totals.summarized_turns))?;
        output.line(format_args!(
            "last change       {}",
            totals.last_change_ms.map_or("-".into(), moment)
        ))?;
        if let Some(counters) = &totals.counters {
            output.line(format_args!(
                "{:8} {:>9} {:>9} {:>7} {:>7} {:>8}",
                "tier", "hits", "misses", "stale", "errors", "skipped"
            ))?;
            for (name, tier) in
                [("memory", counters.memory), ("redis", counters.redis), ("store", counters.store)]
            {
                let (hits, misses, stale) = (tier.hits, tier.misses, tier.stale);
                output.line(format_args!(
                    "{name:8} {hits:>9} {misses:>9} {stale:>7} {:>7} {:>8}",
                    tier.errors, tier.skipped
                ))?;
            }
        }
        for found in &totals.unhealthy {
            output.line(format_args!(
                "unhealthy: {:?} serves {:.1} %; {}",
                found.tier,
                found.share * 100.0,
                found.advice
            ))?;
        }
    }
    if totals.unhealthy.is_empty() { Ok(()) } else { Err(Failure::Found) }
}

fn counters(file: &Path) -> Result<Stats, Failure> {
    let text = match file == Path::new("-") {
        true => crate::clean::stdin()?,
        false => std::fs::read_to_string(file).map_err(|error| {
            Failure::Said(format!("{}: it cannot be read: {error}", file.display()))
        })?,
    };
    serde_json::from_str(&text).map_err(|error| {
        Failure::Said(format!(
            "{}: these are no counters of Tiered::stats: {error}",
            file.display()
        ))
    })
}
