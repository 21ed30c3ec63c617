//! Every agent in every game: it plays something legal, or says which agent does; sure wins are taken, and sure losses are not.

use boughs::notation::{legal_moves, play_moves};
use boughs::{AgentSpec, Budget, Game, Report, SearchError, Turn};
use boughs_games::kuhn::Kuhn;
use boughs_games::tictactoe::TicTacToe;
use boughs_games::{Listed, Visitor, entries, visit};

fn after<G: Game + Default>(moves: &str) -> G {
    let mut game = G::default();
    play_moves(&mut game, moves).expect(moves);
    game
}

fn search<G: Game>(position: G, agent: &str, seed: u64, playouts: u64) -> Report<G::Action> {
    let agent: AgentSpec = agent.parse().unwrap();
    agent.with_seed(seed).build(position).unwrap().search(Budget::iterations(playouts), &mut |_| ()).unwrap()
}

/// Plays a few moves by an agent, or by the one it names instead.
struct AFewMoves(AgentSpec);

impl Visitor for AFewMoves {
    type Output = ();

    fn visit<G: Listed>(self, start: G) {
        let mut agent = match self.0.clone().build(start.clone()) {
            Err(SearchError::Misfit { instead, .. }) => {
                assert_ne!(instead.parse(), Ok(self.0.clone()), "an agent does not name itself instead");
                instead.parse::<AgentSpec>().unwrap().build(start)
            }
            other => other,
        }
        .unwrap();
        for _ in 0..4 {
            let legal = legal_moves(agent.position());
            let report = agent.search(Budget::iterations(300), &mut |_| ()).unwrap();
            let action = match agent.position().turn() {
                Turn::Over => return assert_eq!(report.best_action(), None),
                Turn::Chance => legal[0].0,
                Turn::Player(_) => {
                    assert_eq!(report.children.len(), legal.len(), "{} {}", G::NAME, self.0);
                    assert!(report.iterations <= 300 && report.depth > 0, "{} {}: {report}", G::NAME, self.0);
                    report.best_action().unwrap()
                }
            };
            assert!(legal.iter().any(|&(other, _)| other == action), "{} {}", G::NAME, self.0);
            agent.advance(action).unwrap();
        }
    }
}

#[test]
fn every_agent_plays_every_game_or_names_one_that_does() {
    for game in entries() {
        for agent in AgentSpec::list() {
            visit(game.name, AFewMoves(agent.name.parse().unwrap())).unwrap();
        }
    }
}

#[test]
fn a_win_in_one_is_taken() {
    for agent in ["mcts", "flat", "flat:policy=ucb1", "flat:policy=uniform", "beam"] {
        // Both could win; it is the turn of the first, and then of the second.
        for (moves, win) in [("1425", "3"), ("14259", "6")] {
            let report = search(after::<TicTacToe>(moves), agent, 1, 2_000);
            assert_eq!(report.best.map(|best| best.text).as_deref(), Some(win), "{agent} after {moves}");
        }
    }
}

#[test]
fn a_loss_in_one_is_prevented() {
    for agent in ["mcts", "flat", "flat:policy=ucb1"] {
        let report = search(after::<TicTacToe>("152"), agent, 1, 4_000);
        assert_eq!(report.best.map(|best| best.text).as_deref(), Some("3"), "{agent}");
    }
}

#[test]
fn nobody_folds_the_king_or_calls_with_the_jack() {
    for agent in ["worlds", "worlds:worlds=100,threads=2", "flat", "flat:policy=ucb1", "mcts"] {
        for seed in 0..5 {
            for (moves, right) in
                [("JK bet", "call"), ("QJ bet", "fold"), ("KQ check bet", "call"), ("JK check bet", "fold")]
            {
                let report = search(after::<Kuhn>(moves), agent, seed, 1_000);
                assert_eq!(report.best.map(|best| best.text).as_deref(), Some(right), "{agent} after {moves}");
            }
        }
    }
}

#[test]
fn what_players_do_not_know_does_not_show_in_a_report() {
    for agent in ["worlds", "flat", "mcts"] {
        let line = |moves| {
            let mut report = search(after::<Kuhn>(moves), agent, 3, 500);
            (report.seconds, report.playouts_per_second) = (0.0, 0.0);
            format!("{report:?}")
        };
        assert_eq!(
            line("QK check"),
            line("JK check"),
            "{agent}: the second player has the king, and does not see the queen"
        );
    }
}

#[test]
fn every_world_counts_alike() {
    let mean = |report: &Report<_>, text: &str| {
        report.children.iter().find(|child| child.text == text).map(|child| child.mean)
    };
    let position = |moves: &str| {
        let mut game = Kuhn::default();
        play_moves(&mut game, moves).expect(moves);
        game
    };
    // A queen that calls meets a jack or a king.
    let report = search(position("JQ bet"), "worlds:worlds=1000", 1, 30_000);
    let call = mean(&report, "call").expect("a call");
    assert!(call.abs() < 0.3, "calling wins as often as it loses two chips: {call}");
}

#[test]
fn all_worlds_are_searched_where_the_other_chooses_first() {
    struct AfterRock;

    impl Visitor for AfterRock {
        type Output = (u64, Vec<f64>);
        fn visit<G: Listed>(self, mut start: G) -> Self::Output {
            play_moves(&mut start, "rock").expect("a choice");
            let report = search(start, "worlds:worlds=200", 1, 20_000);
            (report.iterations, report.children.iter().map(|child| child.mean).collect())
        }
    }

    let (iterations, means) = visit("matrix", AfterRock).expect("a game");
    assert_eq!(iterations, 20_000);
    assert!(means.iter().all(|mean| (mean - 0.5).abs() < 0.12), "the other chooses evenly: {means:?}");
}
