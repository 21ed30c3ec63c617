//! A game between a person and the engine, line by line.

use std::io::BufRead;
use std::time::Instant;

use boughs::notation::counted;
use boughs::{Agent, Budget, GameClock, Information, Report, Rng, Session, Turn};
use boughs_bots::{Line, read_line};

use crate::args::Limits;
use crate::failure::Failure;
use crate::output::bold;
use crate::show::{percent, worth};
use crate::{interrupt, progress};

/// A game between a person and the engine, which plays all other players.
pub(crate) struct GameAgainstPerson<'a> {
    /// The number of the person among the players. In a game for one player it may be beyond them.
    pub(crate) person: usize,
    /// The limits of the engine for a move.
    pub(crate) limits: &'a Limits,
    /// The engine's clock for the whole game.
    pub(crate) clock: Option<GameClock>,
    pub(crate) agent: Box<dyn Agent>,
    /// The random numbers of chance.
    pub(crate) chance: Rng,
    /// The positions in which the person has moved.
    pub(crate) rounds: Vec<Box<dyn Session>>,
    /// The input of the person.
    pub(crate) input: &'a mut dyn BufRead,
    /// Shows text to the person.
    pub(crate) say: &'a mut dyn FnMut(&str) -> Result<(), Failure>,
    /// The text shown when the person is to move.
    pub(crate) prompt: &'static str,
}

/// The effect of a line of input.
enum Next {
    /// The person is asked again.
    Ask,
    /// The game goes on from a new position.
    Go,
    Quit,
}

const HELP: &str = "\
Type a move, or
  hint   what the engine would do
  undo   take back your last move and the answer
  moves  all legal moves
  help   this list
  quit   end the game
";

