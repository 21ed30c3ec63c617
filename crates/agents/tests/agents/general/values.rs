//! Searches by an evaluation of any scale: how positions compare with ends of the game, and where a choice is made.

use std::time::Duration;

use boughs::{Budget, Game, Information, Report, Rewards, Rng, StopReason, Turn, Warning};
use boughs_agents::AgentSpec;

use super::agents::search;

/// The result of an option: the end of the game with a reward, a position with an evaluation, or one of two by chance.
#[derive(Clone, Copy, Debug)]
enum After {
    End(f64),
    Ahead(f64),
    Luck([f64; 2]),
}
use After::{Ahead, End, Luck};

/// A choice of the first player among options. Of [`Luck`] one half ends the game with a reward, and the other half
/// has an evaluation.
#[derive(Clone, Debug)]
struct Fork {
    options: Vec<After>,
    before: f64,
    chosen: Option<After>,
    plies: u32,
}

impl Fork {
    fn new(before: f64, options: &[After]) -> Fork {
        Fork { options: options.to_vec(), before, chosen: None, plies: 0 }
    }
}

impl Game for Fork {
    type Action = u8;
    const MAX_PLIES: u32 = 50;
    const REWARDS: Rewards = Rewards::ANY;
    fn turn(&self) -> Turn {
        match self.chosen {
            None => Turn::Player(0),
            Some(Luck(_)) => Turn::Chance,
            Some(End(_)) => Turn::Over,
            Some(Ahead(_)) => Turn::Player(self.plies as usize % 2),
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(
            0..match self.chosen {
                None => self.options.len() as u8,
                Some(Luck(_)) => 2,
                Some(_) => 1,
            },
        );
    }
    fn apply(&mut self, action: u8) {
        self.chosen = match self.chosen {
            None => Some(self.options[usize::from(action)]),
            Some(Luck([reward, _])) if action == 0 => Some(End(reward)),
            Some(Luck([_, evaluation])) => Some(Ahead(evaluation)),
            ahead => ahead,
        };
        self.plies += 1;
    }
    fn ends_turn(&self) -> bool {
        false
    }
    fn reward(&self, player: usize) -> f64 {
        let Some(End(reward)) = self.chosen else { panic!("the game goes on") };
        if player == 0 { reward } else { 1.0 - reward }
    }
    fn evaluation(&self, player: usize) -> Option<f64> {
        let value = match self.chosen {
            Some(End(_)) => panic!("a finished game has no evaluation"),
            Some(Ahead(value)) => value,
            None | Some(Luck(_)) => self.before,
        };
        Some(if player == 0 { value } else { -value })
    }
}

fn found(game: &Fork, agent: &str) -> Report {
    search(game.clone(), agent, 1, Budget::iterations(100).early_stop(false))
}

const AGENTS: [&str; 3] = ["beam:width=1,layers=1", "exhaustive", "expectimax:depth=1"];

#[test]
fn a_certain_loss_is_worse_and_a_certain_win_better_than_every_evaluation() {
    for (before, options, best) in [
        (0.0, &[End(0.0), Ahead(-10.0)][..], 1),
        (0.0, &[Ahead(10.0), End(1.0)], 1),
        (0.2, &[End(0.0), Ahead(0.0), Ahead(-0.0)], 1),
        (0.5, &[Ahead(1.0), End(1.0), Ahead(0.99)], 1),
        (5.0, &[Ahead(4.0), End(0.5), Ahead(3.0)], 1),
        (5.0, &[End(0.5), Ahead(6.0)], 1),
        (-5.0, &[End(0.5), Ahead(-4.0)], 1),
        (-5.0, &[Ahead(-6.0), End(0.5)], 1),
        (0.3, &[Ahead(0.4), End(0.5)], 1),
        (0.3, &[End(0.5), Ahead(0.6)], 1),
    ] {
        for agent in AGENTS {
            let report = found(&Fork::new(before, options), agent);
            assert_eq!(report.best_action::<u8>(), Some(best), "{agent}, {options:?} after {before}\n{report}");
        }
    }
}

#[test]
fn estimates_of_rewards_are_averaged_with_the_rewards_of_ends() {
    for agent in ["exhaustive", "expectimax:depth=2"] {
        for (options, best) in [
            (&[Luck([0.0, 0.9]), Ahead(0.4)][..], 0),
            (&[Luck([0.0, 0.9]), Ahead(0.5)], 1),
            (&[Luck([1.0, 0.1]), Ahead(0.5)], 0),
            (&[Luck([1.0, 0.1]), Ahead(0.6), End(1.0)], 2),
        ] {
            let report = found(&Fork::new(0.5, options), agent);
            assert_eq!(report.best_action::<u8>(), Some(best), "{agent}, {options:?}\n{report}");
        }
    }
}

#[test]
fn a_value_is_shown_as_it_is_and_a_certain_end_as_its_reward() {
    let game = Fork::new(0.0, &[End(0.0), Ahead(-10.0), Ahead(12.25), End(1.0)]);
    for agent in ["exhaustive", "expectimax:depth=1"] {
        let report = found(&game, agent);
        let mut children = report.children.clone();
        children.sort_by_key(|child| child.action);
        let column = |of: fn(&boughs::Child) -> Option<f64>| children.iter().map(of).collect::<Vec<_>>();
        assert_eq!(column(|child| child.value), [None, Some(-10.0), Some(12.25), None], "{agent}: {report}");
        assert_eq!(column(|child| child.proven), [Some(0.0), None, None, Some(1.0)], "{agent}: {report}");
        assert_eq!(column(|child| Some(child.mean)), [0.0, 0.0, 1.0, 1.0].map(Some), "{agent}: {report}");
        assert!(report.unit() == "value" && report.to_string().contains("12.25"), "{report}");
    }
    let by_playouts = found(&game, "exhaustive:playouts=2");
    assert!(by_playouts.unit() == "win rate" && by_playouts.children.iter().all(|child| child.value.is_none()));
}

/// Two players who choose a number at the same time. The numbers count when both have chosen, and the game goes on
/// until one has ten.
#[derive(Clone, Debug, Default)]
struct AtOnce {
    chosen: Option<u8>,
    sums: [u8; 2],
    rounds: u32,
}

impl Game for AtOnce {
    type Action = u8;
    const INFORMATION: Information = Information::Simultaneous;
    fn turn(&self) -> Turn {
        if self.rounds == 4 { Turn::Over } else { Turn::Player(usize::from(self.chosen.is_some())) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..4);
    }
    fn apply(&mut self, number: u8) {
        let Some(first) = self.chosen.take() else { return self.chosen = Some(number) };
        self.sums = [self.sums[0] + first, self.sums[1] + number];
        self.rounds += 1;
    }
    fn reward(&self, player: usize) -> f64 {
        match self.sums[player].cmp(&self.sums[1 - player]) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        }
    }
    fn evaluation(&self, player: usize) -> Option<f64> {
        Some(f64::from(self.sums[player]) - f64::from(self.sums[1 - player]))
    }
    fn information(&self, player: usize) -> u64 {
        let own = self.chosen.filter(|_| player == 0).map_or(0, |number| u64::from(number) + 1);
        u64::from(self.rounds) << 24 | u64::from(self.sums[0]) << 16 | u64::from(self.sums[1]) << 8 | own
    }
    fn determinize(&mut self, player: usize, _: &mut Rng) {
        self.chosen = self.chosen.filter(|_| player == 0);
    }
}

