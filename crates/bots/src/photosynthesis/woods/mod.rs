//! Monte Carlo tree search in the game as [`Woods`] has it, by the engine, all threads in one tree.
//!
//! A playout goes on by habit for a few days, and then the position is valued: what happens after that is too much a matter of
//! luck to tell two choices apart. Players who choose at the same time each have a tree of their own (decoupled UCT); in a
//! sequential tree the other sees what the searching player has chosen and answers it.

mod game;
mod route;

use std::sync::Arc;

use boughs::spec::{SWITCH, name_of, named, number};
use boughs::{
    Agent, Budget, End, Game, Key, MAX_THREADS, Move, Playout as PlaysOut, Report, Rng, Search, SearchError, Settings,
    Spec, TreeKind, Turn, parse_size, write_size,
};
use boughs_games::photosynthesis::{Action, Photosynthesis};

use super::asked;
use super::habits::{PLAYOUTS, Playout};
use crate::OwnAgent;
use game::{Terms, Woods};
use route::route;

/// Tree search for Photosynthesis.
#[derive(Clone, Debug, PartialEq)]
pub struct Woodsman {
    exploration: f64,
    tree: TreeKind,
    prune: bool,
    playout: Playout,
    days: u8,
    threads: usize,
    memory: usize,
    seed: u64,
}

impl Default for Woodsman {
    fn default() -> Woodsman {
        Woodsman {
            exploration: 0.15,
            tree: TreeKind::Multi,
            prune: true,
            playout: Playout::Habit,
            days: 2,
            threads: 1,
            memory: Settings::default().memory,
            seed: 0,
        }
    }
}

const TREES: [(&str, TreeKind); 2] = [("decoupled", TreeKind::Multi), ("sequential", TreeKind::Plain)];

