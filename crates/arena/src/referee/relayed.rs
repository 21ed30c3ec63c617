//! The newer protocol: the referee starts the players by the commands that it is given, and says their scores at the
//! end.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use boughs::StopFlag;
use serde_json::Value;

use super::relay::{RELAY, answers_of};
use super::{NoResult, PATIENCE, Played, RefereeTable, reward_of_place};
use crate::plan::Planned;
use crate::program::{Bot, Notes};
use crate::{ArenaError, Conditions, Contestant, Ending, Fault};

/// Time in which a referee may end after it has said the scores.
const FAREWELL: Duration = Duration::from_secs(10);

/// The commands that the referee starts the players by. Each is a shell and a script in a folder, because referees
/// split commands at spaces, and a shell takes a script that another thread still seems to write.
pub(super) struct Relays {
    folder: tempfile::TempDir,
    seats: usize,
}

impl Relays {
    pub(super) fn new(conditions: &Conditions, planned: &Planned) -> Result<Relays, ArenaError> {
        let write = || {
            let folder = tempfile::Builder::new().prefix("boughs-").tempdir()?;
            if folder.path().display().to_string().contains(char::is_whitespace) {
                let why = "referees split them at spaces, and the folder for temporary files has one in its name; \
                           set TMPDIR to another";
                return Err(std::io::Error::other(why));
            }
            let relays = Relays { folder, seats: planned.seats.len() };
            let own = std::env::current_exe()?.display().to_string();
            for (seat, &contestant) in planned.seats.iter().enumerate() {
                let Contestant::Program(program) = &conditions.contestants[contestant] else { continue };
                let file = relays.answers().display().to_string();
                let mut words = vec![own.clone(), RELAY.to_string(), file, seat.to_string(), "--".to_string()];
                words.extend(program.command_words());
                let line = shlex::try_join(words.iter().map(String::as_str)).map_err(std::io::Error::other)?;
                fs::write(relays.script(seat), format!("exec {line}\n"))?;
            }
            Ok(relays)
        };
        write().map_err(|error: std::io::Error| ArenaError::new(format!("commands for a referee: {error}")))
    }

    fn script(&self, seat: usize) -> PathBuf {
        self.folder.path().join(format!("player{}", seat + 1))
    }

    /// The file of all answers.
    fn answers(&self) -> PathBuf {
        self.folder.path().join("answers")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log.json")
    }

    /// The arguments of the referee.
    pub(super) fn arguments(&self, seed: u64) -> Vec<String> {
        let player = |seat: usize| [format!("-p{}", seat + 1), format!("sh {}", self.script(seat).display())];
        let players = (0..self.seats).flat_map(player);
        let rest = ["-d".to_string(), format!("seed={seed}"), "-l".to_string(), self.log().display().to_string()];
        players.chain(rest).collect()
    }

    /// Waits for the first line of the referee, as long as players answer.
    pub(super) fn wait_for_line(&self, referee: &mut Bot) -> Result<String, Fault> {
        let length = || fs::metadata(self.answers()).map_or(0, |file| file.len());
        let mut before = length();
        loop {
            match referee.next_line(PATIENCE) {
                Err(Fault::Late { .. }) if length() > before => before = length(),
                line => return line,
            }
        }
    }

    /// The errors of the referee's log, a text for each seat.
    fn errors(&self) -> Vec<String> {
        // A log is not needed.
        let log = fs::read_to_string(self.log()).unwrap_or_default();
        let log: Value = serde_json::from_str(&log).unwrap_or_default();
        let of = |seat: usize| {
            let lines = log["errors"][seat.to_string()].as_array().cloned().unwrap_or_default();
            let lines = lines.iter().filter_map(Value::as_str).map(str::trim).filter(|line| !line.is_empty());
            lines.collect::<Vec<_>>().join("; ")
        };
        (0..self.seats).map(of).collect()
    }
}

impl RefereeTable<'_> {
    /// Reads the scores, a line for each seat, from the first one on.
    pub(super) fn read_scores(
        &self,
        mut referee: Bot,
        first: String,
        relays: &Relays,
        stop: &StopFlag,
    ) -> Result<Played, NoResult> {
        let mut lines = vec![first];
        while lines.len() < relays.seats {
            match referee.next_line(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(_) if stop.is_raised() => return Err(NoResult::Interrupted),
                Err(fault) => {
                    let notes = referee.finish(Duration::ZERO);
                    return Err(self.fault(&fault, Some(&notes)));
                }
            }
        }
        let remarks = referee.finish(FAREWELL);
        let score = |line: &String| {
            let score = line.trim().parse::<i64>();
            score.map_err(|_| self.complaint(&format!("said '{}' and not a score", crate::plain::shown(line)), None))
        };
        let scores = lines.iter().map(score).collect::<Result<Vec<i64>, ArenaError>>()?;
        let errors = relays.errors();
        let faults: Vec<(usize, Fault)> = (0..relays.seats)
            .filter(|&seat| scores[seat] < 0)
            .map(|seat| {
                let why = if errors[seat].is_empty() { "no reason" } else { &errors[seat] };
                let says = format!("the referee gave it {} points: {}", scores[seat], crate::plain::shown(why));
                (seat, Fault::Failed(says))
            })
            .collect();
        let mut notes = vec![Notes::default(); relays.seats];
        for (seat, notes) in notes.iter_mut().enumerate() {
            notes.columns.insert("points".to_string(), scores[seat] as f64);
            notes.text.clone_from(&errors[seat]);
        }
        // The players' own words come through the referee, if it passes them on.
        notes[0].text += &remarks.text;
        let (moves, clocks) = answers_of(&relays.answers(), relays.seats);
        Ok(Played {
            moves,
            ending: if faults.is_empty() { Ending::Over } else { Ending::Forfeit(faults) },
            rewards: rewards_of(&scores),
            clocks,
            notes,
        })
    }
}

/// The rewards of scores: by place, with places shared between equals.
fn rewards_of(scores: &[i64]) -> Vec<f64> {
    let of = |score: &i64| {
        let better = scores.iter().filter(|other| *other > score).count() as f64;
        let equal = scores.iter().filter(|other| *other == score).count() as f64 - 1.0;
        reward_of_place(better + equal / 2.0, scores.len())
    };
    scores.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_give_rewards() {
        assert_eq!(rewards_of(&[3, 7]), [0.0, 1.0]);
        assert_eq!(rewards_of(&[5, 5]), [0.5, 0.5]);
        assert_eq!(rewards_of(&[-1, 4, 4]), [0.0, 0.75, 0.75]);
    }
}
