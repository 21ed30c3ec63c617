//! Recorded games: the lines that a bot was told, and the places where it answered.
//!
//! A line after `> ` goes to the bot, at `<` the bot answers with a line, and a game begins after an empty line. Lines
//! after `#` say what is recorded. Every turn of a contest tells the whole position, so that a bot whose answers are
//! others can go on.

use crate::fault::ExportError;

/// The recordings that come with the program, by the name of the game. Games without one of their own play that of
/// Connect Four, by the plain lines.
const RECORDINGS: [(&str, &str); 4] = [
    ("ahc015", include_str!("../../recordings/ahc015.txt")),
    ("connect4", include_str!("../../recordings/connect4.txt")),
    ("green-circle", include_str!("../../recordings/green-circle.txt")),
    ("photosynthesis", include_str!("../../recordings/photosynthesis.txt")),
];

/// The lines of recorded games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    /// The games, each with the lines before each answer.
    pub(super) games: Vec<Vec<Question>>,
}

/// The lines before an answer, and the number of the answer's line in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Question {
    pub(super) lines: String,
    at: usize,
}

impl Recording {
    /// The recording of a game that comes with the program.
    pub fn of(game: &str) -> Option<Recording> {
        let (_, text) = RECORDINGS.into_iter().find(|&(name, _)| name == game)?;
        Recording::parse(text).ok()
    }

    /// Reads a recording.
    ///
    /// # Errors
    /// The first line that is none of a recording, or a recording without answers.
    pub fn parse(text: &str) -> Result<Recording, ExportError> {
        let mut games = vec![Vec::new()];
        let mut told = String::new();
        for (line, at) in text.lines().zip(1..) {
            match line.split_once("> ").unwrap_or((line, "")) {
                ("", "") => {
                    told.clear();
                    games.push(Vec::new());
                }
                ("", line) => told = told + line + "\n",
                ("<", _) => {
                    let lines = std::mem::take(&mut told);
                    games.last_mut().into_iter().for_each(|game| game.push(Question { lines: lines.clone(), at }));
                }
                (other, _) if other.starts_with('#') => {}
                _ => {
                    return Err(ExportError::new(format!(
                        "line {at} of the recording is '{line}'; write '> ' before what the bot is told, and '<' where \
                         it answers"
                    )));
                }
            }
        }
        games.retain(|game| !game.is_empty());
        match games.is_empty() {
            true => Err(ExportError::new("the recording has no answer; write '<' where the bot answers")),
            false => Ok(Recording { games }),
        }
    }

    /// The place of an answer, counted over all games, in words.
    pub(super) fn place(&self, answer: usize) -> String {
        let mut before = 0;
        for (number, game) in self.games.iter().enumerate() {
            if let Some(question) = game.get(answer - before) {
                return format!(
                    "question {} of game {} (line {} of the recording)",
                    answer - before + 1,
                    number + 1,
                    question.at
                );
            }
            before += game.len();
        }
        format!("question {}", answer + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Turns;

    #[test]
    fn the_recordings_have_as_many_answers_as_are_compared() {
        for (game, _) in RECORDINGS {
            let recording = Recording::of(game).expect(game);
            let answers: usize = recording.games.iter().map(Vec::len).sum();
            assert!(answers >= Turns::default().optimised, "{game}: {answers}");
            assert!(recording.games.iter().flatten().all(|question| !question.lines.is_empty()), "{game}");
        }
        assert_eq!(Recording::of("no-such-game"), None);
    }

    #[test]
    fn a_faulty_recording_is_named() {
        for (text, says) in [("> go\nanswer\n", "line 2 of the recording is 'answer'; write"), ("> go\n", "no answer")]
        {
            let error = Recording::parse(text).expect_err(text).to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
