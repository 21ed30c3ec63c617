//! The agents of Photosynthesis answer legally and in time, find the same again, look as deep as they claim, and keep
//! their tree.

use std::time::Duration;

use boughs::{Action as _, Agent, Budget, Choice, Game, Report, StopFlag, StopReason, Turn};
use boughs_agents::AgentSpec;
use boughs_games::photosynthesis::{Action, Photosynthesis};

use crate::process::ends_within;

const AGENTS: [&str; 6] = [
    "greedy",
    "beam:layers=days",
    "beam:layers=actions",
    "woods",
    "woods:tree=sequential",
    "woods:prune=off,playout=sensible,days=24",
];

fn agent(text: &str, position: Photosynthesis) -> Box<dyn Agent> {
    let mut spec: AgentSpec = text.parse().unwrap();
    _ = spec.set("memory", "16M");
    spec.with_seed(3).build(&position).unwrap()
}

fn think(agent: &mut dyn Agent, iterations: u64) -> Report {
    agent.search(Budget::iterations(iterations), &mut |_| ()).unwrap()
}

/// The position of an agent.
fn place(agent: &dyn Agent) -> &Photosynthesis {
    agent.position().downcast_ref().unwrap()
}

#[test]
fn a_number_that_is_no_code_does_not_advance() {
    for name in AGENTS {
        let start = Photosynthesis::new(1);
        let mut agent = agent(name, start);
        // As an action it would be to wait.
        assert_eq!(Action::from_code(1 << 20), Action::Wait);
        assert!(agent.advance(1 << 20).is_err() && *place(&*agent) == start, "{name}");
        assert_eq!(agent.advance(Action::Wait.code()), Ok(()), "{name}");
    }
}

/// Plays a game of two agents. Returns the actions and the end.
fn play(names: [&str; 2], map: i64, iterations: u64) -> (Vec<Action>, Photosynthesis) {
    let mut game = Photosynthesis::new(map);
    let mut agents = names.map(|name| agent(name, game));
    let mut done = Vec::new();
    while let Turn::Player(player) = game.turn() {
        let action: Action = think(&mut *agents[player], iterations).best_action().unwrap();
        assert!(game.position().is_legal(player, action), "{} plays {action}", names[player]);
        game.apply(action);
        agents.iter_mut().for_each(|agent| agent.advance(action.code()).unwrap());
        assert!(agents.iter().all(|agent| *place(&**agent) == game));
        done.push(action);
    }
    (done, game)
}

/// A position on a certain day of a game of two greedy players.
fn on_day(day: u8, map: i64) -> Photosynthesis {
    let mut game = Photosynthesis::new(map);
    let mut greedy = agent("greedy", game);
    while game.position().day() < day {
        let action: Action = think(&mut *greedy, 1).best_action().unwrap();
        game.apply(action);
        greedy.advance(action.code()).unwrap();
    }
    game
}

#[test]
fn every_agent_plays_legally_and_the_same_again() {
    for (map, name) in AGENTS.into_iter().enumerate() {
        let games = [0, 1].map(|_| play([name, AGENTS[(map + 1) % AGENTS.len()]], map as i64, 60));
        assert!(games[0] == games[1] && games[0].1.position().is_over(), "{name}");
    }
}

#[test]
fn agents_answer_at_the_deadline() {
    for name in AGENTS {
        let mut agent = agent(name, on_day(11, 4));
        let answers = || {
            let report = agent.search(Budget::time(Duration::from_millis(20)), &mut |_| ()).unwrap();
            assert!(report.best.is_some(), "{name}");
        };
        assert!(ends_within(Duration::from_millis(60), answers), "{name} is late");
        assert!(agent.search(Budget::time(Duration::ZERO), &mut |_| ()).unwrap().best.is_some(), "{name}");
    }
}

#[test]
fn a_beam_narrowed_after_every_action_looks_deeper_than_one_narrowed_once_a_day() {
    let depth = |layers: &str| -> u32 {
        let of = |map| think(&mut *agent(&format!("beam:layers={layers}"), on_day(12, map)), 20_000).depth;
        (1..5).map(of).sum()
    };
    let (days, actions) = (depth("days"), depth("actions"));
    assert!(actions > days + 8, "{actions} and {days} actions on four maps");
}

#[test]
fn every_agent_beats_the_one_before() {
    for (weak, strong) in [("mcts:playout=light", "greedy"), ("greedy", "beam:layers=actions"), ("greedy", "woods")] {
        let lead = |map, seat: usize| {
            let names = if seat == 0 { [strong, weak] } else { [weak, strong] };
            let scores = play(names, map, 300).1.position().final_scores();
            scores[seat] - scores[1 - seat]
        };
        let leads = [lead(1, 0), lead(1, 1)];
        assert!(leads.iter().sum::<i32>() > 0, "{strong} against {weak}: {leads:?}");
    }
}

