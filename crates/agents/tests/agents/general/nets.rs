//! Networks: what is learned plays, and files that are wrong are told.

use std::fs;
use std::path::PathBuf;

use boughs::{Agent, Budget, Rng, StopFlag, Turn};
use boughs_agents::AgentSpec;
use boughs_agents::learn::NetRun;
use boughs_games::start;
use boughs_nets::{Learning, Progress};

/// A file for one test, which is removed at its end.
struct Temporary(PathBuf);

impl Temporary {
    fn of(name: &str, content: &[u8]) -> Temporary {
        let path = std::env::temp_dir().join(format!("boughs-{}-{name}.net", std::process::id()));
        fs::write(&path, content).unwrap();
        Temporary(path)
    }

    fn agent(&self, keys: &str) -> AgentSpec {
        format!("mcts:{keys}net={}", self.0.display()).parse().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn begin(game: &str, learning: Learning, threads: usize) -> NetRun {
    let started = start(game).unwrap();
    // The usual tuples of a board are many megabytes, which each search reads.
    let tuples = if game == "pig" { "usual" } else { "lines" };
    let tuples = NetRun::tuples(tuples, 1, &started, learning.seed).unwrap();
    let network = NetRun::nothing(&tuples, &started).unwrap();
    NetRun::new(Progress { game: game.to_string(), ..Progress::default() }, network, started, learning, threads)
        .unwrap()
}

/// A network of a game after some games, as the bytes of its file.
fn learned(game: &str, games: u64, learning: Learning) -> Vec<u8> {
    let mut run = begin(game, learning, 2);
    run.learn(games);
    let mut bytes = Vec::new();
    run.write_net(&mut bytes).unwrap();
    bytes
}

/// The points of the first agent in games from both sides.
fn points(game: &str, agents: [&AgentSpec; 2], games: u64, playouts: u64) -> f64 {
    let mut points = 0.0;
    for number in 0..games {
        let mut position = start(game).unwrap().position;
        let mut agents = agents.map(|agent| agent.clone().with_seed(number).build(&*position).unwrap());
        let own = (number % 2) as usize;
        while let Turn::Player(player) = position.turn() {
            let agent: &mut Box<dyn Agent> = &mut agents[player ^ own];
            let action = agent.choose(Budget::iterations(playouts)).unwrap().ranked[0];
            position.apply(action);
            agents.iter_mut().for_each(|agent| agent.advance(action).unwrap());
        }
        points += position.reward(own);
    }
    points
}

#[test]
fn a_search_by_a_learned_network_beats_one_by_playouts() {
    let learning = Learning { explore: 0.1, ..Learning::default() };
    let file = Temporary::of("wins", &learned("connect4", 4_000, learning));
    let net = file.agent("policy=puct,");
    let won = points("connect4", [&net, &"mcts".parse().unwrap()], 40, 50);
    assert!(won >= 28.0, "{won} of 40");
}

#[test]
fn networks_that_come_with_the_program_beat_a_search_by_playouts() {
    let net: AgentSpec = "mcts:policy=puct,c=0.15,net=built-in".parse().unwrap();
    assert!(net.files().is_empty());
    for game in ["breakthrough", "connect4", "othello"] {
        let won = points(game, [&net, &"mcts".parse().unwrap()], 20, 50);
        assert!(won >= 16.0, "{game}: {won} of 20");
    }
    for (game, said) in
        [("hex", "only of breakthrough, connect4, othello;"), ("kuhn", "this game has no board of cells")]
    {
        let fault = net.build(&*start(game).unwrap().position).err().unwrap().to_string();
        assert!(fault.starts_with("'built-in': ") && fault.contains(said), "{fault}");
    }
}

#[test]
fn chance_is_valued_in_games_for_one_and_two() {
    for (game, opening) in [("2048", ""), ("pig", "roll 4")] {
        let file = Temporary::of(game, &learned(game, 8, Learning::default()));
        let mut position = start(game).unwrap().position;
        position.play_moves(opening).unwrap();
        while position.turn() == Turn::Chance {
            let first = position.legal_moves()[0].0;
            position.apply(first);
        }
        for keys in ["policy=puct,", "", "tree=open,"] {
            let mut agent = file.agent(keys).build(&*position).unwrap();
            let report = agent.search(Budget::iterations(300).early_stop(false), &mut |_| ()).unwrap();
            assert_eq!((report.iterations, report.warnings.len()), (300, 0), "{game} {keys} {:?}", report.warnings);
        }
    }
}

#[test]
fn expectimax_by_a_network_scores_the_more_the_deeper_it_looks() {
    let file = Temporary::of("deep", &learned("2048", 256, Learning::default()));
    let score = |depth: u32| {
        let mut sum = 0.0;
        for seed in 0..4 {
            let agent: AgentSpec = format!("expectimax:depth={depth},net={}", file.0.display()).parse().unwrap();
            let mut position = start("2048").unwrap().position;
            let (mut agent, mut rng) = (agent.build(&*position).unwrap(), Rng::new(seed, 0));
            while position.turn() != Turn::Over {
                let step = match position.turn() {
                    Turn::Chance => position.random_step(&mut rng).unwrap(),
                    _ => agent.choose(Budget::unlimited()).unwrap().ranked[0],
                };
                position.apply(step);
                agent.advance(step).unwrap();
            }
            sum += position.reward(0);
        }
        sum / 4.0
    };
    let [shallow, deep] = [score(1), score(2)];
    assert!(deep > 1.2 * shallow, "{shallow} {deep}");
}

#[test]
fn the_strength_of_a_run_is_measured() {
    for (game, least) in [("2048", 500.0), ("tictactoe", 0.1)] {
        let learning = Learning { explore: 0.1, ..Learning::default() };
        let mut run = begin(game, learning, 1);
        run.learn(if game == "2048" { 64 } else { 2_000 });
        let strength = run.measure(&StopFlag::default()).unwrap().unwrap();
        assert!(strength > least, "{game}: {strength}");
        assert_eq!(run.progress().curve.len(), 1);
        let stop = StopFlag::default();
        stop.raise();
        assert_eq!(run.measure(&stop).unwrap(), None);
    }
}

#[test]
fn a_file_that_is_no_network_of_the_game_is_told_in_one_sentence() {
    let position = start("othello").unwrap().position;
    let fault = |agent: &AgentSpec| agent.build(&*position).err().unwrap().to_string();
    let of_tictactoe = Temporary::of("tictactoe", &learned("tictactoe", 8, Learning::default()));
    let said = fault(&of_tictactoe.agent(""));
    assert!(said.ends_with("it is a network of tictactoe on 3x3 cells; use one of the game at hand"), "{said}");
    let said = fault(&Temporary::of("text", b"weights").agent(""));
    assert!(said.ends_with("it is no file of a network; 'boughs learn' writes one"), "{said}");
    let said = fault(&"mcts:net=/no/such/file.net".parse().unwrap());
    assert!(said.starts_with("'/no/such/file.net': "), "{said}");
    let said = "mcts:net=weights.json".parse::<AgentSpec>().unwrap_err().to_string();
    assert!(said.contains("none, built-in, or a file whose name ends in .net or .onnx"), "{said}");
    for agent in ["mcts:net=/no/such/file.onnx", "expectimax:net=/no/such/file.onnx"] {
        let said = fault(&agent.parse().unwrap());
        if cfg!(feature = "onnx") {
            assert!(said.starts_with("'/no/such/file.onnx': No such file"), "{said}");
        } else {
            let cure = "this program is built without ONNX; build it with 'cargo build --release --features onnx' \
                        (docs/EVALUATORS.md)";
            assert_eq!(said, format!("'/no/such/file.onnx': {cure}"));
        }
    }
}
