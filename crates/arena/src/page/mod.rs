//! A contest as a page: everything in one file that loads nothing, in light or dark.
//!
//! Results and conditions are HTML. Games are JSON, which a small script shows move by move: the first board as text,
//! and of each move what it changes in that. How a text becomes a drawing is found out here (`shape.rs`).
//!
//! Names, moves, command lines and what programs say come from outside. In HTML they are escaped by `maud`; in JSON `<`
//! never stands as itself, so no text there ends the script it stands in; and the script makes text nodes of them.

mod album;
mod change;
mod choice;
mod game;
mod results;
mod shape;
mod sides;
#[cfg(test)]
mod tests;
mod viewer;
mod words;

use std::fmt::Display;
use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use self::album::{Album, Film, Shot};
use self::choice::{Choice, Choices};
use self::results::name;
use self::words::{grouped, millis, short};
use crate::statistics::{Ratings, Sprt};
use crate::{ArenaError, Conditions, Contest, Openings};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Nothing is loaded, and of scripts only the page's own runs: a second wall behind the escaping.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-boughs'; base-uri 'none'; form-action 'none'";

/// A contest as a page.
///
/// ```
/// use boughs_arena::{Conditions, Contest, Limit, Openings, Page, Store};
/// use std::time::Duration;
///
/// let mut store = Store::in_memory()?;
/// let command = "boughs match tictactoe mcts flat --iterations 20";
/// let conditions = Conditions {
///     game: "tictactoe".into(),
///     contestants: vec!["mcts".parse()?, "flat".parse()?],
///     pairings: vec![[0, 1]],
///     limit: Limit::Playouts(20),
///     grace: Duration::ZERO,
///     program_grace: Duration::ZERO,
///     openings: Openings::Start,
///     seed: 1,
/// };
/// let contest = Contest::new(conditions)?.keep_in(&mut store, "match", command, |_, number| number.to_string())?;
/// // ... in which games are played.
/// let mut html = Vec::new();
/// Page::of(&contest, command).write(&mut html)?;
/// assert!(String::from_utf8(html)?.contains("Match at tictactoe"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Page<'a> {
    /// What stands on top.
    pub title: String,
    /// What was played.
    pub contest: &'a Contest<'a>,
    /// How strong all contestants are, where there are more than two.
    pub ratings: Option<&'a Ratings>,
    /// The test that decides when a match ends.
    pub sprt: Option<Sprt>,
    /// The command line that played it; with `--only N` added it plays a single game again.
    pub command: &'a str,
    /// What there is to know of the machine and its load, a sentence or two each.
    pub notes: &'a [String],
    /// How many games can be looked at. Forfeits are chosen before others.
    pub most_games: usize,
}

impl<'a> Page<'a> {
    /// How many games can be looked at unless something else is said.
    pub const MOST_GAMES: usize = 200;

    /// A page with the usual title and nothing beside the results.
    pub fn of(contest: &'a Contest<'a>, command: &'a str) -> Page<'a> {
        let kind = if contest.conditions().pairings.len() > 1 { "Tournament" } else { "Match" };
        Page {
            title: format!("{kind} at {}", contest.conditions().game),
            contest,
            ratings: None,
            sprt: None,
            command,
            notes: &[],
            most_games: Self::MOST_GAMES,
        }
    }

    /// Writes the page.
    ///
    /// # Errors
    /// If the games cannot be read, or the page cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), ArenaError> {
        let mut choice = Choice::of(self.most_games);
        for kept in self.contest.games().into_iter().flatten() {
            choice.see(&kept?, &self.contest.conditions().game);
        }
        self.write_with(&choice.finish(), out).map_err(|error| unwritten(&error))
    }

