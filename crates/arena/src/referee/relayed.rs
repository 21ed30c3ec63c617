//! The newer protocol: the referee starts the players by the commands that it is given, and says their scores at the
//! end.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use boughs::StopFlag;
use boughs::notation::counted;
use serde_json::Value;

use super::relay::{RELAY, answers, answers_of, missing, silent};
use super::{NoResult, PATIENCE, Played, RefereeTable, remark, reward_of_place};
use crate::plan::Planned;
use crate::program::{Bot, NotePipe, plain};
use crate::{ArenaError, Conditions, Contestant, Fault};

/// Time in which a referee may end after it has said the scores.
const FAREWELL: Duration = Duration::from_secs(1);

/// The commands that the referee starts the players by. Each is a shell and a script in a folder, because referees
/// split commands at spaces, and a shell takes a script that another thread still seems to write.
pub(super) struct Relays {
    folder: tempfile::TempDir,
    seats: usize,
    /// The standard error of each player.
    notes: Vec<NotePipe>,
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
            let mut relays = Relays { folder, seats: planned.seats.len(), notes: Vec::new() };
            let own = std::env::current_exe()?.display().to_string();
            let place = relays.folder.path().display().to_string();
            for (seat, &contestant) in planned.seats.iter().enumerate() {
                let Contestant::Program(program) = &conditions.contestants[contestant] else { continue };
                let mut words = vec![own.clone(), RELAY.to_string(), place.clone(), seat.to_string(), "--".to_string()];
                words.extend(program.command_words());
                let line = shlex::try_join(words.iter().map(String::as_str)).map_err(std::io::Error::other)?;
                let notes = relays.folder.path().join(format!("notes{}", seat + 1));
                relays.notes.push(NotePipe::at(&notes)?);
                let notes = notes.display().to_string();
                let notes = shlex::try_quote(&notes).map_err(std::io::Error::other)?;
                fs::write(relays.script(seat), format!("exec {line} 2>>{notes}\n"))?;
            }
            Ok(relays)
        };
        write().map_err(|error: std::io::Error| ArenaError::new(format!("commands for a referee: {error}")))
    }

    fn script(&self, seat: usize) -> PathBuf {
        self.folder.path().join(format!("player{}", seat + 1))
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

    /// Waits for a line of the referee, as long as players start and answer.
    pub(super) fn wait_for_line(&self, referee: &mut Bot) -> Result<String, Fault> {
        let length = || fs::metadata(answers(self.folder.path())).map_or(0, |file| file.len());
        let (mut before, mut since) = (length(), Instant::now());
        referee.next_line_while(&mut || {
            let now = length();
            if now > before {
                (before, since) = (now, Instant::now());
            }
            since.elapsed() < PATIENCE && self.missing().is_none()
        })
    }

    /// The first seat whose program cannot be started, and the reason.
    pub(super) fn missing(&self) -> Option<(usize, String)> {
        (0..self.seats).find_map(|seat| Some((seat, told(missing(self.folder.path(), seat))?)))
    }

    /// The exit status of the program of a seat that ended by itself before its first answer.
    fn silent(&self, seat: usize) -> Option<String> {
        told(silent(self.folder.path(), seat))
    }

    /// The end of a sentence about a referee that may have ended because a player did.
    pub(super) fn silence(&self) -> String {
        let of = |seat| {
            let status = self.silent(seat)?;
            Some(format!(" after the player in seat {} had ended before its first answer ({status})", seat + 1))
        };
        (0..self.seats).find_map(of).unwrap_or_default()
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

/// The text of a file of a relay, if there is any.
fn told(file: PathBuf) -> Option<String> {
    fs::read_to_string(file).ok().filter(|text| !text.is_empty())
}

impl RefereeTable<'_> {
    /// Reads the scores, a line for each seat, from the first one on.
    pub(super) fn read_scores(
        &self,
        mut referee: Bot,
        first: String,
        mut relays: Relays,
        planned: &Planned,
        stop: &StopFlag,
    ) -> Result<Played, NoResult> {
        let scores = match self.scores(&mut referee, first, &relays) {
            Ok(scores) => scores,
            Err(_) if stop.is_raised() => return Err(NoResult::Interrupted),
            Err((does, says_why)) => {
                let notes = referee.finish(Duration::ZERO);
                self.check_start(&relays, planned)?;
                return Err(self.complaint(&does, says_why.then_some(&notes)).into());
            }
        };
        referee.ends_within(FAREWELL);
        relays.notes.iter_mut().for_each(NotePipe::wait_for_end);
        let said = referee.finish(Duration::ZERO);
        self.check_start(&relays, planned)?;
        let errors = relays.errors();
        let mut faults = Vec::new();
        for seat in 0..relays.seats {
            if let Some(status) = relays.silent(seat) {
                faults.push((seat, Fault::NotStarted(format!("it ended before its first answer ({status})"))));
            } else if scores[seat] < 0 {
                let why = if errors[seat].is_empty() { "no reason" } else { &errors[seat] };
                let says = format!("the referee gave it {}: {}", counted(scores[seat], "points"), plain::shown(why));
                faults.push((seat, Fault::Failed(says)));
            }
        }
        let (moves, clocks) = answers_of(&answers(relays.folder.path()), relays.seats);
        let mut notes = Vec::new();
        for ((pipe, error), score) in relays.notes.into_iter().zip(&errors).zip(&scores) {
            let mut own = pipe.finish();
            own.columns.insert("points".to_string(), *score as f64);
            if !error.is_empty() {
                remark(&mut own.text, error);
            }
            notes.push(own);
        }
        Ok(Played { moves, faults, rewards: rewards_of(&scores), clocks, notes, said: said.text })
    }

    /// Reads the scores.
    ///
    /// # Errors
    /// The deed of the referee instead, and true if its standard error may say why.
    fn scores(&self, referee: &mut Bot, first: String, relays: &Relays) -> Result<Vec<i64>, (String, bool)> {
        let mut scores = Vec::new();
        let mut line = first;
        loop {
            let score = line.trim().parse();
            scores.push(score.map_err(|_| (format!("said '{}' and not a score", plain::shown(&line)), false))?);
            if scores.len() == relays.seats {
                return Ok(scores);
            }
            let gave = |_| (format!("gave {} of {} scores", scores.len(), relays.seats), true);
            line = relays.wait_for_line(referee).map_err(gave)?;
        }
    }

    /// Fails if a relay tells that its program cannot be started.
    pub(super) fn check_start(&self, relays: &Relays, planned: &Planned) -> Result<(), ArenaError> {
        let Some((seat, why)) = relays.missing() else { return Ok(()) };
        let named = &self.conditions.contestants[planned.seats[seat]];
        Err(ArenaError::new(format!("{named} {}", Fault::NotStarted(why))))
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
