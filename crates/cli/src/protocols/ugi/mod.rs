//! UGI, the Universal Game Interface, and its sisters: UAI for Ataxx and TEI for Tak. They differ in a few words, which
//! the first line of a client tells.

mod dialect;
mod limits;

use boughs::notation::counted;
use boughs::{Budget, Report, Session, StopFlag, Turn};
use boughs_agents::AgentSpec;
use boughs_games::StartedGame;

use self::dialect::Dialect;
use self::limits::Limits;
use super::board_game::Game;
use super::events::{Effect, Events};
use super::game_spec::GameSpec;
use crate::failure::Failure;
use crate::output::print;
use crate::ranks::Builder;

/// The engine between two lines.
struct Engine {
    game: Game,
    dialect: Dialect,
    /// False after a position that was refused, until another one is given.
    knows_position: bool,
    events: Events,
    has_quit: bool,
}

/// Plays until the input ends or a client says `quit`.
pub(crate) fn play(started: &StartedGame, spec: &str, agent: AgentSpec) -> Result<(), Failure> {
    if !started.is_open_and_for_two() {
        return Err(Failure::new(format!(
            "UGI is for two players who see everything and have no luck, and {} is another kind of game; try \
             breakthrough, connect4 or hex",
            started.entry.name
        )));
    }
    let game = Game::start(GameSpec::of(spec), agent, Builder::default())?;
    let mut engine =
        Engine { game, dialect: Dialect::Ugi, knows_position: true, events: Events::standard()?, has_quit: false };
    while !engine.has_quit {
        let Some(line) = engine.events.next()? else { break };
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Err(fault) = engine.obey(&words)? {
            // A client shows such a line, and goes on.
            print(&format!("info string error: {fault}\n"))?;
        }
    }
    Ok(())
}

impl Engine {
    /// Does what a line says. The inner error is for the client.
    fn obey(&mut self, words: &[&str]) -> Result<Result<(), String>, Failure> {
        let Some((&name, rest)) = words.split_first() else { return Ok(Ok(())) };
        if let Some(dialect) = Dialect::of(name) {
            self.dialect = dialect;
            return self.introduce().map(Ok);
        }
        Ok(match name {
            "isready" => return print("readyok\n").map(Ok),
            "quit" => {
                self.has_quit = true;
                Ok(())
            }
            "setoption" => self.set_option(rest),
            "position" => {
                let set = self.set_position(rest);
                self.knows_position = set.is_ok();
                set
            }
            "go" => return self.search(rest),
            "query" => return self.answer(rest),
            // A search that has ended already.
            "stop" => Ok(()),
            _ if self.dialect.is_new_game(name) => {
                let begun = self.begin(rest);
                self.knows_position = begun.is_ok();
                begun
            }
            _ => Err(format!("'{name}' is no command of {}", self.dialect.name())),
        })
    }

    /// The name of the program, its options, and the word that ends them.
    fn introduce(&self) -> Result<(), Failure> {
        let mut text = format!("id name Boughs {}\nid author The Boughs developers\n", env!("CARGO_PKG_VERSION"));
        for (key, value) in self.game.agent_spec.values() {
            text += &match value.as_str() {
                "on" | "off" => format!("option name {key} type check default {}\n", value == "on"),
                _ => format!("option name {key} type string default {value}\n"),
            };
        }
        print(&format!("{text}{}ok\n", self.dialect.name()))
    }

    /// The player with the white pieces. In Tak it is the first one.
    fn white(&self) -> usize {
        usize::from(self.dialect != Dialect::Tei && self.game.colours()[0] != "white")
    }

    /// `uginewgame`, and with the width of the board `teinewgame 9`.
    fn begin(&mut self, words: &[&str]) -> Result<(), String> {
        let spec = &self.game.spec;
        let spec = match words.first().filter(|_| self.dialect == Dialect::Tei) {
            None => spec.clone(),
            Some(size) => {
                let other = size.parse().ok().and_then(|size| spec.on_board(Some(size), None));
                let name = self.game.started.entry.name;
                other.ok_or_else(|| format!("{name} has no board of size '{size}'"))?
            }
        };
        self.game.restart(spec)
    }