#[test]
fn a_choice_that_is_made_at_the_same_time_as_others_is_valued_after_theirs() {
    let mut second = AtOnce::default();
    second.apply(1);
    for game in [AtOnce::default(), second] {
        for agent in ["exhaustive", "beam:width=1,layers=1"] {
            let report = search(game.clone(), agent, 3, Budget::unlimited());
            assert_eq!(report.best_action(), Some(3u8), "{agent} in {game:?}\n{report}");
        }
    }
}

#[test]
fn a_search_that_does_not_fit_its_game_says_so() {
    let warnings = |game: &Fork, agent: &str| found(game, agent).warnings;
    let equal = Fork::new(0.0, &[Ahead(3.0), Ahead(3.0)]);
    for agent in ["exhaustive", "expectimax:depth=1"] {
        assert_eq!(warnings(&equal, agent), [Warning::AllEqual], "{agent}");
        assert_eq!(warnings(&Fork::new(0.0, &[Ahead(3.0), Ahead(2.0)]), agent), [], "{agent}");
    }
    assert_eq!(warnings(&Fork::new(0.0, &[End(0.5), End(0.5)]), "expectimax"), [], "the moves are equal");
    assert!(warnings(&equal, "beam:layers=1").contains(&Warning::OneDraw));
}

#[test]
fn the_move_to_play_stands_first() {
    let game = Fork::new(0.0, &[End(0.0), Ahead(1.0), Luck([0.0, 0.5]), Ahead(2.0)]);
    let first = |agent: &str| found(&game, agent).children[0].action;
    assert_eq!(["exhaustive", "expectimax:depth=2"].map(first), [3, 3]);
    let report = search(AtOnce::default(), "beam:width=3,layers=2", 1, Budget::iterations(200));
    assert_eq!(report.best.map(|best| best.action), Some(report.children[0].action));
}

