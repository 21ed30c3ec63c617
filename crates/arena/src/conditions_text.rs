//! Conditions as text: the key by which a store finds the games of a contest again.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::files::{Checksums, checksums};
use crate::openings_text::MOST_PLIES;
use crate::plan::{Conditions, Limit, Openings};
use crate::{ArenaError, Contestant, Referee};

/// Name of the list of contestants in the text.
const CONTESTANTS: &str = "contestants";

/// Name of the checksums of files in the text.
const FILES: &str = "files";

impl Conditions {
    /// Writes everything the games depend on, and the version of Boughs, as JSON. Equal conditions have equal texts.
    pub fn text(&self) -> String {
        self.text_with(&Checksums::new())
    }

    /// Writes the conditions as a store keeps them: with the checksums that files of contestants have now, weights and
    /// programs.
    pub fn text_with_files(&self) -> String {
        let referee = Referee::of(&self.game).map(|referee| Contestant::Program(referee.program().clone()));
        self.text_with(&checksums(&self.contestants.iter().cloned().chain(referee).collect::<Vec<_>>()))
    }

    /// Reads the conditions that [`text`](Conditions::text) or
    /// [`text_with_files`](Conditions::text_with_files) has written. The name of a file of openings is not in it. A
    /// contestant that this version cannot start is [`Contestant::Unknown`].
    ///
    /// # Errors
    /// If the text is something else.
    pub fn read(text: &str) -> Result<Conditions, ArenaError> {
        read(text).map_err(ArenaError::new)
    }

    fn text_with(&self, files: &Checksums) -> String {
        let mut text = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "game": self.game,
            CONTESTANTS: self.contestants.iter().map(Contestant::to_string).collect::<Vec<_>>(),
            "pairings": self.pairings,
            "grace_ms": self.grace.as_secs_f64() * 1e3,
            "openings": self.openings,
            "seed": self.seed,
        });
        match self.limit {
            Limit::Time(time) => text["time_ms"] = (time.as_secs_f64() * 1e3).into(),
            Limit::Playouts(playouts) => text["playouts"] = playouts.into(),
        }
        if !files.is_empty() {
            text[FILES] = serde_json::json!(files);
        }
        text.to_string()
    }
}

/// The conditions of a text, as far as results are read by them.
#[derive(Deserialize)]
struct ConditionsText {
    game: String,
    contestants: Vec<String>,
    pairings: Vec<[usize; 2]>,
    grace_ms: f64,
    openings: Openings,
    seed: u64,
    time_ms: Option<f64>,
    playouts: Option<u64>,
}

/// Reads the conditions of a text in a store.
pub(crate) fn read(text: &str) -> Result<Conditions, String> {
    let read: ConditionsText =
        serde_json::from_str(text).map_err(|error| format!("its conditions are odd: {error}"))?;
    let contestants: Vec<Contestant> = read.contestants.iter().map(|text| Contestant::stored(text)).collect();
    if read.pairings.iter().flatten().any(|&place| place >= contestants.len()) {
        return Err("a pairing of it names a contestant that it does not have".to_string());
    }
    if read.pairings.is_empty() || read.pairings.iter().any(|[first, second]| first == second) {
        return Err("its pairings are odd".to_string());
    }
    match &read.openings {
        Openings::Listed { lines, .. } if lines.is_empty() => return Err("it has no openings".to_string()),
        Openings::Random(least, most) if least > most || *most > MOST_PLIES => {
            return Err(format!("its openings have {least} to {most} plies"));
        }
        Openings::Start | Openings::Random(..) | Openings::Listed { .. } => {}
    }
    let duration = |millis: f64| Duration::try_from_secs_f64(millis / 1e3).map_err(|error| error.to_string());
    let limit = match (read.time_ms, read.playouts) {
        (_, Some(playouts)) => Limit::Playouts(playouts),
        (time, None) => Limit::Time(duration(time.unwrap_or_default())?),
    };
    Ok(Conditions {
        game: read.game,
        contestants,
        pairings: read.pairings,
        limit,
        grace: duration(read.grace_ms)?,
        openings: read.openings,
        seed: read.seed,
    })
}

/// Returns true if a text in a store is of these conditions. It may have names that agents had in older versions, and
/// no checksums, which older versions did not write.
pub(crate) fn are_same(kept: &str, now: &str) -> bool {
    let same = |(kept, mut now): (Value, Value)| {
        if kept.get(FILES).is_none() {
            take_files(&mut now);
        }
        kept == now
    };
    kept == now || current(kept).zip(current(now)).is_some_and(same)
}

/// Returns the files that changed between two texts, if nothing else did.
pub(crate) fn changed_files(kept: &str, now: &str) -> Vec<String> {
    let Some((mut kept, mut now)) = current(kept).zip(current(now)) else { return Vec::new() };
    let [kept_files, now_files] = [take_files(&mut kept), take_files(&mut now)];
    if kept != now {
        return Vec::new();
    }
    now_files.into_iter().filter(|(name, sum)| kept_files.get(name) != Some(sum)).map(|(name, _)| name).collect()
}

/// Returns true if a text has checksums of files.
pub(crate) fn has_files(text: &str) -> bool {
    current(text).is_some_and(|text| text.get(FILES).is_some())
}

fn take_files(text: &mut Value) -> Map<String, Value> {
    match text.as_object_mut().and_then(|text| text.remove(FILES)) {
        Some(Value::Object(files)) => files,
        _ => Map::new(),
    }
}

/// Reads a text and writes its contestants as today. Returns `None` if the text is no JSON.
fn current(text: &str) -> Option<Value> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    if let Some(Value::Array(contestants)) = value.get_mut(CONTESTANTS) {
        for contestant in contestants {
            let parsed = contestant.as_str().and_then(|text| text.parse::<Contestant>().ok());
            if let Some(parsed) = parsed {
                *contestant = parsed.to_string().into();
            }
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_name_of_an_agent_is_the_same_agent() {
        let text = |agent: &str, seed: u64| format!(r#"{{"contestants":["{agent}","flat"],"seed":{seed}}}"#);
        assert!(are_same(&text("mcts:c=1.5,threads=2", 1), &text("mcts:threads=2,c=1.5", 1)), "another order of keys");
        assert!(are_same(&text("worlds:worlds=8", 1), &text("determinization:worlds=8", 1)));
        assert!(!are_same(&text("worlds:worlds=8", 1), &text("worlds:worlds=9", 1)));
        assert!(!are_same(&text("mcts", 1), &text("mcts", 2)), "another seed");
        assert!(!are_same(&text("no-such-agent", 1), &text("mcts", 1)));
        assert!(are_same("no JSON", "no JSON") && !are_same("no JSON", "nor this"));
    }

    #[test]
    fn another_content_of_a_file_is_another_text_but_for_texts_that_say_no_content() {
        let plain = r#"{"contestants":["mcts"],"seed":1}"#;
        let with = |sum: u8| format!(r#"{{"contestants":["mcts"],"seed":1,"files":{{"./bot":"{sum}","w":"0"}}}}"#);
        assert!(are_same(plain, &with(1)) && !are_same(&with(1), plain) && !are_same(&with(1), &with(2)));
        assert_eq!(changed_files(&with(1), &with(2)), ["./bot"]);
        assert_eq!(changed_files(&with(1), &with(2).replace("seed", "grace")), [""; 0]);
        assert!(has_files(&with(1)) && !has_files(plain));
    }
}
