//! Monte Carlo Tree Search in the game as [`PrunedGame`] has it, by the engine, with tree parallelisation.
//!
//! A playout follows habits for a few days, and then the position is valued: later events depend too much on luck to
//! tell two choices apart. Players who choose at the same time have a tree each (decoupled UCT). In a sequential tree
//! the other player sees the choice of the searching player and answers it.

mod pruned_game;
mod route;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use boughs::run::guarded;
use boughs::spec::{Key, Spec};
use boughs::{
    Action as _, Agent, Budget, Choice, End, Game, LocalSearch, Move, Playout as PlaysOut, Report, Rng, Search,
    SearchError, SeeMove, Settings, TreeKind, Turn,
};
use boughs_games::NamedGame;
use boughs_games::photosynthesis::{Action, Photosynthesis};

use super::asked;
use super::habits::{PLAYOUTS, Playout};
use crate::contests::check_game;
use crate::entry::{Build, WITHOUT_A_TREE};
use pruned_game::{Constants, PrunedGame};
use route::route;

/// The options of the tree search.
#[derive(Clone, Debug, PartialEq)]
pub struct PhotosynthesisMcts {
    /// The exploration constant.
    pub exploration: f64,
    /// [`Multi`](TreeKind::Multi) for a tree of each player, [`Plain`](TreeKind::Plain) for choices one after the
    /// other.
    pub tree: TreeKind,
    /// If true, only good choices are examined.
    pub prune: bool,
    /// The kind of playouts.
    pub playout: Playout,
    /// The days that are played out before the position is valued.
    pub days: u8,
    /// The number of threads that search, 0 for as many as there are cores.
    pub threads: usize,
    /// The memory of the trees, in bytes.
    pub memory: usize,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

impl Default for PhotosynthesisMcts {
    fn default() -> PhotosynthesisMcts {
        PhotosynthesisMcts {
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

impl Spec for PhotosynthesisMcts {
    const NAME: &'static str = "woods";
    const SUMMARY: &'static str = "MCTS: tree search of the good choices, with short playouts by habit";

    fn keys() -> Vec<Key<PhotosynthesisMcts>> {
        vec![
            Key::exploration("exploration constant C", |agent| &mut agent.exploration),
            Key::choice(
                "tree",
                "choices at the same time: in a tree for each player, or one after the other",
                &TREES,
                |agent| &mut agent.tree,
            ),
            Key::switch("prune", "looks at good choices only, in one order", |agent| &mut agent.prune),
            Key::choice("playout", "what is played in playouts", &PLAYOUTS, |agent| &mut agent.playout),
            Key::number(
                "days",
                "days that are played out before the position is valued, 24 to play to the end",
                0..=24,
                |agent| &mut agent.days,
            ),
            Key::threads(|agent| &mut agent.threads),
            Key::memory("most memory for the tree", |agent| &mut agent.memory),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl Build for PhotosynthesisMcts {
    const GAME: Option<&'static str> = Some(Photosynthesis::NAME);

    fn memory(&self, _: &dyn boughs::Session) -> usize {
        self.memory.saturating_add(WITHOUT_A_TREE)
    }

    /// With one thread the agent searches on the thread of its caller.
    fn build(&self, position: &dyn boughs::Session) -> Result<Box<dyn Agent>, SearchError> {
        let game = check_game::<PhotosynthesisMcts, Photosynthesis>(position)?;
        Ok(Box::new(self.agent(*game, self.threads != 1)?))
    }
}

impl PhotosynthesisMcts {
    /// The agent, which searches by worker threads or on the thread of its caller.
    fn agent(&self, game: Photosynthesis, has_workers: bool) -> Result<PrunedGameAgent, SearchError> {
        let constants = Constants { first: asked(&game), prune: self.prune, playout: self.playout, days: self.days };
        let settings = Settings {
            exploration: self.exploration,
            tree: self.tree,
            threads: self.threads,
            memory: self.memory,
            seed: self.seed,
            ..Settings::default()
        };
        let root = PrunedGame::new(*game.position(), constants);
        let playout = Arc::new(TruncatedPlayout);
        let search: Box<dyn Agent> = match has_workers {
            true => Box::new(Search::with_playout(root, settings, playout)?),
            false => Box::new(LocalSearch::with_playout(root, settings, playout)?),
        };
        Ok(PrunedGameAgent { game, search, constants })
    }
}

/// Playouts that are truncated after some days, where the position is valued.
struct TruncatedPlayout;

impl PlaysOut<PrunedGame> for TruncatedPlayout {
    fn choose(&self, game: &PrunedGame, rng: &mut Rng, scratch: &mut Vec<Action>) -> Option<Action> {
        game.random_action(rng, scratch)
    }

    /// Plays turn by turn, which is faster than choice by choice. Such playouts are never logged, so no move is told.
    fn play(&self, game: &mut PrunedGame, rng: &mut Rng, _: &mut Vec<Action>, _: u32, _: Option<SeeMove<'_>>) -> End {
        if game.play_out(rng) { End::Over } else { End::Truncated }
    }

    fn value(&self, game: &PrunedGame, player: usize) -> f64 {
        game.value(player)
    }
}

/// The agent. Its tree begins where both players have to choose, and the searching player chooses first.
struct PrunedGameAgent {
    game: Photosynthesis,
    search: Box<dyn Agent>,
    constants: Constants,
}

impl PrunedGameAgent {
    /// The root of a new tree.
    fn root(&self) -> PrunedGame {
        PrunedGame::new(*self.game.position(), self.constants)
    }

    fn start_anew(&mut self) -> Result<(), SearchError> {
        self.search.reset(&self.root())
    }

    /// Makes the tree one of the player who is asked, and returns that player.
    fn ask(&mut self) -> Result<usize, SearchError> {
        guarded(|| {
            let player = asked(&self.game);
            if player != self.constants.first {
                self.constants.first = player;
                self.start_anew()?;
            }
            Ok(player)
        })?
    }

    /// The answer where a deadline came before the first playout. `None` after the end of the game.
    fn by_rule(&self, player: usize) -> Result<Option<Action>, SearchError> {
        guarded(|| (self.game.turn() != Turn::Over).then(|| super::greedy::best(self.game.position(), player)))
    }

    /// Advances the tree by the players' choices. If they are not in the tree, it starts anew.
    fn follow(&mut self, choices: impl IntoIterator<Item = Action>) -> Result<(), SearchError> {
        for action in choices {
            if self.search.advance(action.code()).is_err() {
                return self.start_anew();
            }
        }
        Ok(())
    }

    /// Plays an action, named by its code.
    fn play(&mut self, code: u32) -> Result<(), SearchError> {
        let action = Action::from_code(code);
        // Every number converts to an action, which has one code only.
        if action.code() != code {
            return Err(SearchError::IllegalAction(action.word()));
        }
        let before = self.game;
        if let Action::Map(_) = action
            && before.turn() == Turn::Chance
        {
            self.game.apply(action);
            return self.start_anew();
        }
        let player = asked(&before);
        if before.turn() == Turn::Over || !before.position().is_legal(player, action) {
            return Err(SearchError::IllegalAction(action.word()));
        }
        self.game.apply(action);
        if self.game.chosen().is_some() {
            return Ok(());
        }
        let mut choices = [None; 2];
        choices[1 - player] = before.chosen();
        choices[player] = Some(action);
        let first = self.constants.first;
        self.follow([choices[first], choices[1 - first]].into_iter().flatten())
    }
}

impl Agent for PrunedGameAgent {
    fn position(&self) -> &dyn boughs::Session {
        self.game.as_session()
    }

    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        let player = self.ask()?;
        // Playouts that cannot change this choice still help the next turn.
        let mut report = self.search.search(budget.early_stop(false), see)?;
        if report.best.is_none() {
            let action = self.by_rule(player)?;
            report.best = action.map(|action| Move { action: action.code(), text: action.word() });
        }
        Ok(report)
    }

    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        let player = self.ask()?;
        let mut choice = self.search.choose(budget.early_stop(false))?;
        if choice.ranked.is_empty() {
            choice.ranked.extend(self.by_rule(player)?.map(Action::code));
        }
        Ok(choice)
    }

    fn advance(&mut self, code: u32) -> Result<(), SearchError> {
        guarded(|| self.play(code))?
    }

    /// Keeps the tree if the new position can be reached from the old one.
    fn reset(&mut self, position: &dyn boughs::Session) -> Result<(), SearchError> {
        self.game = *position.downcast_ref().ok_or(SearchError::OtherGame)?;
        guarded(|| {
            let at = self.search.position().downcast_ref::<PrunedGame>();
            match at.and_then(|at| route(at, self.game.position())) {
                Some(choices) => self.follow(choices),
                None => self.start_anew(),
            }
        })?
    }

    fn begin(&mut self, position: &dyn boughs::Session, seed: u64) -> Result<(), SearchError> {
        self.game = *position.downcast_ref().ok_or(SearchError::OtherGame)?;
        guarded(|| {
            self.constants.first = asked(&self.game);
            self.search.begin(&self.root(), seed)
        })?
    }
}