    fn write_with(&self, choices: &Choices, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.head().into_string())?;
        write!(out, "{}", viewer::of_contest(self.command, choices).into_string())?;
        if !choices.games.is_empty() {
            viewer::write_contest(self.contest.conditions(), choices, out)?;
        }
        write_end(!choices.games.is_empty(), out)
    }

    /// Everything above the games.
    fn head(&self) -> Markup {
        let standings = self.contest.standings();
        let players = self.contest.players();
        html! {
            (top(&self.title))
            ul.names { @for contestant in 0..self.contest.conditions().contestants.len() {
                li { (name(self, contestant)) }
            } }
            @for warning in self.warnings() { p.warning { (warning) } }
            h2 { "Results" }
            @match standings {
                [standing] => (results::of_match(self, standing, players)),
                _ => (results::of_tournament(self, players)),
            }
            (meaning())
            h2 { "What each did" }
            (sides::sides(self))
            h2 { "Conditions" }
            (self.conditions())
        }
    }

    fn warnings(&self) -> Vec<String> {
        let standings = self.contest.standings();
        let mut warnings = Vec::new();
        let duplicates: u64 = standings.iter().map(|standing| standing.duplicates()).sum();
        if duplicates > 0 {
            warnings
                .push(format!("{} games were move for move like another and say nothing new.", grouped(duplicates)));
        }
        let unpaired: usize = standings.iter().map(|standing| standing.unpaired()).sum();
        if unpaired > 0 {
            warnings.push(format!("{unpaired} games have no partner yet and do not count."));
        }
        warnings
    }

    fn conditions(&self) -> Markup {
        let conditions = self.contest.conditions();
        let openings = match &conditions.openings {
            Openings::Start => "the start of the game".to_string(),
            Openings::Random(least, most) if least == most => format!("{least} random moves"),
            Openings::Random(least, most) => format!("{least} to {most} random moves"),
            Openings::Listed { .. } => "listed moves, a line a round".to_string(),
        };
        let facts: [(&str, &dyn Display); 6] = [
            ("game", &conditions.game),
            ("a move", &conditions.limit),
            ("grace", &grace(conditions)),
            ("openings", &openings),
            ("seed", &conditions.seed),
            ("version", &env!("CARGO_PKG_VERSION")),
        ];
        html! {
            dl {
                @for (name, fact) in facts { dt { (name) } dd { (fact.to_string()) } }
                dt { "command" }
                dd { code { (self.command) } }
            }
            @for note in self.notes { p { (note) } }
        }
    }
}

/// How much later answers may come.
fn grace(conditions: &Conditions) -> String {
    let [grace, programs] =
        [conditions.grace, conditions.program_grace].map(|grace| format!("{} ms", short(millis(grace), 3)));
    if grace == programs { grace } else { format!("{grace}, for programs {programs}") }
}

fn unwritten(error: &io::Error) -> ArenaError {
    ArenaError(format!("the page cannot be written: {error}; make room or name another file"))
}

/// The beginning of a page.
fn top(title: &str) -> Markup {
    html! {
        (DOCTYPE)
        // The end tag comes after the games, which are written one by one.
        (PreEscaped("<html lang=\"en\">"))
        meta charset="utf-8";
        meta name="viewport" content="width=device-width";
        meta http-equiv="Content-Security-Policy" content=(POLICY);
        title { (title) }
        style { (PreEscaped(STYLE)) }
        h1 { (title) }
    }
}

/// The end of a page, with the script where there are games for it.
fn write_end(has_games: bool, out: &mut dyn Write) -> io::Result<()> {
    if has_games {
        write!(out, "{}", html! { script nonce="boughs" { (PreEscaped(SCRIPT)) } }.into_string())?;
    }
    out.write_all(b"</html>\n")?;
    out.flush()
}

/// The words of the results for those who do not know them.
fn meaning() -> Markup {
    html! {
        details {
            summary { "What these words mean" }
            p {
                "± and intervals hold the truth in 95 % of all matches. A pair are two games with the same opening and the \
                 same luck, and the seats changed; all errors come from how pairs differ."
            }
            p {
                b { "Elo" } ": equals have a difference of 0; 100 more win 64 % of the points, 400 more win ten of \
                             eleven. "
                b { "nElo" } ": the same in standard deviations of a game, so that draws do not matter. "
                b { "LOS" } ": how sure it is that the first is the stronger one. "
                b { "LLR" } ": how much better the results go with the higher Elo than with the lower; the test ends at \
                             its bounds."
            }
        }
    }
}
