//! How fast a record is, from where we are.

use std::time::{Duration, Instant};

use promptline_session::{Change, SessionId, SessionStore, Turn, TurnId, Version};
use serde::Serialize;

use super::args::BenchArgs;
use super::progress;
use crate::output::{Failure, Output};

#[derive(Serialize)]
struct Measured {
    what: &'static str,
    p50_us: u64,
    p99_us: u64,
}

pub(super) async fn run(
    store: &dyn SessionStore,
    args: &BenchArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let id = SessionId::new(format!("promptline-bench-{}", std::process::id()))?;
    let measured = measure(store, &id, args).await;
    store.delete(&id).await?;
    let measured = measured?;
    if args.json {
        return output.json(&measured);
    }
    output.line(format_args!("{:28} {:>10} {:>10}", "", "p50 us", "p99 us"))?;
    for one in measured {
        output.line(format_args!("{:28} {:>10} {:>10}", one.what, one.p50_us, one.p99_us))?;
    }
    Ok(())
}

async fn measure(
    store: &dyn SessionStore,
    id: &SessionId,
    args: &BenchArgs,
) -> Result<Vec<Measured>, Failure> {
    let text = "x".repeat(args.bytes as usize);
    let (mut commits, mut versions, mut loads) = (Vec::new(), Vec::new(), Vec::new());
    let bar = progress(args.turns as usize, true);
    let mut version = Version::NONE;
    for n in 0..args.turns {
        let turn = Turn::new(TurnId::new(format!("t{n}"))?).user(text.as_str());
        let change = Change::new(id.clone(), version).append(turn);
        let began = Instant::now();
        version = store.commit(&change).await?.version;
        commits.push(began.elapsed());
        let began = Instant::now();
        store.version(id).await?;
        versions.push(began.elapsed());
        if n < 12 || n % 16 == 0 {
            let began = Instant::now();
            store.load(id).await?;
            loads.push(began.elapsed());
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(vec![
        quantiles("commit of a turn", commits),
        quantiles("version", versions),
        quantiles("load without a summary", loads),
    ])
}

fn quantiles(what: &'static str, mut times: Vec<Duration>) -> Measured {
    times.sort_unstable();
    let at = |share: usize| {
        let index = (times.len() * share / 100).min(times.len().saturating_sub(1));
        let time = times.get(index).copied().unwrap_or_default();
        u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
    };
    Measured { what, p50_us: at(50), p99_us: at(99) }
}
