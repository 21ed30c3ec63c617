//! `boughs play`: a person against the engine.

use std::io::{BufRead, IsTerminal, Read};
use std::time::{Duration, Instant};

use boughs::notation::{legal_moves, play_moves};
use boughs::{Budget, Game, GameClock, Report, Search, Turn};
use boughs_games::{Listed, Visitor};
use clap::ValueEnum;

use crate::failure::Failure;
use crate::output::{bold, print};
use crate::show::percent;
use crate::{args, interrupt, progress};

/// Play against the engine
///
/// Type a move, or: hint, undo, moves, help, quit. Ctrl-C makes the engine move at once when it is thinking.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf '4\\nhint\\nquit\\n' | boughs play connect4 --time 100ms")]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    #[command(flatten)]
    agent: args::Agent,
    #[command(flatten)]
    limits: args::Limits,
    /// Time of the engine for the whole game, such as 5min
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    clock: Option<Duration>,
    /// Who makes the first move
    #[arg(long, value_name = "WHO", default_value = "me")]
    first: First,
}

#[derive(Clone, Copy, ValueEnum)]
enum First {
    /// The person
    Me,
    /// The engine
    Engine,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.game.visit(Play(&self))
    }
}

struct Play<'a>(&'a Args);

impl Visitor for Play<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Play(args) = self;
        let mut game = Match {
            me: match args.first {
                First::Me => 0,
                First::Engine => 1,
            },
            limits: &args.limits,
            clock: args.clock.map(GameClock::new),
            search: Search::new(start, args.agent.settings())?,
            rounds: Vec::new(),
        };
        game.play()
    }
}

/// A game between a person and the engine, who plays all others if there are more than two.
struct Match<'a, G: Game> {
    /// The person's number among the players. In a game for one it may be nobody's.
    me: usize,
    limits: &'a args::Limits,
    clock: Option<GameClock>,
    search: Search<G>,
    /// The positions in which the person has moved.
    rounds: Vec<G>,
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
    fn play(&mut self) -> Result<(), Failure> {
        self.draw()?;
        loop {
            match self.search.position().turn() {
                Turn::Over => return print(&self.result()),
                Turn::Player(player) if player != self.me => self.answer(player)?,
                Turn::Player(_) => match self.ask()? {
                    Next::Quit => return Ok(()),
                    Next::Ask => {}
                    Next::Go => self.draw()?,
                },
            }
        }
    }

    fn draw(&self) -> Result<(), Failure> {
        print(&format!("\n{}\n", self.search.position().board().trim_end()))
    }

    /// The engine moves.
    fn answer(&mut self, player: usize) -> Result<(), Failure> {
        let started = Instant::now();
        let report = self.think()?;
        let legal = legal_moves(self.search.position());
        // Without time for a playout any move has to do.
        let Some(action) = report.best_action().or(legal.first().map(|&(action, _)| action)) else {
            return Err(Failure::new("the game goes on, but there is no legal move"));
        };
        let name = match self.search.position().players() {
            0..=2 => "engine".to_string(),
            _ => format!("player {}", player + 1),
        };
        let text = self.search.position().action_text(action);
        print(&format!("{name} plays {}{}\n", bold(&text), outlook(&report)))?;
        if let Some(clock) = &mut self.clock
            && !clock.spend(started.elapsed())
        {
            print("the engine has used up its clock\n")?;
        }
        self.search.advance(action)?;
        self.draw()
    }

    fn think(&mut self) -> Result<Report<G::Action>, Failure> {
        let budget = match (&self.clock, self.limits.asked()) {
            (None, _) => self.limits.budget(),
            (Some(clock), asked) => asked.unwrap_or_else(Budget::unlimited).or_clock(clock),
        };
        Ok(progress::search(&mut self.search, budget.or_stopped_by(interrupt::stops_search()))?)
    }

    /// Reads one line from the person and does what it says.
    fn ask(&mut self) -> Result<Next, Failure> {
        interrupt::leaves();
        if std::io::stdin().is_terminal() {
            print("your move: ")?;
        }
        let Some(line) = read_line()? else { return Ok(Next::Quit) };
        match line.trim() {
            "" => {}
            "hint" => {
                let report = self.think()?;
                let best = report.best.as_ref().map_or("none", |best| best.text.as_str());
                print(&format!("hint: {}{}\n", bold(best), outlook(&report)))?;
            }
            "undo" => match self.rounds.pop() {
                Some(position) => {
                    self.search.reset(position);
                    return Ok(Next::Go);
                }
                None => print("there is no move of yours to take back\n")?,
            },
            "moves" => {
                let names: Vec<String> =
                    legal_moves(self.search.position()).into_iter().map(|(_, name)| name).collect();
                print(&(names.join(" ") + "\n"))?;
            }
            "help" => print(HELP)?,
            "quit" => return Ok(Next::Quit),
            word => match self.find(word) {
                Ok(action) => {
                    self.rounds.push(self.search.position().clone());
                    self.search.advance(action)?;
                    return Ok(Next::Go);
                }
                Err(fault) => print(&format!("{fault}; 'help' lists what else you can type\n"))?,
            },
        }
        Ok(Next::Ask)
    }

    /// The one move that is written here.
    fn find(&self, text: &str) -> Result<G::Action, String> {
        match play_moves(&mut self.search.position().clone(), text) {
            Ok(moves) => match moves[..] {
                [action] => Ok(action),
                _ => Err(format!("'{text}' is {} moves, and one is wanted", moves.len())),
            },
            Err(error) => Err(error.to_string()),
        }
    }

    fn result(&self) -> String {
        let position = self.search.position();
        let rewards: Vec<f64> = (0..position.players()).map(|player| position.reward(player)).collect();
        match (&rewards[..], rewards.get(self.me)) {
            ([_, _], Some(1.0)) => "you win\n".to_string(),
            ([_, _], Some(0.5)) => "a draw\n".to_string(),
            ([_, _], Some(0.0)) => "the engine wins\n".to_string(),
            _ => rewards
                .iter()
                .enumerate()
                .map(|(player, &reward)| format!("player {} gets {}\n", player + 1, percent(reward)))
                .collect(),
        }
    }
}

/// What the engine thinks of its move, and what it expects next.
fn outlook<A: Copy>(report: &Report<A>) -> String {
    let Some(best) = report.best_child() else { return String::new() };
    let then: Vec<&str> = report.pv.iter().skip(1).map(|step| step.text.as_str()).collect();
    let expects = if then.is_empty() { String::new() } else { format!(", expects {}", then.join(" ")) };
    format!(" (win rate {}{expects})", percent(best.mean))
}

/// The next line of standard input; `None` at its end.
fn read_line() -> Result<Option<String>, Failure> {
    /// Longer than any move.
    const LONGEST: u64 = 4096;
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes);
    match read {
        Ok(0) => Ok(None),
        Ok(_) if bytes.len() as u64 == LONGEST => Err(Failure::new(format!(
            "a line of standard input has more than {LONGEST} bytes, and no move is that long"
        ))),
        Ok(_) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => Err(Failure::new(format!("standard input cannot be read: {error}"))),
    }
}
