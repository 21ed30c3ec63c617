//! A game between a person and the engine, line by line.

use std::io::{BufRead, Read};
use std::time::Instant;

use boughs::notation::{legal_moves, play_moves};
use boughs::{Agent, Budget, Game, GameClock, Information, Report, Rng, Turn};

use crate::args::Limits;
use crate::failure::Failure;
use crate::output::bold;
use crate::show::{percent, worth};
use crate::{interrupt, progress};

/// A game between a person and the engine, who plays all others if there are more than two.
pub(crate) struct Match<'a, G: Game> {
    /// The person's number among the players. In a game for one it may be nobody's.
    pub(crate) me: usize,
    /// How long the engine thinks about a move.
    pub(crate) limits: &'a Limits,
    /// The engine's clock for the whole game.
    pub(crate) clock: Option<GameClock>,
    pub(crate) agent: Box<dyn Agent<G>>,
    /// What chance draws from.
    pub(crate) chance: Rng,
    /// The positions in which the person has moved.
    pub(crate) rounds: Vec<G>,
    /// What the person types.
    pub(crate) input: &'a mut dyn BufRead,
    /// Shows text to the person.
    pub(crate) say: &'a mut dyn FnMut(&str) -> Result<(), Failure>,
    /// What is shown when the person is to move.
    pub(crate) prompt: &'static str,
}

/// What a line of input leads to.
enum Next {
    Ask,
    Go,
    Quit,
}

const HELP: &str = "Type a move, or\n  hint   what the engine would do\n  undo   take back your last move and the answer\n  \
                    moves  all legal moves\n  help   this list\n  quit   end the game\n";

