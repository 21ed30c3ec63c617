//! Made-up reports, for tests of reports and pages.

use std::time::Duration;

use boughs::Settings;

use super::{Machine, Mode, Run, ScalePlan, ScaleReport};
use crate::measure::Timed;

/// A report of two modes at these thread counts on a machine with this number of cores: the baseline is perfect, shared
/// trees follow a law, and rounds differ by a percent or so.
pub fn synthetic(threads: &[usize], cores: usize, rounds: u32) -> ScaleReport {
    let plan = ScalePlan {
        game: "synthetic".to_string(),
        settings: Settings::default(),
        modes: vec![Mode::Shared, Mode::NoTree],
        threads: threads.to_vec(),
        time: Some(Duration::from_secs(1)),
        iterations: None,
        rounds,
        command: "boughs scale <synthetic>".to_string(),
    };
    let machine = Machine { cores, ..Machine::default() };
    let mut runs = Vec::new();
    for round in 1..=rounds {
        for &n in threads {
            let (x, off) = (n as f64, 1.0 + 0.005 * f64::from(round % 3) * if n % 3 == 1 { 1.0 } else { -1.0 });
            let law = x / (1.0 + 0.04 * (x - 1.0) + 0.0005 * x * (x - 1.0));
            runs.push(run(Mode::Shared, n, round, 2e6 * law * off, n.min(cores) as f64));
            runs.push(run(Mode::NoTree, n, round, 9e6 * x * off, n.min(cores) as f64));
        }
    }
    ScaleReport::of(&plan, machine, runs, Vec::new(), rounds as usize)
}

pub(super) fn run(mode: Mode, threads: usize, round: u32, speed: f64, busy: f64) -> Run {
    let timed = Timed { wall: 1.0, cpu: Some(busy) };
    Run {
        mode,
        threads,
        round,
        playouts: speed as u64,
        wall: 1.0,
        cpu: Some(busy),
        cores_busy: Some(busy),
        disturbed: timed.is_disturbed(threads),
        playouts_per_second: speed,
    }
}
