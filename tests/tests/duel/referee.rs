//! Games between two agents, in rounds that favour neither.
//!
//! All games of a round begin with the same random moves and draw what chance does from the same stream. In a game for
//! two or more the first agent has each seat once, and the second agent has all others; in a game for one each agent
//! plays alone once. The games of a round are alike, therefore the error of a result comes from how much whole rounds
//! differ, not from single games.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use boughs::{Agent, AgentSpec, Budget, Game, Information, MAX_PLAYERS, Rng, TreeKind, Turn};

use crate::tally::{Round, Tally};

/// How long an agent thinks about a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    Playouts(u64),
    Time(Duration),
}

impl Limit {
    fn budget(self) -> Budget {
        match self {
            Limit::Playouts(count) => Budget::iterations(count),
            Limit::Time(time) => Budget::time(time),
        }
        .early_stop(false)
    }
}

/// A duel: which agents play, how long they think, and which games. Those depend on nothing but the seed where agents have
/// one thread and so many playouts a move.
pub(crate) struct Duel {
    pub(crate) agents: [AgentSpec; 2],
    pub(crate) limits: [Limit; 2],
    pub(crate) rounds: u64,
    /// Random moves a game begins with, at least and at most.
    pub(crate) opening: [u32; 2],
    pub(crate) seed: u64,
}

/// What a stream of random numbers is for.
enum Stream {
    Opening,
    Chance,
    Searches,
}

impl Duel {
    /// Plays all rounds, on all cores where each agent takes one. `see` hears after each round how it stands.
    pub(crate) fn play<G: Game>(&self, start: &G, see: impl Fn(&Tally) + Sync) -> Tally {
        let next = AtomicU64::new(0);
        let tally = Mutex::new(Tally::of::<G>(start.players()));
        std::thread::scope(|scope| {
            for _ in 0..if self.agents.iter().all(has_one_thread) { boughs::cores() } else { 1 } {
                scope.spawn(|| {
                    while let Some(number) = Some(next.fetch_add(1, Relaxed)).filter(|number| *number < self.rounds) {
                        let round = self.round(start, number);
                        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                        tally.add(number, round);
                        see(&tally);
                    }
                });
            }
        });
        tally.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn stream(&self, round: u64, stream: Stream) -> Rng {
        Rng::new(self.seed, 3 * round + stream as u64)
    }

    fn round<G: Game>(&self, start: &G, number: u64) -> Round {
        let mut round = Round::default();
        let players = start.players();
        let opening = opening(start, self.opening, &mut self.stream(number, Stream::Opening));
        for game in 0..players.max(2) {
            let agent_of = |seat: usize| usize::from(if players == 1 { game == 1 } else { seat != game });
            let rewards = self.game(&opening, number, game, agent_of, &mut round);
            let others = rewards.iter().enumerate().filter(|(seat, _)| agent_of(*seat) == 1).map(|(_, reward)| *reward);
            let others: Vec<f64> = others.collect();
            round.add(rewards.get(game).copied().filter(|_| agent_of(game) == 0), &others);
        }
        round
    }

    /// Plays one game and counts its playouts. Returns what each player got.
    fn game<G: Game>(
        &self,
        opening: &G,
        round: u64,
        game: usize,
        agent_of: impl Fn(usize) -> usize,
        counts: &mut Round,
    ) -> Vec<f64> {
        let mut position = opening.clone();
        let (mut chance, mut hidden) = (self.stream(round, Stream::Chance), self.stream(round, Stream::Searches));
        let (seeds, mut scratch) = (hidden.bits(), Vec::new());
        let search = |seat: usize| {
            // No two searches of a duel draw the same numbers.
            let seed = seeds ^ (MAX_PLAYERS * game + seat) as u64;
            let agent = self.agents[agent_of(seat)].clone().with_seed(seed);
            agent.build(position.clone()).unwrap_or_else(|error| panic!("{error}"))
        };
        let mut searches: Vec<Box<dyn Agent<G>>> = (0..position.players()).map(search).collect();
        for _ in 0..G::MAX_PLIES {
            let action = match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.chance(&mut chance, &mut scratch).expect("chance has an outcome"),
                Turn::Player(player) => {
                    let (agent, search) = (agent_of(player), &mut searches[player]);
                    if G::INFORMATION != Information::Perfect {
                        search.reset(match &self.agents[agent] {
                            AgentSpec::Mcts(settings) if settings.tree == TreeKind::Plain => {
                                with_choices_redrawn(&position, player, &mut hidden)
                            }
                            _ => position.clone(),
                        });
                    }
                    let report = search.search(self.limits[agent].budget(), &mut |_| ()).expect("a search ends");
                    counts.count(agent, report.iterations);
                    // On a busy machine the deadline may come before the first playout.
                    let best = report.best_action().or_else(|| position.random_action(&mut hidden, &mut scratch));
                    best.expect("there is a move")
                }
            };
            position.apply(action);
            if G::INFORMATION == Information::Perfect {
                searches.iter_mut().for_each(|search| search.advance(action).expect("the move is legal"));
            }
        }
        let is_over = position.turn() == Turn::Over;
        (0..position.players())
            .map(|player| if is_over { position.reward(player) } else { position.cut_reward(player) })
            .collect()
    }
}

