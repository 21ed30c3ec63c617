//! `boughs scale` measures every configuration and leaves files that can be read elsewhere.

use std::fs;
use std::path::Path;

use boughs_arena::Store;
use serde_json::Value;
use tempfile::tempdir;

use crate::common::{Ran, json, run};

const FILES: [&str; 6] = ["scale.csv", "scale.json", "scale.html", "throughput.svg", "speedup.svg", "efficiency.svg"];

/// Measures into a folder.
fn scale(args: &str, out: &Path) -> Ran {
    run(&format!("scale tictactoe {args} --out {}", out.display()))
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_configuration_has_a_line_and_every_run_one_in_the_csv() {
    let place = tempdir().unwrap();
    let text = scale("--threads 1,2 --iterations 300 --rounds 2", place.path()).expect();
    for word in
        ["playouts/s", "speed-up", "efficiency", "shared", "independent", "batched", "roof", "no scalability law"]
    {
        assert!(text.contains(word), "no '{word}' in {text}");
    }
    assert!(FILES.iter().all(|name| text.contains(name)), "{text}");
    let csv = read(place.path(), "scale.csv");
    let mut rows = csv.lines();
    let titles = "mode,threads,round,playouts,wall,cpu,cores_busy,disturbed,playouts_per_second";
    assert_eq!(rows.next(), Some(titles));
    // Four modes, two numbers of threads, two rounds.
    assert_eq!(rows.clone().count(), 16);
    assert!(rows.all(|row| row.split(',').count() == 9), "{csv}");
}

#[test]
fn the_json_is_that_of_the_file_and_has_everything() {
    let place = tempdir().unwrap();
    let args = "--threads 2 --parallel independent --iterations 300 --rounds 2 --agent mcts:c=0.7,threads=5 --json";
    let printed = scale(args, place.path()).expect();
    assert_eq!(printed, read(place.path(), "scale.json"));
    let found = json(&printed);
    let of = |key: &str| -> Vec<Value> { found[key].as_array().unwrap().clone() };
    assert_eq!((of("lines").len(), of("laws").len(), of("runs").len()), (4, 2, 8));
    assert_eq!((&found["lines"][0]["threads"], &found["agent"]), (&Value::from(1), &Value::from("mcts:c=0.7")));
    let command = found["command"].as_str().unwrap();
    assert!(command.starts_with("boughs scale tictactoe --threads 2"), "{command}");
    assert!(found["machine"]["cores"].as_u64() > Some(0) && found["boughs"].is_string());
    let Some(runs) = found["runs"].as_array() else { panic!("{found}") };
    assert!(runs.iter().all(|run| run["playouts"].as_u64() >= Some(300)), "{found}");
}

#[test]
fn a_store_keeps_each_measurement_with_its_page() {
    let place = tempdir().unwrap();
    let path = place.path().join("games.db");
    let args = format!("--threads 1 --parallel shared --iterations 100 --rounds 2 --store {}", path.display());
    for _ in 0..2 {
        scale(&args, place.path()).expect();
    }
    let strong = "scale tictactoe --strength --threads 1 --parallel shared --workers 1 --iterations 5 --games 2 --out";
    for _ in 0..2 {
        run(&format!("{strong} {}", place.path().display())).expect();
    }
    let store = Store::open(&path).unwrap();
    let kept: Vec<_> = store.measurements().unwrap().into_iter().map(|entry| (entry.kind, entry.is_over)).collect();
    assert_eq!(kept, [("scale", true), ("scale", true), ("strength", true)].map(|(kind, over)| (kind.into(), over)));
    for (entry, name) in store.measurements().unwrap().iter().zip(["", "scale", "strength"]).skip(1) {
        let (measurement, _) = store.measurement(entry.id).unwrap().unwrap();
        assert_eq!(measurement.report, read(place.path(), &format!("{name}.json")));
        assert_eq!(measurement.page, read(place.path(), &format!("{name}.html")));
    }
}

#[test]
fn one_round_has_no_intervals() {
    let place = tempdir().unwrap();
    let found = json(&scale("--threads 1 --parallel shared --iterations 300 --rounds 1 --json", place.path()).expect());
    let speed = &found["lines"][0]["playouts_per_second"];
    assert!(speed["plus_minus"].is_null() && speed["mean"].as_f64() > Some(0.0), "{found}");
    assert!(found["warnings"].to_string().contains("no intervals"), "{found}");
}

#[test]
fn the_page_shows_its_plots_and_loads_nothing() {
    let place = tempdir().unwrap();
    scale("--threads 1 --iterations 100 --rounds 1", place.path()).expect();
    let page = read(place.path(), "scale.html");
    assert_eq!(page.matches("<svg").count(), 2 * 3, "each plot for a wide and for a narrow page");
    assert!(page.contains("No speed-up is claimed"), "of one thread there is nothing to draw: {page}");
    let without_namespace = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!without_namespace.contains("://") && !page.contains("<script"), "{page}");
    assert!(FILES.iter().skip(3).all(|name| read(place.path(), name).starts_with("<svg")));
}

#[test]
fn threads_without_cores_are_warned_of_and_have_no_speed_up() {
    let place = tempdir().unwrap();
    let many = boughs::run::cores() + 1;
    let args = format!("--threads {many} --parallel shared --iterations 100 --rounds 1");
    let text = scale(&args, place.path()).expect();
    assert!(text.contains("more threads than the") && text.contains("more threads than cores"), "{text}");
    let found = json(&read(place.path(), "scale.json"));
    assert!(found["lines"][1]["speed_up"].is_null(), "{found}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_measurement_keeps_its_rounds() {
    use crate::common::start;
    use crate::interrupt::interrupt_when;
    let place = tempdir().unwrap();
    // Each run has time for a playout on a busy machine too.
    let child = start(&format!(
        "scale tictactoe --threads 1 --parallel shared --time 500ms --rounds 100000 --json --out {}",
        place.path().display()
    ));
    let output = interrupt_when(child, |_| place.path().join("scale.json").exists());
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let found = json(&String::from_utf8(output.stdout).unwrap());
    let (rounds, runs) = (found["rounds_done"].as_u64().unwrap(), found["runs"].as_array().unwrap().len() as u64);
    assert!((1..1000).contains(&rounds) && (2 * rounds..2 * rounds + 2).contains(&runs), "{found}");
    assert!(FILES.iter().all(|name| place.path().join(name).exists()));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_first_round_is_nothing() {
    use std::time::Duration;

    use crate::common::start;
    use crate::interrupt::interrupt_when;
    let place = tempdir().unwrap();
    let child = start(&format!("scale tictactoe --time 1h --out {}", place.path().display()));
    // In this time it works on a run.
    let output = interrupt_when(child, |child| child.worked() > Duration::from_millis(300));
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &b""[..]), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("before the first round was complete"));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}
