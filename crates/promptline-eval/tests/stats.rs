//! The statistics against published tables and by law, and the gate on simulated suites.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the helpers of a test fail as the test does, and say what they ran"
)]

use promptline_eval::gate::{Gate, Verdict};
use promptline_eval::run::{Row, Run};
use promptline_eval::stats::{Z95, effective, fisher, mcnemar, wilson};
use promptline_eval::suite::{Case, Suite};
use proptest::prelude::*;

fn close(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
}

#[test]
fn mcnemar_by_hand() {
    // (newly failing, fixed) and 2 * P(X <= min) of a binomial with 1/2.
    for (worse, better, p) in [
        (0, 0, 1.0),
        (6, 0, 0.031_25),
        (5, 0, 0.062_5),
        (10, 2, 0.038_574_218_75),
        (1, 0, 1.0),
        (3, 3, 1.0),
        (8, 1, 0.039_062_5),
        (20, 5, 0.004_077_315_33),
    ] {
        close(mcnemar(worse, better), p, 1e-9);
    }
}

#[test]
fn wilson_by_the_tables() {
    for (hits, n, low, high) in [
        (85.0, 100.0, 0.7672, 0.9069),
        (0.0, 10.0, 0.0, 0.2775),
        (10.0, 10.0, 0.7225, 1.0),
        (1.0, 10.0, 0.0179, 0.4042),
        (81.0, 263.0, 0.2553, 0.3662),
        (15.0, 148.0, 0.0624, 0.1605),
        (92.0, 100.0, 0.8500, 0.9589),
    ] {
        let interval = wilson(hits, n, Z95);
        close(interval.low, low, 5e-4);
        close(interval.high, high, 5e-4);
    }
}

#[test]
fn fisher_by_the_tables() {
    for (a, n_a, b, n_b, p) in [
        // Fisher's tea.
        (3, 4, 1, 4, 0.485_714),
        (1, 10, 11, 14, 0.0027595),
        (95, 100, 90, 100, 0.2828),
        (95, 100, 85, 100, 0.03172),
        (5, 100, 30, 100, 3.548e-06),
        (1, 20, 6, 20, 0.09148),
    ] {
        close(fisher(a, n_a, b, n_b), p, p * 0.001);
    }
}

#[test]
fn repeats_that_say_nothing_new_count_once() {
    close(effective(&[(3, 3), (0, 3), (3, 3), (0, 3)]), 4.0, 1e-9);
    close(effective(&[(1, 1), (0, 1)]), 2.0, 1e-9);
    assert!(effective(&[(2, 3), (1, 3), (2, 3), (1, 3)]) > 11.9);
}

proptest! {
    #[test]
    fn probabilities_are_probabilities(a in 0_u64..400, b in 0_u64..400, c in 0_u64..400, d in 0_u64..400) {
        for p in [mcnemar(a, b), fisher(a.min(c), c, b.min(d), d)] {
            prop_assert!((0.0..=1.0).contains(&p));
        }
        prop_assert!((mcnemar(a, b) - mcnemar(b, a)).abs() < 1e-9);
        let (one, other) = (fisher(a.min(c), c, b.min(d), d), fisher(b.min(d), d, a.min(c), c));
        prop_assert!((one - other).abs() < 1e-6);
    }

    #[test]
    fn an_interval_holds_its_share(hits in 0_u32..1_000, more in 0_u32..1_000) {
        let n = f64::from(hits + more);
        prop_assume!(n > 0.0);
        let interval = wilson(f64::from(hits), n, Z95);
        let share = f64::from(hits) / n;
        prop_assert!(interval.low <= share && share <= interval.high);
        let wider = wilson(f64::from(hits) / 2.0, n / 2.0, Z95);
        prop_assert!(wider.high - wider.low >= interval.high - interval.low - 1e-12);
    }
}

/// A small generator of our own, so that the figures are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, share: f64) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as f64 / (1_u64 << 53) as f64) < share
    }
}

#[test]
fn a_simulated_suite_is_seldom_passed_when_it_should_not_be() {
    const RUNS: u32 = 400;
    let mut suite = Suite::default();
    suite.cases = (0..100).map(|n| Case::new(format!("c{n}"), "q")).collect();
    let gate = Gate::default();
    println!("true rate  pass  fail  inconclusive (of {RUNS} suites of 100 cases, gate 85 %)");
    for rate in [0.80, 0.83, 0.85, 0.87, 0.90, 0.92, 0.95] {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (mut pass, mut fail, mut unclear) = (0, 0, 0);
        for _ in 0..RUNS {
            let mut run = Run::default();
            for case in &suite.cases {
                let mut row = Row::default();
                row.case.clone_from(&case.id);
                row.pass = random.below(rate);
                run.rows.push(row);
            }
            match gate.judge(&suite, &run, None).verdict {
                Verdict::Pass => pass += 1,
                Verdict::Fail => fail += 1,
                Verdict::Inconclusive => unclear += 1,
                other => panic!("{other}"),
            }
        }
        let share = |count: u32| f64::from(count) / f64::from(RUNS);
        println!("{rate:.2}       {:.3} {:.3} {:.3}", share(pass), share(fail), share(unclear));
        if rate <= 0.80 {
            assert!(share(pass) <= 0.02, "a suite at {rate} passes in {} of {RUNS}", pass);
        }
        if rate >= 0.90 {
            assert!(share(fail) <= 0.02);
        }
    }
}