/// Whether games of this agent can be played beside each other.
fn has_one_thread(agent: &AgentSpec) -> bool {
    // One thread is every agent's default, and what is default does not stand in the text.
    !agent.to_string().contains("threads=")
}

/// The position with the choices that others have already made at the same time as `player` replaced by random ones.
///
/// A plain tree would see the true ones and answer them, which is cheating. With this it answers a choice that nobody made:
/// it learns nothing of the true one, but takes for known what it only guesses.
fn with_choices_redrawn<G: Game>(position: &G, player: usize, rng: &mut Rng) -> G {
    let (mut seen, mut scratch) = (position.clone(), Vec::new());
    seen.determinise(player, rng);
    while seen.turn() != Turn::Player(player) {
        let choice = seen.random_action(rng, &mut scratch).expect("others choose at the same time");
        seen.apply(choice);
    }
    seen
}

/// A position after some random moves in which the game goes on.
pub(crate) fn opening<G: Game>(start: &G, [least, most]: [u32; 2], rng: &mut Rng) -> G {
    loop {
        let (mut position, mut scratch) = (start.clone(), Vec::new());
        let mut left = least + rng.below(most - least + 1);
        while left > 0 {
            let action = match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.chance(rng, &mut scratch),
                Turn::Player(_) => {
                    left -= 1;
                    position.random_action(rng, &mut scratch)
                }
            };
            position.apply(action.expect("the game goes on"));
        }
        if position.turn() != Turn::Over {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::connect4::Connect4;
    use boughs_games::goofspiel::{Goofspiel, Order};
    use boughs_games::{Listed, Visitor, visit};

    struct Play<'a>(&'a str, [u64; 2], u64, u64);

    impl Visitor for Play<'_> {
        type Output = Tally;
        fn visit<G: Listed>(self, start: G) -> Tally {
            let Play(agents, playouts, rounds, seed) = self;
            let duel = Duel {
                agents: crate::agents(agents),
                limits: playouts.map(Limit::Playouts),
                rounds,
                opening: [0, 2],
                seed,
            };
            duel.play(&start, |_| {})
        }
    }

    fn play(game: &str, agents: &str, playouts: [u64; 2], rounds: u64, seed: u64) -> Tally {
        visit(game, Play(agents, playouts, rounds, seed)).expect(game)
    }

    #[test]
    fn games_come_in_rounds_and_depend_on_nothing_but_the_seed() {
        for (game, players) in [("connect4", 2), ("nim:heaps=1-2-3,players=3", 3), ("whist:hand=2", 3)] {
            let agents = "mcts:c=0.7 mcts";
            let tally = play(game, agents, [60, 60], 6, 1);
            assert_eq!((tally.rounds(), tally.games()), (6, 6 * players), "{game}");
            assert_eq!(tally, play(game, agents, [60, 60], 6, 1), "{game}");
            assert!((2..10).any(|seed| play(game, agents, [60, 60], 6, seed) != tally), "{game}: the seed chooses");
        }
    }

    #[test]
    fn two_thousand_playouts_beat_ten_from_every_seat() {
        for (game, rounds, least) in [("connect4", 10, 0.8), ("nim:heaps=1-1-1-4,players=3", 10, 0.5)] {
            let [strong, weak] = play(game, "mcts mcts", [2_000, 10], rounds, 1).means();
            assert!(strong > least && strong > weak + 0.2, "{game}: {strong} against {weak}");
            let [weak, strong] = play(game, "mcts mcts", [10, 2_000], rounds, 1).means();
            assert!(strong > weak + 0.1, "{game}: {strong} against {weak}");
        }
    }

    #[test]
    fn alone_each_agent_plays_once_a_round_and_the_scores_are_compared() {
        let tally = play("2048", "mcts mcts", [100, 1], 1, 1);
        let [strong, weak] = tally.means();
        assert!(tally.games() == 1 && weak > 0.0 && strong > weak, "{strong} against {weak}");
    }

    #[test]
    fn the_game_goes_on_after_an_opening() {
        for stream in 0..500 {
            let position = opening(&Connect4::default(), [4, 8], &mut Rng::new(3, stream));
            assert_ne!(position.turn(), Turn::Over);
        }
    }

    #[test]
    fn a_plain_tree_is_not_shown_what_another_has_chosen_at_the_same_time() {
        let start = Goofspiel::new(5, Order::Descending).expect("five cards");
        let mut bids = Vec::new();
        start.actions(&mut bids);
        let mut drawn = Vec::new();
        for stream in 0..40 {
            let seen = bids.iter().map(|bid| {
                let mut position = start;
                position.apply(*bid);
                with_choices_redrawn(&position, 1, &mut Rng::new(1, stream))
            });
            let seen: Vec<Goofspiel> = seen.collect();
            assert!(seen.iter().all(|other| *other == seen[0] && other.turn() == Turn::Player(1)));
            if !drawn.contains(&seen[0]) {
                drawn.push(seen[0]);
            }
        }
        assert_eq!(drawn.len(), 5, "every choice may have been made");
        assert_eq!(with_choices_redrawn(&start, 0, &mut Rng::new(1, 0)), start, "who chooses first has nothing to see");
    }
}