#[test]
fn greedy_playouts_are_refused_where_choices_change_no_position() {
    for agent in ["flat", "beam", "exhaustive"] {
        let spec: AgentSpec = format!("{agent}:playout=greedy").parse().unwrap();
        let fault = spec.build(&AtOnce::default()).err().unwrap().to_string();
        assert!(fault.contains("greedy playouts have nothing to compare"), "{fault}");
    }
}

/// [`AtOnce`] with ends that take time, so that a part of a search takes longer than a few milliseconds.
#[derive(Clone, Debug, Default)]
struct Slow(AtOnce);

impl Game for Slow {
    type Action = u8;
    const INFORMATION: Information = Information::Simultaneous;
    fn turn(&self) -> Turn {
        Game::turn(&self.0)
    }
    fn actions(&self, out: &mut Vec<u8>) {
        Game::actions(&self.0, out);
    }
    fn apply(&mut self, number: u8) {
        Game::apply(&mut self.0, number);
    }
    fn reward(&self, player: usize) -> f64 {
        std::thread::sleep(Duration::from_micros(100));
        Game::reward(&self.0, player)
    }
    fn information(&self, player: usize) -> u64 {
        Game::information(&self.0, player)
    }
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        Game::determinize(&mut self.0, player, rng);
    }
}

#[test]
fn a_move_that_wins_at_once_is_the_best_one() {
    let mut start = boughs_games::start("connect4").unwrap().position;
    start.play_moves("112233").unwrap();
    let mut agent = "mcts".parse::<AgentSpec>().unwrap().build(&*start).unwrap();
    let report = agent.search(Budget::iterations(3), &mut |_| ()).unwrap();
    assert_eq!(report.best.unwrap().text, "4");
}

#[test]
fn a_search_by_playouts_is_the_same_under_a_deadline_that_it_does_not_reach() {
    let agents = ["determinization:worlds=4", "flat", "flat:policy=ucb1", "beam:width=4,layers=2,playouts=20", "mcts"];
    for (agent, stops_early) in agents.map(|agent| (agent, false)).into_iter().chain([("mcts:c=0.3", true)]) {
        let found = |budget: Budget| {
            let report = search(Slow::default(), agent, 1, budget.early_stop(stops_early));
            assert_ne!(report.stop, StopReason::Time);
            (report.best, report.children, report.iterations)
        };
        let playouts = || Budget::iterations(700);
        assert_eq!(found(playouts()), found(playouts().or_time(Duration::from_secs(3600))), "{agent}");
    }
}
