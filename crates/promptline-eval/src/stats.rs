//! Statistics of small suites: exact where exact is cheap.

use serde::{Deserialize, Serialize};

/// Both ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The 97.5th percentile of the normal distribution: what 95 % intervals use.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Wilson's score interval of a share (Wilson 1927), for `hits` of `n`. `n` need not be whole: correlated
/// observations count for less than their number. Nothing is known of no observations: 0 to 1.
#[must_use]
pub fn wilson(hits: f64, n: f64, z: f64) -> Interval {
    if n <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let share = (hits / n).clamp(0.0, 1.0);
    let square = z * z;
    let middle = share + square / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let scale = 1.0 + square / n;
    // Exact at the ends, where rounding would leave 1e-17.
    let low = if hits <= 0.0 { 0.0 } else { ((middle - spread) / scale).max(0.0) };
    let high = if hits >= n { 1.0 } else { ((middle + spread) / scale).min(1.0) };
    Interval { low, high }
}

/// The two-sided exact McNemar test: of pairs that differ, `worse` went one way and `better` the other
/// (a binomial test with 1/2). 1 when no pair differs.
#[must_use]
pub fn mcnemar(worse: u64, better: u64) -> f64 {
    let n = worse + better;
    let tail: f64 =
        (0..=worse.min(better)).map(|k| (ln_choose(n, k) - n as f64 * 2.0_f64.ln()).exp()).sum();
    (2.0 * tail).min(1.0)
}

/// Fisher's exact test of two shares, two-sided: the probability of all tables with the same margins that are no
/// more likely than this one.
#[must_use]
pub fn fisher(hits_a: u64, n_a: u64, hits_b: u64, n_b: u64) -> f64 {
    let (hits_a, hits_b) = (hits_a.min(n_a), hits_b.min(n_b));
    let hits = hits_a + hits_b;
    let all = n_a + n_b;
    let ln = |a: u64| ln_choose(n_a, a) + ln_choose(n_b, hits - a) - ln_choose(all, hits);
    let here = ln(hits_a);
    let from = hits.saturating_sub(n_b);
    // As in R: ties are within a relative error.
    let sum: f64 =
        (from..=hits.min(n_a)).map(ln).filter(|other| *other <= here + 1e-7).map(f64::exp).sum();
    sum.min(1.0)
}

/// How much repeats of the same cases are worth: the intraclass correlation of shares (analysis of variance), from
/// 0 (as good as other cases) to 1 (they say nothing new). `cases` are (hits, repeats).
#[must_use]
pub fn correlation(cases: &[(u64, u64)]) -> f64 {
    let k = cases.len() as f64;
    let n: f64 = cases.iter().map(|(_, repeats)| *repeats as f64).sum();
    let hits: f64 = cases.iter().map(|(hits, _)| *hits as f64).sum();
    if k < 2.0 || n <= k {
        return 1.0;
    }
    let mean = hits / n;
    let (mut between, mut within, mut squares) = (0.0, 0.0, 0.0);
    for (hits, repeats) in cases.iter().filter(|(_, repeats)| *repeats > 0) {
        let (hits, m) = (*hits as f64, *repeats as f64);
        let share = hits / m;
        between += m * (share - mean).powi(2);
        within += m * share * (1.0 - share);
        squares += m * m;
    }
    let (between, within) = (between / (k - 1.0), within / (n - k));
    let m = (n - squares / n) / (k - 1.0);
    let total = between + (m - 1.0) * within;
    if total <= 0.0 { 1.0 } else { ((between - within) / total).clamp(0.0, 1.0) }
}

/// How many independent observations the repeats of cases are worth.
#[must_use]
pub fn effective(cases: &[(u64, u64)]) -> f64 {
    let n: f64 = cases.iter().map(|(_, repeats)| *repeats as f64).sum();
    let k = cases.iter().filter(|(_, repeats)| *repeats > 0).count() as f64;
    if k == 0.0 || n <= k {
        return n;
    }
    let m = n / k;
    n / (1.0 + (m - 1.0) * correlation(cases))
}

fn ln_choose(n: u64, k: u64) -> f64 {
    if k > n {
        return f64::NEG_INFINITY;
    }
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

/// Exact sums up to 256, Stirling's series above (relative error below 1e-15).
fn ln_factorial(n: u64) -> f64 {
    if n <= 256 {
        return (2..=n).map(|k| (k as f64).ln()).sum();
    }
    let x = n as f64 + 1.0;
    let inverse = 1.0 / x;
    let series = inverse / 12.0 - inverse.powi(3) / 360.0 + inverse.powi(5) / 1260.0;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}
