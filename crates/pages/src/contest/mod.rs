//! A contest as a page: its results and conditions, and its games in the viewer.

mod choice;
mod drawings;
mod game;
mod results;
mod sides;
#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::io::Write;

use boughs::notation::counted;
use boughs_arena::statistics::{Ratings, Sprt};
use boughs_arena::{Conditions, Contest, Contestant, Openings};
use maud::{Markup, html};

use self::choice::{Choice, Choices};
use self::results::name;
use crate::PageError;
use crate::document::{source, top, write_end};
use crate::text::{grouped, letter, millis, short};
use crate::viewer::{Common, SCRIPT, viewer, write_data};

/// A contest as a page.
///
/// ```
/// use boughs_arena::{Conditions, Contest, Limit, Openings, Store};
/// use boughs_pages::ContestPage;
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
///     openings: Openings::Start,
///     seed: 1,
/// };
/// let contest = Contest::new(conditions)?.keep_in(&mut store, "match", command, |_, number| number.to_string())?;
/// // ... the games of the contest are played.
/// let mut html = Vec::new();
/// ContestPage::of(&contest, command).write(&mut html)?;
/// assert!(String::from_utf8(html)?.contains("Match at tictactoe"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ContestPage<'a> {
    /// The title on top.
    pub title: String,
    /// The contest.
    pub contest: &'a Contest<'a>,
    /// The ratings of the contestants, if there are more than two.
    pub ratings: Option<&'a Ratings>,
    /// The sequential test that decides when a match ends.
    pub sprt: Option<Sprt>,
    /// The command line that played it; with `--only N` added it plays a single game again.
    pub command: &'a str,
    /// Notes on the machine and its load, a sentence or two each.
    pub notes: &'a [String],
    /// The largest number of games in the viewer. Forfeits are chosen before others.
    pub most_games: usize,
    /// The nonce by which the page's policy allows its script. A server gives each page another one, which it also says
    /// in the policy of its answer. A file has none: its policy names the hash of the script.
    pub nonce: Option<String>,
}

impl<'a> ContestPage<'a> {
    /// The default of `most_games`.
    pub const MOST_GAMES: usize = 200;

    /// A page with the default title and the results only.
    pub fn of(contest: &'a Contest<'a>, command: &'a str) -> ContestPage<'a> {
        let kind = if contest.conditions().pairings.len() > 1 { "Tournament" } else { "Match" };
        ContestPage {
            title: format!("{kind} at {}", contest.conditions().game),
            contest,
            ratings: None,
            sprt: None,
            command,
            notes: &[],
            most_games: Self::MOST_GAMES,
            nonce: None,
        }
    }

    /// Writes the page.
    ///
    /// # Errors
    /// If the games cannot be read, or the page cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), PageError> {
        let conditions = self.contest.conditions();
        let mut choice = Choice::of(self.most_games);
        for kept in self.contest.games().into_iter().flatten() {
            choice.see(&kept?, &conditions.game);
        }
        let choices = choice.finish();
        let names: Vec<(String, String)> = conditions
            .contestants
            .iter()
            .enumerate()
            .map(|(contestant, name)| (letter(contestant), name.to_string()))
            .collect();
        write!(out, "{}", self.head().into_string())?;
        write!(out, "{}", self.games(&choices).into_string())?;
        let entry = boughs_games::start(&conditions.game).ok().map(|game| game.entry);
        let (legend, cards) = entry.map_or(("", &[][..]), |entry| (entry.legend, entry.cards));
        write_data(&Common { names: &names, shapes: &choices.shapes, legend, cards }, &choices.games, out)?;
        write_end((!choices.games.is_empty()).then_some(SCRIPT), self.nonce.as_deref(), out)?;
        Ok(())
    }

    /// The games in the viewer.
    fn games(&self, choices: &Choices) -> Markup {
        const COLUMNS: [(&str, &str); 5] =
            [("game", ""), ("seats", ""), ("result", ""), ("plies", ""), ("ended", "words")];
        html! {
            h2 { "Games" }
            @if choices.left_out > 0 {
                p {
                    (grouped(choices.left_out as u64)) " games are not on this page. "
                    code { (self.command) " --only N" } " shows any of them by its number N."
                }
            }
            (viewer(&COLUMNS, &choices.games))
        }
    }

    /// The page above the games.
    fn head(&self) -> Markup {
        let standings = self.contest.standings();
        let players = self.contest.players();
        html! {
            (top(&self.title, Some(&source(SCRIPT, self.nonce.as_deref()))))
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
        let unknown = self.contest.conditions().contestants.iter().filter_map(|contestant| match contestant {
            Contestant::Unknown(_, why) => Some(why.to_string()),
            _ => None,
        });
        let mut warnings: Vec<String> = unknown.collect();
        let duplicates: u64 = standings.iter().map(|standing| standing.duplicates()).sum();
        if duplicates > 0 {
            let games = counted(grouped(duplicates), "games");
            warnings.push(format!("{games} repeated another one move for move, which says nothing new."));
        }
        let unpaired: usize = standings.iter().map(|standing| standing.unpaired()).sum();
        if unpaired > 0 {
            warnings.push(format!("{} had no partner yet and did not count.", counted(unpaired, "games")));
        }
        warnings
    }

    fn conditions(&self) -> Markup {
        let conditions = self.contest.conditions();
        let openings = match &conditions.openings {
            Openings::Start => "the start of the game".to_string(),
            Openings::Random(least, most) if least == most => counted(least, "random moves"),
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

/// Writes the grace.
fn grace(conditions: &Conditions) -> String {
    format!("{} ms", short(millis(conditions.grace), 3))
}

/// Explains the words of the results.
fn meaning() -> Markup {
    html! {
        details {
            summary { "What these words mean" }
            p {
                "± and intervals hold the truth in 95 % of all matches. A pair are two games with the same opening and \
                 the same luck, and the seats changed; all errors come from how pairs differ."
            }
            p {
                b { "Elo" } ": equals have a difference of 0; 100 more win 64 % of the points, 400 more win ten of \
                             eleven. "
                b { "nElo" } ": the same in standard deviations of a game, so that draws do not matter. "
                b { "LOS" } ": how sure it is that the first is the stronger one. "
                b { "LLR" } ": how much better the results go with the higher Elo than with the lower; the test ends \
                             at its bounds."
            }
        }
    }
}
