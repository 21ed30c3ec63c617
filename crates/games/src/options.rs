//! Game specs, `hex:size=7`: the name and the options of a game, and their errors.

use std::ops::RangeInclusive;

use boughs::spec::did_you_mean;

use crate::list::entries;

/// The options of a spec, which a game asks for one by one as it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pairs: Vec<(String, String)>,
}

impl Options {
    /// Splits a spec into its name and its options.
    pub(crate) fn of_spec(spec: &str) -> Result<(&str, Options), GameError> {
        let (name, list) = spec.split_once(':').unwrap_or((spec, ""));
        let (name, list) = (name.trim(), list.trim());
        let mut options = Options::default();
        for word in list.split(',').map(str::trim).filter(|_| !list.is_empty()) {
            let pair = word.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            match pair {
                Some((key, value)) if !key.is_empty() && !value.is_empty() => {
                    options.pairs.push((key.to_string(), value.to_string()));
                }
                _ => return Err(GameError::BadPair { game: name.to_string(), word: word.to_string() }),
            }
        }
        Ok((name, options))
    }

    /// Removes an option that the game has not asked for.
    pub(crate) fn left_over(&mut self) -> Option<String> {
        self.pairs.pop().map(|(option, _)| option)
    }

    /// The value of the option `key` as it is written, if it is given.
    ///
    /// # Errors
    /// One sentence, if it is given twice.
    pub fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        let pairs = std::mem::take(&mut self.pairs);
        let (values, others): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(name, _)| name.eq_ignore_ascii_case(key));
        self.pairs = others;
        match values.len() {
            0 | 1 => Ok(values.into_iter().next().map(|(_, value)| value)),
            _ => Err(format!("{key} is given twice")),
        }
    }

    /// The value of the option `key`, a number in `range`; `default` if it is not given.
    ///
    /// # Errors
    /// One sentence, if the value is not a number in the range or is given twice.
    pub fn number(&mut self, key: &str, range: RangeInclusive<u32>, default: u32) -> Result<u32, String> {
        let Some(value) = self.text(key)? else { return Ok(default) };
        value
            .parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| format!("{key} must be a number from {} to {}, not '{value}'", range.start(), range.end()))
    }

    /// The value of the option `key`, one of the words of `known`; the first of them if it is not given.
    ///
    /// # Errors
    /// One sentence, if the value is another word or is given twice.
    pub fn word(&mut self, key: &str, known: &[&'static str]) -> Result<&'static str, String> {
        let value = self.text(key)?;
        let fits = |word: &&&str| value.as_ref().is_none_or(|value| word.eq_ignore_ascii_case(value));
        known.iter().find(fits).copied().ok_or_else(|| {
            format!("{key} must be one of {}, not '{}'", known.join(", "), value.as_deref().unwrap_or_default())
        })
    }

    /// The value of the option `key` in halves, 15 for `7.5`: a number in `range`, with or without a half; `default`
    /// halves if it is not given.
    ///
    /// # Errors
    /// One sentence, if the value is not such a number or is given twice.
    pub fn halves(&mut self, key: &str, range: RangeInclusive<u32>, default: u32) -> Result<u32, String> {
        let Some(value) = self.text(key)? else { return Ok(default) };
        let (whole, half) = match value.strip_suffix(".5") {
            Some(whole) => (whole, 1),
            None => (value.strip_suffix(".0").unwrap_or(&value), 0),
        };
        let whole = whole.parse().ok().filter(|number| range.contains(number));
        whole.map(|whole| 2 * whole + half).filter(|halves| halves / 2 + half <= *range.end()).ok_or_else(|| {
            format!("{key} must be a number from {} to {} or a half between, not '{value}'", range.start(), range.end())
        })
    }
}

/// Reason why a spec names no game. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The list has no game with this name.
    UnknownGame {
        /// The name in the spec.
        name: String,
        /// The names of all games.
        known: Vec<&'static str>,
    },
    /// The game has no such option.
    UnknownOption {
        /// The name of the game.
        game: String,
        /// The option in the spec.
        option: String,
        /// The game's description of its options.
        known: &'static str,
    },
    /// An option has a value that the game does not take.
    BadValue {
        /// The name of the game.
        game: String,
        /// The game's sentence about it.
        what: String,
    },
    /// A part of the spec is not of the form `key=value`.
    BadPair {
        /// The name in the spec.
        game: String,
        /// The part at fault.
        word: String,
    },
}

