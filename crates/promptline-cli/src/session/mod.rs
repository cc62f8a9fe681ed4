//! `promptline session`: look at a record of conversations, move it, and keep it small.

pub(crate) mod args;
mod bench;
mod show;
mod transfer;

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use promptline_session::{
    Clock as _, Compaction, Compactor, ListQuery, SessionId, SessionInfo, SessionStore,
    SystemClock, open_store,
};

use crate::output::{Failure, Output, harmless};
use args::{SessionArgs, SessionVerb};

impl From<promptline_session::Error> for Failure {
    fn from(error: promptline_session::Error) -> Self {
        Self::Said(format!("{error:#}"))
    }
}

pub(crate) fn run(args: &SessionArgs, output: &mut Output) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = open(&args.store, &args.verb).await?;
        let done = match &args.verb {
            SessionVerb::List(args) => list(&*store, args, output).await,
            SessionVerb::Show(args) => show::show(&*store, args, output).await,
            SessionVerb::Export(args) => transfer::export(&*store, args, output).await,
            SessionVerb::Import(args) => transfer::import(&*store, args).await,
            SessionVerb::Delete(args) => delete(&*store, args).await,
            SessionVerb::Compact(args) => compact(&store, args).await,
            SessionVerb::Stats(args) => show::stats(&*store, args, output).await,
            SessionVerb::Bench(args) => bench::run(&*store, args, output).await,
        };
        store.close().await?;
        done
    })
}

/// A file that is not there is a mistake, unless something is to be written.
async fn open(store: &str, verb: &SessionVerb) -> Result<Arc<dyn SessionStore>, Failure> {
    let writes = matches!(verb, SessionVerb::Import(_) | SessionVerb::Bench(_));
    if let Some(file) = store.strip_prefix("sqlite:")
        && !writes
    {
        let file = file.strip_prefix("//").unwrap_or(file);
        // An empty name is a mistake of its own, which the store reports.
        if !file.is_empty() && !std::path::Path::new(file).is_file() {
            return Err(Failure::Said(format!("{file}: there is no such file")));
        }
    }
    Ok(open_store(store).await?)
}

/// All sessions that the query finds, page by page.
async fn all(store: &dyn SessionStore, mut query: ListQuery) -> Result<Vec<SessionInfo>, Failure> {
    let mut found: Vec<SessionInfo> = Vec::new();
    let limit = query.limit;
    loop {
        query.limit = 500.min(limit - found.len());
        let page = store.list(&query).await?;
        let Some(last) = page.last().filter(|_| query.limit > 0) else { return Ok(found) };
        query.after = Some(last.id.clone());
        found.extend(page);
    }
}

fn idle(query: ListQuery, idle: Option<Duration>) -> ListQuery {
    let Some(idle) = idle else { return query };
    let ms = u64::try_from(idle.as_millis()).unwrap_or(u64::MAX);
    query.idle_since_ms(SystemClock::new().wall_ms().saturating_sub(ms))
}

async fn list(
    store: &dyn SessionStore,
    args: &args::ListArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut query = idle(ListQuery::first(args.limit.unwrap_or(usize::MAX)), args.idle);
    query.prefix.clone_from(&args.prefix);
    let sessions = all(store, query).await?;
    if args.json {
        return output.json(&sessions);
    }
    output.line(format_args!(
        "{:>6}  {:>10}  {:20}  session",
        "turns", "summarized", "last change"
    ))?;
    for session in sessions {
        output.line(format_args!(
            "{:>6}  {:>10}  {:20}  {}",
            session.turns,
            session.covered_through,
            moment(session.updated_ms),
            harmless(session.id.as_str())
        ))?;
    }
    Ok(())
}

/// The ids that were named, or those of all sessions that have been idle for so long.
async fn chosen(
    store: &dyn SessionStore,
    named: &[String],
    idle_for: Option<Duration>,
) -> Result<Vec<SessionId>, Failure> {
    if let Some(time) = idle_for {
        let found = all(store, idle(ListQuery::first(usize::MAX), Some(time))).await?;
        return Ok(found.into_iter().map(|session| session.id).collect());
    }
    named.iter().map(|id| Ok(SessionId::new(id.as_str())?)).collect()
}

async fn delete(store: &dyn SessionStore, args: &args::ChosenArgs) -> Result<(), Failure> {
    let ids = chosen(store, &args.sessions, args.idle).await?;
    let bar = progress(ids.len(), true);
    let mut deleted = 0;
    for id in &ids {
        deleted += usize::from(store.delete(id).await?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Output::note(&format!("deleted {deleted} of {}\n", counted(ids.len())));
    if args.idle.is_none() && deleted < ids.len() {
        return Err(Failure::Said("some of these sessions do not exist".into()));
    }
    Ok(())
}

async fn compact(store: &Arc<dyn SessionStore>, args: &args::CompactArgs) -> Result<(), Failure> {
    let ids = chosen(&**store, &args.chosen.sessions, args.chosen.idle).await?;
    let compactor = Compactor::new(Arc::clone(store)).recent_keep(args.keep);
    let bar = progress(ids.len(), true);
    let mut compacted = 0;
    for id in &ids {
        let done = compactor.compact_now(id).await?;
        compacted += usize::from(matches!(done, Compaction::Done { .. }));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let note = format!(
        "compacted {compacted} of {}, without a model; their turns are kept\n",
        counted(ids.len())
    );
    Output::note(&note);
    Ok(())
}

fn counted(sessions: usize) -> String {
    match sessions {
        1 => "1 session".into(),
        n => format!("{n} sessions"),
    }
}

/// A bar for long work; only a terminal sees it, and not when results go to the same one.
fn progress(length: usize, quiet: bool) -> ProgressBar {
    let seen = std::io::stderr().is_terminal() && (quiet || !std::io::stdout().is_terminal());
    if !seen || length < 50 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A moment in UTC.
fn moment(ms: u64) -> String {
    let since = Duration::from_millis(ms);
    let time = UNIX_EPOCH.checked_add(since).unwrap_or(SystemTime::UNIX_EPOCH);
    match jiff::Timestamp::try_from(time) {
        Ok(time) => time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        Err(_) => "-".into(),
    }
}
