//! The games and measurements of a store, as texts of JSON.

use std::path::PathBuf;

use boughs_arena::{Event, MeasurementId, Store, StoredGame};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::asking::{self, Whole};
use crate::error::error;

/// Opens a store that is there. [`Store::open`] makes one that is not.
fn open(path: &PathBuf) -> PyResult<Store> {
    match path.exists() {
        true => Store::open(path).map_err(error),
        false => Err(error(format!("there is no store '{}'; give the file of an experiment's store", path.display()))),
    }
}

fn event_row(number: usize, event: &Event) -> Value {
    json!({
        "event": number, "kind": event.key.kind, "conditions": event.key.conditions, "command": event.key.command,
        "began": event.began, "games": event.games,
    })
}

/// The events, the measurements and the best cases of a store.
#[pyfunction]
pub(crate) fn store_overview(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    py.detach(|| {
        let store = open(&path)?;
        let events = store.events().map_err(error)?;
        let events: Vec<Value> = events.iter().enumerate().map(|(number, event)| event_row(number, event)).collect();
        let measurements = store.measurements().map_err(error)?.into_iter().map(|entry| {
            json!({
                "id": entry.id.0, "kind": entry.kind, "game": entry.game, "command": entry.command,
                "is_over": entry.is_over, "changed": entry.changed,
            })
        });
        let measurements: Vec<Value> = measurements.collect();
        let cases = store.cases().map_err(error)?.into_iter().map(|(key, best)| {
            json!({
                "game": key.game, "case": key.name, "score": best.score, "contestant": best.contestant,
                "command": best.command,
            })
        });
        let cases: Vec<Value> = cases.collect();
        Ok(json!({ "events": events, "measurements": measurements, "cases": cases }).to_string())
    })
}

/// The games of all events of a store, or of one.
#[pyfunction]
pub(crate) fn store_games(py: Python<'_>, path: PathBuf, event: Option<Whole>) -> PyResult<String> {
    let event = asking::whole::<usize>("event", event.as_ref())?;
    py.detach(|| {
        let store = open(&path)?;
        let mut rows = Vec::new();
        for (number, kept) in store.events().map_err(error)?.iter().enumerate() {
            if event.is_some_and(|event| event != number) {
                continue;
            }
            let names = contestants(&kept.key.conditions);
            for game in store.games(kept.id) {
                rows.push(game_row(number, &kept.key.kind, &names, &game.map_err(error)?));
            }
        }
        Ok(Value::Array(rows).to_string())
    })
}

/// The names of the contestants in the conditions of an event.
fn contestants(conditions: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(conditions).unwrap_or_default();
    let names = value["contestants"].as_array().into_iter().flatten();
    names.map(|name| name.as_str().map_or_else(|| name.to_string(), str::to_string)).collect()
}

fn game_row(event: usize, kind: &str, names: &[String], StoredGame { record, replay, .. }: &StoredGame) -> Value {
    let name = |&contestant: &usize| names.get(contestant).cloned().unwrap_or_else(|| contestant.to_string());
    let faults = record.ending.faults().iter().map(|(seat, fault)| format!("{seat} {fault}"));
    json!({
        "event": event, "kind": kind, "number": record.number, "round": record.round,
        "seats": record.seats.iter().map(name).collect::<Vec<_>>(), "rewards": record.rewards,
        "opening": record.opening.join(" "), "moves": record.moves.join(" "),
        "plies": record.opening.len() + record.moves.len(), "faults": faults.collect::<Vec<_>>().join("; "),
        "seconds": record.took.as_secs_f64(), "began": record.began, "seed": record.seed,
        "playouts": record.clocks.iter().map(|clock| clock.playouts).collect::<Vec<_>>(),
        "thinking": record.clocks.iter().map(|clock| clock.total.as_secs_f64()).collect::<Vec<_>>(),
        "replay": replay,
    })
}

/// The report of a measurement as JSON, and its page.
#[pyfunction]
pub(crate) fn store_measurement(py: Python<'_>, path: PathBuf, id: i64) -> PyResult<(String, String)> {
    py.detach(|| {
        let found = open(&path)?.measurement(MeasurementId(id)).map_err(error)?;
        let missing = || error(format!("the store has no measurement {id}; measurements() lists those it has"));
        found.map(|(measurement, _)| (measurement.report, measurement.page)).ok_or_else(missing)
    })
}