impl Spec for Woodsman {
    const NAME: &'static str = "woods";
    const SUMMARY: &'static str = "tree search of the good choices, with short playouts by habit";
    const KEYS: &'static [Key<Woodsman>] = &[
        Key {
            name: "c",
            help: "exploration constant C",
            values: "a number from 0 to 1000",
            get: |woods| woods.exploration.to_string(),
            set: |woods, text| number(text, 0.0..=1000.0).map(|c| woods.exploration = c),
        },
        Key {
            name: "tree",
            help: "choices at the same time: in a tree for each player, or one after the other",
            values: "decoupled or sequential",
            get: |woods| name_of(woods.tree, &TREES),
            set: |woods, text| named(text, &TREES).map(|tree| woods.tree = tree),
        },
        Key {
            name: "prune",
            help: "looks at good choices only, in one order",
            values: "on or off",
            get: |woods| name_of(woods.prune, &SWITCH),
            set: |woods, text| named(text, &SWITCH).map(|prune| woods.prune = prune),
        },
        Key {
            name: "playout",
            help: "what is played in playouts",
            values: "habit, sensible or uniform",
            get: |woods| name_of(woods.playout, &PLAYOUTS),
            set: |woods, text| named(text, &PLAYOUTS).map(|playout| woods.playout = playout),
        },
        Key {
            name: "days",
            help: "days that are played out before the position is valued, 24 to play to the end",
            values: "a whole number from 0 to 24",
            get: |woods| woods.days.to_string(),
            set: |woods, text| number(text, 0..=24).map(|days| woods.days = days),
        },
        Key {
            name: "threads",
            help: "threads that search, 0 for all cores",
            values: "a whole number from 0 to 1024",
            get: |woods| woods.threads.to_string(),
            set: |woods, text| number(text, 0..=MAX_THREADS).map(|threads| woods.threads = threads),
        },
        Key {
            name: "memory",
            help: "most memory for the tree",
            values: "a size such as 64M or 1.5G",
            get: |woods| write_size(woods.memory),
            set: |woods, text| parse_size(text).ok().map(|bytes| woods.memory = bytes),
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl OwnAgent for Woodsman {
    type Game = Photosynthesis;

    fn build(self, position: Photosynthesis) -> Result<Box<dyn Agent<Photosynthesis>>, SearchError> {
        let terms = Terms { first: asked(&position), prune: self.prune, playout: self.playout, days: self.days };
        let settings = Settings {
            exploration: self.exploration,
            tree: self.tree,
            threads: self.threads,
            memory: self.memory,
            seed: self.seed,
            ..Settings::default()
        };
        let search = Search::with_playout(Woods::new(*position.position(), terms), settings, Arc::new(ForDays))?;
        Ok(Box::new(Woodcutter { game: position, search, terms }))
    }
}

/// Playouts that are over after so many days.
struct ForDays;

impl PlaysOut<Woods> for ForDays {
    fn choose(&self, woods: &Woods, rng: &mut Rng, scratch: &mut Vec<Action>) -> Option<Action> {
        woods.random_action(rng, scratch)
    }

    /// Turn by turn, which is quicker than choice by choice. Nobody logs such playouts, so there is no trace.
    fn play(&self, woods: &mut Woods, rng: &mut Rng, _: &mut Vec<Action>, _: u32, _: Option<&mut Vec<u32>>) -> End {
        woods.play_out(rng);
        End::Over
    }
}

/// The agent. Its tree begins where both are still to choose, with the player it searches for choosing first.
struct Woodcutter {
    game: Photosynthesis,
    search: Search<Woods>,
    terms: Terms,
}

impl Woodcutter {
    fn start_anew(&mut self) {
        self.search.reset(Woods::new(*self.game.position(), self.terms));
    }

    /// Lets the tree follow these choices, each player's in its turn; without them in it, it starts anew.
    fn follow(&mut self, choices: impl IntoIterator<Item = Action>) {
        for action in choices {
            if self.search.advance(action).is_err() {
                return self.start_anew();
            }
        }
    }
}

impl Agent<Photosynthesis> for Woodcutter {
    fn position(&self) -> &Photosynthesis {
        &self.game
    }

    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report<Action>)) -> Result<Report<Action>, SearchError> {
        let player = asked(&self.game);
        if player != self.terms.first {
            self.terms.first = player;
            self.start_anew();
        }
        // Playouts that can change nothing now are there for the next turn.
        let mut report = Agent::search(&mut self.search, budget.early_stop(false), see)?;
        if report.best.is_none() && self.game.turn() != Turn::Over {
            // A deadline may come before the first playout.
            let action = super::greedy::best(self.game.position(), player);
            report.best = Some(Move { action, text: action.word() });
        }
        Ok(report)
    }

    fn advance(&mut self, action: Action) -> Result<(), SearchError> {
        let before = self.game;
        if let Action::Map(_) = action
            && before.turn() == Turn::Chance
        {
            self.game.apply(action);
            self.start_anew();
            return Ok(());
        }
        let player = asked(&before);
        if before.turn() == Turn::Over || !before.position().is_legal(player, action) {
            return Err(SearchError::IllegalAction(action.word()));
        }
        self.game.apply(action);
        if self.game.chosen().is_none() {
            let mut choices = [None; 2];
            choices[1 - player] = before.chosen();
            choices[player] = Some(action);
            let first = self.terms.first;
            self.follow([choices[first], choices[1 - first]].into_iter().flatten());
        }
        Ok(())
    }

    /// Where only positions are seen and not what was done, the tree goes on if the position can have come of it.
    fn reset(&mut self, position: Photosynthesis) {
        self.game = position;
        match route(self.search.position(), position.position()) {
            Some(choices) => self.follow(choices),
            None => self.start_anew(),
        }
    }

    fn begin(&mut self, position: Photosynthesis, seed: u64) {
        self.game = position;
        self.terms.first = asked(&position);
        self.search.begin(Woods::new(*position.position(), self.terms), seed);
    }
}