impl<G: Game> Match<'_, G> {
    /// Plays until the game is over or the person leaves.
    pub(crate) fn play(&mut self) -> Result<(), Failure> {
        self.introduce()?;
        self.draw()?;
        loop {
            match self.agent.position().turn() {
                Turn::Over => return self.announce(),
                Turn::Chance => self.play_chance()?,
                Turn::Player(player) if player != self.me => self.answer(player)?,
                Turn::Player(_) => match self.ask()? {
                    Next::Quit => return Ok(()),
                    Next::Ask => {}
                    Next::Go => self.draw()?,
                },
            }
        }
    }

    /// Says who is who.
    fn introduce(&mut self) -> Result<(), Failure> {
        let players = self.agent.position().players();
        if self.me < players && players > 1 {
            (self.say)(&format!("You are player {} of {players}; 'help' lists what you can type.\n", self.me + 1))?;
        }
        Ok(())
    }

    /// Shows the board as the person may see it, once somebody is to choose.
    fn draw(&mut self) -> Result<(), Failure> {
        let position = self.agent.position();
        if position.turn() == Turn::Chance {
            return Ok(());
        }
        let board = if self.me < position.players() { position.board_for(self.me) } else { position.board() };
        (self.say)(&format!("\n{}\n", board.trim_end()))
    }

    /// Chance acts.
    fn play_chance(&mut self) -> Result<(), Failure> {
        let position = self.agent.position();
        let Some(outcome) = position.chance(&mut self.chance, &mut Vec::new()) else {
            return Err(Failure::new("chance is to act, but the game lists no outcome"));
        };
        // What was dealt is seen on the board, as far as it may be.
        if G::INFORMATION != Information::Hidden {
            (self.say)(&format!("chance: {}\n", bold(&position.action_text(outcome))))?;
        }
        self.agent.advance(outcome)?;
        self.draw()
    }

    /// Whether the person sees what is chosen now.
    fn sees(&self, action: G::Action) -> bool {
        let before = self.agent.position();
        let mut after = before.clone();
        after.apply(action);
        G::INFORMATION == Information::Perfect
            || self.me >= before.players()
            || after.information(self.me) != before.information(self.me)
    }

    /// The engine moves.
    fn answer(&mut self, player: usize) -> Result<(), Failure> {
        let started = Instant::now();
        let report = self.think()?;
        let legal = legal_moves(self.agent.position());
        if report.iterations + report.inherited == 0 {
            (self.say)("the engine had no time for a single playout and plays the first move it sees\n")?;
        }
        let Some(action) = report.best_action().or(legal.first().map(|&(action, _)| action)) else {
            return Err(Failure::new("the game goes on, but there is no legal move"));
        };
        let name = match self.agent.position().players() {
            0..=2 => "engine".to_string(),
            _ => format!("player {}", player + 1),
        };
        let text = self.agent.position().action_text(action);
        if self.sees(action) {
            (self.say)(&format!("{name} plays {}{}\n", bold(&text), outlook::<G>(&report)))?;
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

    fn think(&mut self) -> Result<Report<G::Action>, Failure> {
        let budget = match (&self.clock, self.limits.asked()) {
            (None, _) => self.limits.budget(),
            (Some(clock), asked) => asked.unwrap_or_else(Budget::unlimited).or_clock(clock),
        };
        Ok(progress::search(&mut *self.agent, budget.or_stopped_by(interrupt::stops_search()))?)
    }

    /// Reads one line from the person and does what it says.
    fn ask(&mut self) -> Result<Next, Failure> {
        interrupt::leaves();
        (self.say)(self.prompt)?;
        let Some(line) = read_line(self.input)? else { return Ok(Next::Quit) };
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "hint" => {
                let report = self.think()?;
                let best = report.best.as_ref().map_or("none", |best| best.text.as_str());
                (self.say)(&format!("hint: {}{}\n", bold(best), outlook::<G>(&report)))?;
            }
            "undo" => match self.rounds.pop() {
                Some(position) => {
                    self.agent.reset(position);
                    return Ok(Next::Go);
                }
                None => (self.say)("there is no move of yours to take back\n")?,
            },
            "moves" => {
                let names: Vec<String> = legal_moves(self.agent.position()).into_iter().map(|(_, name)| name).collect();
                (self.say)(&(names.join(" ") + "\n"))?;
            }
            "help" => (self.say)(HELP)?,
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            _ => match self.find(line) {
                Ok(action) => {
                    self.rounds.push(self.agent.position().clone());
                    self.agent.advance(action)?;
                    return Ok(Next::Go);
                }
                Err(fault) => (self.say)(&format!("{fault}; 'help' lists what else you can type\n"))?,
            },
        }
        Ok(Next::Ask)
    }

    /// The one move that is written here.
    fn find(&self, text: &str) -> Result<G::Action, String> {
        match play_moves(&mut self.agent.position().clone(), text) {
            Ok(moves) => match moves[..] {
                // What only chance or a referee does is no move.
                [action] if legal_moves(self.agent.position()).iter().all(|&(listed, _)| listed != action) => {
                    Err(format!("'{text}' is not a legal move here"))
                }
                [action] => Ok(action),
                _ => Err(format!("'{text}' is {} moves, and one is wanted", moves.len())),
            },
            Err(error) => Err(error.to_string()),
        }
    }

    /// Says how the game has ended.
    fn announce(&mut self) -> Result<(), Failure> {
        let position = self.agent.position();
        let rewards: Vec<f64> = (0..position.players()).map(|player| position.reward(player)).collect();
        let text = match (&rewards[..], rewards.get(self.me)) {
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
}

/// What the engine thinks of its move, and what it expects next; nothing where that would tell of its cards.
fn outlook<G: Game>(report: &Report<G::Action>) -> String {
    if G::INFORMATION == Information::Hidden {
        return String::new();
    }
    let Some(best) = report.best_child() else { return String::new() };
    let then: Vec<&str> = report.pv.iter().skip(1).map(|step| step.text.as_str()).collect();
    let expects = if then.is_empty() { String::new() } else { format!(", expects {}", then.join(" ")) };
    format!(" ({}{expects})", worth(report, best))
}

/// The next line of input; `None` at its end.
fn read_line(input: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    // Longer than any move.
    const LONGEST: u64 = 4096;
    let mut bytes = Vec::new();
    let read = input.take(LONGEST).read_until(b'\n', &mut bytes);
    match read {
        Ok(0) => Ok(None),
        Ok(_) if bytes.len() as u64 == LONGEST => {
            Err(Failure::new(format!("a line of input has more than {LONGEST} bytes, and no move is that long")))
        }
        Ok(_) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => Err(Failure::new(format!("the input cannot be read: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::AgentSpec;

    /// Each of the players says once whether to share; the last word counts.
    #[derive(Clone)]
    struct Sharing {
        players: usize,
        said: Vec<u8>,
    }

    impl Game for Sharing {
        type Action = u8;
        fn players(&self) -> usize {
            self.players
        }
        fn turn(&self) -> Turn {
            if self.said.len() == self.players { Turn::Over } else { Turn::Player(self.said.len()) }
        }
        fn actions(&self, out: &mut Vec<u8>) {
            out.extend([0, 1]);
        }
        fn apply(&mut self, word: u8) {
            self.said.push(word);
        }
        fn reward(&self, player: usize) -> f64 {
            let shared = 1.0 / self.players as f64;
            match (self.said.last(), player + 1 == self.players) {
                (Some(1), _) => shared,
                (_, true) => 1.0,
                (_, false) => 0.0,
            }
        }
    }

    fn played(players: usize, me: usize, mut input: &[u8]) -> String {
        let mut shown = String::new();
        let mut say = |text: &str| {
            shown.push_str(text);
            Ok(())
        };
        let mut game = Match {
            me,
            limits: &Limits { time: None, iterations: Some(200) },
            clock: None,
            agent: AgentSpec::default().build(Sharing { players, said: Vec::new() }).unwrap(),
            chance: Rng::new(1, 0),
            rounds: Vec::new(),
            input: &mut input,
            say: &mut say,
            prompt: "> ",
        };
        game.play().unwrap();
        shown
    }

    #[test]
    fn a_game_for_one_is_played_by_the_person_or_by_the_engine() {
        assert!(played(1, 0, b"0\n").ends_with("player 1 gets 100.0 %\n"));
        let alone = played(1, 1, b"");
        assert!(alone.contains("engine plays ") && !alone.contains('>'), "{alone}");
    }

    #[test]
    fn the_engine_plays_all_the_others() {
        let shown = played(3, 1, b"1\n");
        assert!(shown.contains("player 1 plays ") && shown.contains("player 3 plays 0 "), "{shown}");
        assert!(shown.ends_with("player 1 gets 0.0 %\nplayer 2 gets 0.0 %\nplayer 3 gets 100.0 %\n"), "{shown}");
    }

    #[test]
    fn there_is_nothing_to_take_back_at_first() {
        let shown = played(2, 0, b"undo\n1\n");
        assert!(shown.contains("no move of yours") && shown.ends_with("the engine wins\n"), "{shown}");
    }
}