impl GameAgainstPerson<'_> {
    /// Plays until the game is over or the person leaves.
    pub(crate) fn play(&mut self) -> Result<(), Failure> {
        self.introduce()?;
        self.draw()?;
        loop {
            match self.agent.position().turn() {
                Turn::Over => return self.announce(),
                Turn::Chance => self.play_chance()?,
                Turn::Player(player) if player != self.person => self.answer(player)?,
                Turn::Player(_) => match self.ask()? {
                    Next::Quit => return Ok(()),
                    Next::Ask => {}
                    Next::Go => self.draw()?,
                },
            }
        }
    }

    /// Tells the person which player they are.
    fn introduce(&mut self) -> Result<(), Failure> {
        let players = self.agent.position().players();
        if self.person < players && players > 1 {
            (self.say)(&format!("You are player {} of {players}; 'help' lists what you can type.\n", self.person + 1))?;
        }
        Ok(())
    }

    /// Shows the board as the person may see it, unless chance acts first.
    fn draw(&mut self) -> Result<(), Failure> {
        let position = self.agent.position();
        if position.turn() == Turn::Chance {
            return Ok(());
        }
        let board = if self.person < position.players() { position.board_for(self.person) } else { position.board() };
        (self.say)(&format!("\n{}\n", board.trim_end()))
    }

    /// Draws an outcome of chance and plays it.
    fn play_chance(&mut self) -> Result<(), Failure> {
        let position = self.agent.position();
        let Some(outcome) = position.chance(&mut self.chance) else {
            return Err(Failure::new("chance is to act, but the game lists no outcome"));
        };
        // The board shows dealt cards as far as the person may see them.
        if position.facts().information != Information::Hidden {
            (self.say)(&format!("chance: {}\n", bold(&position.action_text(outcome))))?;
        }
        self.agent.advance(outcome)?;
        self.draw()
    }

    /// Returns true if the person sees this action.
    fn sees(&self, action: u32) -> bool {
        let before = self.agent.position();
        let mut after = before.clone_session();
        after.apply(action);
        before.facts().information == Information::Perfect
            || self.person >= before.players()
            || after.information(self.person) != before.information(self.person)
    }

    /// Makes the move of the engine.
    fn answer(&mut self, player: usize) -> Result<(), Failure> {
        let started = Instant::now();
        let report = self.search()?;
        let legal = self.agent.position().legal_moves();
        if report.iterations + report.inherited == 0 {
            (self.say)("the engine had no time for a single playout and plays the first move it sees\n")?;
        }
        let Some(action) = report.best.as_ref().map(|best| best.action).or(legal.first().map(|&(action, _)| action))
        else {
            return Err(Failure::new("the game goes on, but there is no legal move"));
        };
        let name = match self.agent.position().players() {
            0..=2 => "engine".to_string(),
            _ => format!("player {}", player + 1),
        };
        let text = self.agent.position().action_text(action);
        if self.sees(action) {
            let outlook = self.outlook(&report);
            (self.say)(&format!("{name} plays {}{outlook}\n", bold(&text)))?;
        } else {
            (self.say)(&format!("{name} has chosen\n"))?;
        }
        if let Some(clock) = &mut self.clock
            && !clock.spend(started.elapsed())
        {
            (self.say)("the engine has used up its clock\n")?;
        }
        self.agent.advance(action)?;
        self.draw()
    }

    fn search(&mut self) -> Result<Report, Failure> {
        let budget = match (&self.clock, self.limits.given()) {
            (None, _) => self.limits.budget(),
            (Some(clock), given) => given.unwrap_or_else(Budget::unlimited).or_clock(clock),
        };
        Ok(progress::search(&mut *self.agent, budget.or_stopped_by(interrupt::hurries_search()))?)
    }

    /// Reads one line from the person and does what it says.
    fn ask(&mut self) -> Result<Next, Failure> {
        interrupt::leaves();
        (self.say)(self.prompt)?;
        let Some(line) = self.read_line()? else { return Ok(Next::Quit) };
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "hint" => {
                let report = self.search()?;
                let best = report.best.as_ref().map_or("none", |best| best.text.as_str());
                let outlook = self.outlook(&report);
                (self.say)(&format!("hint: {}{outlook}\n", bold(best)))?;
            }
            "undo" => match self.rounds.pop() {
                Some(position) => {
                    self.agent.reset(&*position)?;
                    return Ok(Next::Go);
                }
                None => (self.say)("there is no move of yours to take back\n")?,
            },
            "moves" => {
                let names: Vec<String> =
                    self.agent.position().legal_moves().into_iter().map(|(_, name)| name).collect();
                (self.say)(&(names.join(" ") + "\n"))?;
            }
            "help" => (self.say)(HELP)?,
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            _ => match self.find(line) {
                Ok(action) => {
                    self.rounds.push(self.agent.position().clone_session());
                    self.agent.advance(action)?;
                    return Ok(Next::Go);
                }
                Err(fault) => (self.say)(&format!("{fault}; 'help' lists what else you can type\n"))?,
            },
        }
        Ok(Next::Ask)
    }

    /// The code of the one move in a text.
    fn find(&self, text: &str) -> Result<u32, String> {
        let position = self.agent.position();
        let moves = position.clone_session().play_moves(text).map_err(|error| error.to_string())?;
        let [action] = moves[..] else {
            return Err(format!("'{text}' is {}, and one is wanted", counted(moves.len(), "moves")));
        };
        // An action that is legal and not listed is left to chance and to a referee.
        match position.legal_moves().iter().any(|&(listed, _)| listed == action) {
            true => Ok(action),
            false => Err(format!("'{text}' is not a legal move here")),
        }
    }

    /// Tells the result of the game.
    fn announce(&mut self) -> Result<(), Failure> {
        let position = self.agent.position();
        let rewards: Vec<f64> = (0..position.players()).map(|player| position.reward(player)).collect();
        let text = match (&rewards[..], rewards.get(self.person)) {
            ([_, _], Some(1.0)) => "you win\n".to_string(),
            ([_, _], Some(0.5)) => "a draw\n".to_string(),
            ([_, _], Some(0.0)) => "the engine wins\n".to_string(),
            _ => rewards
                .iter()
                .enumerate()
                .map(|(player, &reward)| format!("player {} gets {}\n", player + 1, percent(reward)))
                .collect(),
        };
        (self.say)(&text)
    }

    /// The value of the engine's move and the line it expects; nothing in a game where this would tell of its cards.
    fn outlook(&self, report: &Report) -> String {
        if self.agent.position().facts().information == Information::Hidden {
            return String::new();
        }
        let Some(best) = report.best_child() else { return String::new() };
        let then: Vec<&str> = report.pv.iter().skip(1).map(|step| step.text.as_str()).collect();
        let expects = if then.is_empty() { String::new() } else { format!(", expects {}", then.join(" ")) };
        format!(" ({}{expects})", worth(report, best))
    }

    /// The next line of input; `None` at its end.
    fn read_line(&mut self) -> Result<Option<String>, Failure> {
        /// Longer than any move.
        const LONGEST: u64 = 4096;
        match read_line(self.input, LONGEST) {
            Ok(Line::Text(line)) => Ok(Some(line)),
            Ok(Line::End) => Ok(None),
            Ok(Line::TooLong) => {
                Err(Failure::new(format!("a line of input has more than {LONGEST} bytes, and no move is that long")))
            }
            Err(error) => Err(Failure::new(format!("the input cannot be read: {error}"))),
        }
    }
}
