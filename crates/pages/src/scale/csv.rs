//! The runs of a measurement as comma-separated values.

use std::fmt::Write;

use boughs_lab::scale::Run;

/// Writes a line of titles, and a line for each run. Unknown values are empty.
pub(super) fn csv(runs: &[Run]) -> String {
    let mut text = "mode,threads,round,playouts,wall,cpu,cores_busy,disturbed,playouts_per_second\n".to_string();
    let known = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for run in runs {
        let Run { mode, threads, round, playouts, wall, disturbed, playouts_per_second, .. } = run;
        let (mode, cpu, busy) = (mode.name(), known(run.cpu), known(run.cores_busy));
        let _ =
            writeln!(text, "{mode},{threads},{round},{playouts},{wall},{cpu},{busy},{disturbed},{playouts_per_second}");
    }
    text
}

#[cfg(test)]
mod tests {
    use boughs_lab::scale::Mode;

    use super::*;

    #[test]
    fn unknown_values_are_empty() {
        let run = Run {
            mode: Mode::NoTree,
            threads: 2,
            round: 1,
            playouts: 10,
            wall: 0.5,
            cpu: None,
            cores_busy: None,
            disturbed: false,
            playouts_per_second: 20.0,
        };
        let text = csv(&[run.clone(), Run { cpu: Some(0.75), cores_busy: Some(1.5), disturbed: true, ..run }]);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, ["roof,2,1,10,0.5,,,false,20", "roof,2,1,10,0.5,0.75,1.5,true,20"]);
    }
}