    /// `setoption name c value 1.4`.
    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let ["name", key, "value", value] = words else {
            return Err("an option is set by 'setoption name KEY value VALUE'".to_string());
        };
        let value = match *value {
            "true" => "on",
            "false" => "off",
            value => value,
        };
        let mut spec = self.game.agent_spec.clone();
        spec.set(&key.to_ascii_lowercase(), value).map_err(|error| error.to_string())?;
        self.game.set_agent(spec)
    }

    /// `position startpos moves a2a3 b7b6`.
    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let moves = match words {
            ["startpos"] => &[],
            ["startpos", "moves", moves @ ..] => moves,
            _ => return Err("a position is 'position startpos moves MOVE ...'; others are not known here".to_string()),
        };
        let mut position = self.game.started.position.clone();
        let mut actions = Vec::with_capacity(moves.len());
        for text in moves {
            let own = self.dialect.own_name(text);
            let action = position.find_move(own).filter(|_| matches!(position.turn(), Turn::Player(_)));
            let action =
                action.ok_or_else(|| format!("'{text}' is no legal move after {}", counted(actions.len(), "moves")))?;
            position.apply(action);
            actions.push(action);
        }
        self.game.follow(actions)
    }

    /// `go movetime 100`: information while the search runs, and `bestmove` at its end.
    fn search(&mut self, words: &[&str]) -> Result<Result<(), String>, Failure> {
        let limits = match Limits::read(words, self.white()) {
            Ok(limits) => limits,
            Err(fault) => {
                // A client waits for a move until it has one, or this.
                print(&format!("info string error: {fault}\nbestmove {}\n", self.dialect.no_move()))?;
                return Ok(Ok(()));
            }
        };
        let Some(player) = self.game.player().filter(|_| self.knows_position) else {
            return print(&format!("bestmove {}\n", self.dialect.no_move())).map(Ok);
        };
        let limit = limits.budget(player);
        let is_endless = limit.is_none();
        let (stop, dialect) = (StopFlag::default(), self.dialect);
        let budget = limit.unwrap_or_else(Budget::whole).or_stopped_by(stop.clone());
        let mut said = Ok(());
        let mut see = |report: &Report| {
            if said.is_ok() {
                said = print(&limits::info(report, dialect));
                if said.is_err() {
                    stop.raise();
                }
            }
        };
        let effect = |line: Option<&str>| match line.map(str::trim) {
            Some("stop" | "quit") => Effect::Stops,
            // A client that is gone does not stop a search that ends by itself, so that lines may come from a file.
            None => Effect::stopping(is_endless),
            Some("isready") => {
                // A closed output is noticed by the best move.
                let _ = print("readyok\n");
                Effect::Done
            }
            Some(_) => Effect::Waits,
        };
        let report = self.events.search(self.game.searcher(), budget, effect, &mut see)?;
        said?;
        let best = match self.game.chosen(&report) {
            Some(action) => self.dialect.client_name(self.game.position().action_text(action)),
            None => self.dialect.no_move().to_string(),
        };
        print(&format!("{}bestmove {best}\n", limits::info(&report, dialect))).map(Ok)
    }

    /// `query p1turn`, `query gameover` and `query result`.
    fn answer(&self, words: &[&str]) -> Result<Result<(), String>, Failure> {
        let position = self.game.position();
        let is_over = position.turn() == Turn::Over;
        let answer = match words {
            ["p1turn"] => (position.turn() == Turn::Player(0)).to_string(),
            ["gameover"] => is_over.to_string(),
            ["result"] if is_over => winner(position).to_string(),
            ["result"] => "none".to_string(),
            _ => return Ok(Err("a query is one of p1turn, gameover and result".to_string())),
        };
        print(&format!("response {answer}\n")).map(Ok)
    }
}

/// The result of a game that is over.
fn winner(position: &dyn Session) -> &'static str {
    let [first, second] = [0, 1].map(|player| position.reward(player));
    match first.total_cmp(&second) {
        std::cmp::Ordering::Greater => "p1win",
        std::cmp::Ordering::Less => "p2win",
        std::cmp::Ordering::Equal => "draw",
    }
}