impl GameError {
    pub(crate) fn unknown_game(name: &str) -> GameError {
        let known = entries().iter().map(|entry| entry.name).collect();
        GameError::UnknownGame { name: name.to_string(), known }
    }
}

impl std::fmt::Display for GameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GameError::UnknownGame { name, known } => {
                let hint = did_you_mean(name, known.iter().copied());
                write!(f, "there is no game '{name}'; {hint}the games are {}", known.join(", "))
            }
            GameError::UnknownOption { game, option, known: "" } => {
                write!(f, "{game} has no option '{option}', and takes no options at all")
            }
            GameError::UnknownOption { game, option, known } => {
                let hint = did_you_mean(option, option_names(known));
                write!(f, "{game} has no option '{option}'; {hint}its options are {known}")
            }
            GameError::BadValue { game, what } => write!(f, "{game}: {what}"),
            GameError::BadPair { game, word } => {
                write!(f, "'{word}' is not an option of {game}; options are written key=value with commas between them")
            }
        }
    }
}

impl std::error::Error for GameError {}

/// The names in a game's description of its options: the words before an `=`.
fn option_names(description: &str) -> impl Iterator<Item = &str> {
    let before = description.split('=').map(|text| text.rsplit([' ', ',']).next().unwrap_or(text));
    before.take(description.matches('=').count())
}

#[cfg(test)]
mod tests {
    use crate::{GameError, entries, start};

    /// Starts a game, and returns its name and the number of actions at its start.
    fn started(spec: &str) -> Result<(&'static str, usize), GameError> {
        start(spec).map(|game| (game.entry.name, game.position.legal_moves().len()))
    }

    fn message(spec: &str) -> String {
        started(spec).expect_err(spec).to_string()
    }

    #[test]
    fn a_spec_names_a_game_and_its_options() {
        assert_eq!(started("hex"), Ok(("hex", 121)));
        assert_eq!(started("Hex:size=7"), Ok(("hex", 49)));
        assert_eq!(started(" hex : size = 3 "), Ok(("hex", 9)));
        assert_eq!(started("connect4:"), Ok(("connect4", 7)));
        assert_eq!(started("matrix:game=Pennies"), Ok(("matrix", 2)));
    }

    #[test]
    fn a_fault_is_named_with_what_would_be_right() {
        let games = "the games are";
        let message_for_typo = message("conect4");
        let suggestion = format!("there is no game 'conect4'; did you mean connect4? {games} ");
        assert!(message_for_typo.starts_with(&suggestion), "{message_for_typo}");
        assert!(entries().iter().all(|entry| message_for_typo.contains(entry.name)), "{message_for_typo}");
        assert!(message("zzz").starts_with(&format!("there is no game 'zzz'; {games} ")), "{}", message("zzz"));
        assert_eq!(
            message("hex:sise=7"),
            "hex has no option 'sise'; did you mean size? its options are size=3..19 (default 11)"
        );
        assert_eq!(message("hex:colour=7"), "hex has no option 'colour'; its options are size=3..19 (default 11)");
        assert!(message("nim:plaeyrs=2").contains("did you mean players? "), "{}", message("nim:plaeyrs=2"));
        assert!(message("ehx").contains("did you mean hex? "), "{}", message("ehx"));
        assert_eq!(message("othello:size=8"), "othello has no option 'size', and takes no options at all");
        for bad in ["2", "20", "-3", "many", "7x"] {
            assert_eq!(
                message(&format!("hex:size={bad}")),
                format!("hex: size must be a number from 3 to 19, not '{bad}'")
            );
        }
        for bad in ["81.5", "82", "-1", "7.25", ".5", "7.", "4294967295.5"] {
            assert_eq!(
                message(&format!("go:komi={bad}")),
                format!("go: komi must be a number from 0 to 81 or a half between, not '{bad}'")
            );
        }
        for good in ["0", "0.5", "7.0", "7.5", "81"] {
            assert!(started(&format!("go:komi={good}")).is_ok(), "{good}");
        }
        assert_eq!(message("hex:size=3,size=4"), "hex: size is given twice");
        assert_eq!(message("goofspiel:order=up"), "goofspiel: order must be one of random, descending, not 'up'");
        for (spec, word) in [("hex:7", "7"), ("hex:size=", "size="), ("hex:size=7,", ""), ("hex:=7", "=7")] {
            assert_eq!(
                message(spec),
                format!("'{word}' is not an option of hex; options are written key=value with commas between them")
            );
        }
    }
}