#[test]
fn a_tree_is_kept_when_it_is_told_what_was_done() {
    let (mut game, mut inherited) = (on_day(6, 2), 0);
    let mut woods = agent("woods", game);
    for _ in 0..4 {
        let report = think(&mut *woods, 2_000);
        inherited += report.inherited;
        let player = usize::from(game.chosen().is_some());
        let mut actions: Vec<Action> = vec![report.best_action().unwrap()];
        // The other player follows the rule.
        let mut next = game;
        next.apply(actions[0]);
        while next.turn() != Turn::Player(player) {
            let action: Action = think(&mut *agent("greedy", next), 1).best_action().unwrap();
            next.apply(action);
            actions.push(action);
        }
        actions.into_iter().for_each(|action| woods.advance(action.code()).unwrap());
        game = next;
    }
    assert!(inherited > 500, "{inherited}");
}

#[test]
fn a_tree_is_kept_when_only_positions_are_seen() {
    for name in ["woods", "woods:tree=sequential"] {
        let mut game = on_day(6, 2);
        let mut woods = agent(name, game);
        let best: Action = think(&mut *woods, 3_000).best_action().unwrap();
        let mut other = agent(name, game);
        game.apply(best);
        other.advance(best.code()).unwrap();
        while game.turn() != Turn::Player(0) {
            let action: Action = think(&mut *other, 300).best_action().unwrap();
            game.apply(action);
            other.advance(action.code()).unwrap();
        }
        woods.reset(&Photosynthesis::from(*game.position())).unwrap();
        assert_eq!(place(&*woods).position(), game.position());
        let inherited = think(&mut *woods, 100).inherited;
        assert!(inherited > 100, "{name}: {inherited}");
        woods.reset(&Photosynthesis::new(9)).unwrap();
        assert_eq!(think(&mut *woods, 100).inherited, 0, "{name}: nothing leads to another map");
    }
}

/// A position in which both players can throw a seed into one cell, and the two actions.
fn meeting_seeds() -> (Photosynthesis, [Action; 2]) {
    let seeds = |game: &Photosynthesis| {
        let mut choices = Vec::new();
        game.actions(&mut choices);
        let landing = |action| if let Action::Seed { to, .. } = action { Some((action, to)) } else { None };
        choices.into_iter().filter_map(landing).collect::<Vec<_>>()
    };
    let all = (0..40).flat_map(|map| (2..12).map(move |day| on_day(day, map)));
    let met = |game: Photosynthesis| {
        seeds(&game).into_iter().find_map(|(ours, cell)| {
            let mut half = game;
            half.apply(ours);
            let (theirs, _) = seeds(&half).into_iter().find(|&(_, to)| to == cell)?;
            Some((game, [ours, theirs]))
        })
    };
    all.into_iter().find_map(met).unwrap()
}

#[test]
fn a_tree_is_kept_when_two_seeds_have_met() {
    let (mut game, seeds) = meeting_seeds();
    let mut woods = agent("woods:prune=off", game);
    think(&mut *woods, 20_000);
    seeds.into_iter().for_each(|seed| game.apply(seed));
    assert!(game.position().trees_of_size(0, 0) == 0 && game.position().dormant() != 0, "they met");
    woods.reset(&game).unwrap();
    assert!(think(&mut *woods, 100).inherited > 0);
}

#[test]
fn a_beam_without_end_is_ended_by_its_flag() {
    for name in ["beam:layers=days", "beam:layers=actions"] {
        let flag = StopFlag::default();
        let raise = flag.clone();
        let waits = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            raise.raise();
        });
        let budget = Budget::iterations(1 << 40).or_stopped_by(flag);
        let report = agent(name, on_day(5, 3)).search(budget, &mut |_| ()).unwrap();
        waits.join().unwrap();
        assert_eq!(report.stop, StopReason::Stopped, "{name}: {report}");
    }
}

#[test]
fn nobody_decides_by_what_the_first_has_chosen_in_secret() {
    let game = on_day(9, 6);
    let mut choices = Vec::new();
    game.actions(&mut choices);
    for name in AGENTS {
        let found = [choices[0], choices[choices.len() - 1]].map(|chosen| {
            let mut next = game;
            next.apply(chosen);
            assert_eq!((next.turn(), next.chosen()), (Turn::Player(1), Some(chosen)));
            let report = think(&mut *agent(name, next), 10_000);
            let children = report.children.iter().map(|child| (child.action, child.playouts, child.mean.to_bits()));
            (report.best.map(|best| best.action), report.iterations, children.collect::<Vec<_>>())
        });
        assert_eq!(found[0], found[1], "{name}");
    }
}

#[test]
fn a_choice_is_that_of_a_report() {
    for name in AGENTS {
        let game = on_day(10, 7);
        let (mut reports, mut chooses) = (agent(name, game), agent(name, game));
        for _ in 0..4 {
            let report = think(&mut *reports, 2_000);
            let choice = chooses.choose(Budget::iterations(2_000)).unwrap();
            assert_eq!(choice, Choice::from(&report), "{name}");
            for agent in [&mut reports, &mut chooses] {
                agent.advance(choice.ranked[0]).unwrap();
            }
        }
        let chosen = chooses.choose(Budget::time(Duration::ZERO)).unwrap();
        assert!(!chosen.ranked.is_empty(), "{name}");
    }
}
