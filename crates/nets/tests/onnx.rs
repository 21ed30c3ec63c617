//! Networks in files of ONNX: their values and priors are those that are known by hand, searches go by them, and files
//! that are wrong are told in one sentence.
//!
//! The script crates/nets/fixtures/make_onnx.py writes the files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boughs::{Budget, Evaluations, Knowledge, Rng, Session, SessionEvaluator, Settings, Turn};
use boughs_games::{entry_of, start};
use boughs_nets::read_evaluator;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn after(game: &str, moves: &str) -> Box<dyn Session> {
    let mut position = start(game).unwrap().position;
    position.play_moves(moves).unwrap();
    position
}

fn network(position: &dyn Session, name: &str) -> Arc<dyn SessionEvaluator> {
    read_evaluator(position, &file(name)).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

fn fault(position: &dyn Session, file: &Path) -> String {
    read_evaluator(position, file).err().expect("a fault").to_string()
}

fn evaluate(network: &dyn SessionEvaluator, positions: &[&dyn Session]) -> Evaluations {
    let mut evaluations = Evaluations::default();
    network.evaluate(positions, &mut evaluations);
    evaluations
}

/// The values of a position, and the priors of its actions as shares.
fn of_one(network: &dyn SessionEvaluator, position: &dyn Session) -> (Vec<f64>, Vec<f32>) {
    let evaluations = evaluate(network, &[position]);
    let (values, priors) = evaluations.get(0).unwrap();
    let sum: f32 = priors.iter().sum();
    (values.to_vec(), priors.iter().map(|prior| prior / sum).collect())
}

#[track_caller]
fn assert_near(found: &[f64], wanted: &[f64]) {
    let is_near = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(is_near, "{found:?} instead of {wanted:?}");
}

/// Positions along a random game, one for each player's turn.
fn positions(game: &str, seed: u64, count: usize) -> Vec<Box<dyn Session>> {
    let (mut position, mut rng) = (start(game).unwrap().position, Rng::new(seed, 0));
    let mut all = Vec::new();
    while all.len() < count && position.turn() != Turn::Over {
        if let Turn::Player(_) = position.turn() {
            all.push(position.clone_session());
        }
        let step = position.random_step(&mut rng).unwrap();
        position.apply(step);
    }
    all
}

#[test]
fn values_and_priors_are_those_that_are_known_by_hand() {
    let beginning = after("tictactoe", "");
    let network = network(&*beginning, "tictactoe.onnx");
    assert_eq!(network.knowledge(), Knowledge::ValuesAndPriors);
    let (values, priors) = of_one(&*network, &*beginning);
    assert_near(&values, &[0.5, 0.5]);
    let sum: f64 = (0..9).map(|cell| f64::from(cell).exp()).sum();
    let wanted: Vec<f64> = (0..9).map(|cell| f64::from(cell).exp() / sum).collect();
    assert_near(&priors.iter().map(|&prior| f64::from(prior)).collect::<Vec<_>>(), &wanted);

    // The second player acts, and the first one has a stone in the cell 4, as in all cells of that plane.
    let mut position = beginning.clone_session();
    position.apply(4);
    let (values, priors) = of_one(&*network, &*position);
    assert_near(&values, &[1.0 - 0.65, 0.65]);
    assert_eq!(priors.len(), 8);
    assert_near(&[f64::from((priors[7] / priors[3]).ln())], &[8.0 - 3.0]);

    // A stone of the second player in the first cell adds 5 to the logit of the last one.
    position.apply(0);
    let (values, priors) = of_one(&*network, &*position);
    assert_near(&values, &[0.52, 0.48]);
    assert_near(&[f64::from((priors[6] / priors[0]).ln())], &[8.0 + 5.0 - 1.0]);
}

#[test]
fn rows_are_counted_from_the_top_and_planes_by_kinds() {
    let difference = |cell: u32, [one, other]: [usize; 2]| {
        let mut position = after("tictactoe", "");
        let network = network(&*position, "tictactoe.onnx");
        position.apply(cell);
        let (_, priors) = of_one(&*network, &*position);
        f64::from((priors[one] / priors[other]).ln())
    };
    // A stone of the first player in the first cell adds nothing to the last one, as one of the second player does.
    assert_near(&[difference(0, [7, 0])], &[8.0 - 1.0]);
    // In the middle of the first row it adds 3 to the cell 5, and in the middle of the first column nothing.
    assert_near(&[difference(1, [4, 0])], &[5.0 + 3.0]);
    assert_near(&[difference(3, [4, 0])], &[5.0]);
}

#[test]
fn a_network_without_a_policy_gives_values_alone() {
    let position = after("tictactoe", "");
    let network = network(&*position, "values.onnx");
    assert_eq!(network.knowledge(), Knowledge::Values);
    let (values, priors) = of_one(&*network, &*position);
    assert_near(&values, &[0.5, 0.5]);
    assert!(priors.is_empty());
}

#[test]
fn weights_may_be_in_a_second_file() {
    let mut position = after("tictactoe", "");
    let network = network(&*position, "second-file.onnx");
    let said = fault(&*position, &copy_of("second-file").0);
    assert!(said.starts_with("the second file, with its weights, cannot be read (No such file"), "{said}");
    assert!(said.ends_with("); keep it beside this one, under its name"), "{said}");
    position.apply(4);
    assert_near(&of_one(&*network, &*position).0, &[1.0 - 0.65, 0.65]);
}

#[test]
fn where_chance_acts_between_two_players_the_value_is_the_mean() {
    let mut position = after("pig:goal=20", "roll 5 hold");
    let network = network(&*position, "pig.onnx");
    let value = 5.0 / 40.0;
    assert_near(&of_one(&*network, &*position).0, &[1.0 - value, value]);
    let roll = position.find_move("roll").unwrap();
    position.apply(roll);
    assert_eq!(position.turn(), Turn::Chance);
    // A 1 gives the turn to the first player, and after the five others the second one acts.
    let mean = (value + 5.0 * (1.0 - value)) / 6.0;
    assert_near(&of_one(&*network, &*position).0, &[mean, 1.0 - mean]);
}

#[test]
fn scores_to_come_are_added_to_those_so_far() {
    let mut position = after("2048", "");
    let network = network(&*position, "2048.onnx");
    let mut rng = Rng::new(3, 0);
    let (mut chances, mut highest) = (0, 0.0);
    for _ in 0..40 {
        let mut cells = [0; 16];
        entry_of(&*position).unwrap().cells(&*position, &mut cells);
        let fours = cells.iter().filter(|&&exponent| exponent == 2).count();
        let (values, priors) = of_one(&*network, &*position);
        assert_near(&values, &[position.cut_reward(0) + 1000.0 * fours as f64]);
        match position.turn() {
            Turn::Chance => {
                assert!(priors.is_empty());
                chances += 1;
            }
            _ => assert_eq!(priors.len(), position.legal_moves().len()),
        }
        highest = f64::max(highest, position.cut_reward(0));
        let step = position.random_step(&mut rng).unwrap();
        position.apply(step);
    }
    assert!(chances > 10 && highest > 20.0, "{chances} {highest}");
}

#[test]
fn a_leaf_is_worth_the_same_in_every_batch() {
    let mut all = positions("connect4", 1, 9);
    all.extend(positions("connect4", 2, 8));
    let network = network(&*all[0], "connect4.onnx");
    let leaves: Vec<&dyn Session> = all.iter().map(|position| &**position).collect();
    assert_eq!(leaves.len(), 17);
    let together = evaluate(&*network, &leaves);
    assert_eq!(together.len(), 17);
    let mut different = Vec::new();
    for (number, leaf) in leaves.iter().enumerate() {
        let alone = evaluate(&*network, &[*leaf]);
        let [(values, priors), (wanted, wanted_priors)] = [together.get(number).unwrap(), alone.get(0).unwrap()];
        assert_near(values, wanted);
        let [priors, wanted_priors] = [priors, wanted_priors].map(|all| all.iter().map(|&it| f64::from(it)).collect());
        let (priors, wanted_priors): (Vec<f64>, Vec<f64>) = (priors, wanted_priors);
        assert_near(&priors, &wanted_priors);
        different.push((values[0] * 1e4) as i64);
    }
    different.sort_unstable();
    different.dedup();
    assert!(different.len() > 12, "the positions have values of their own: {different:?}");
}

#[test]
fn leaves_of_several_rows_and_of_none_share_a_batch() {
    let mut rolling = after("pig:goal=20", "roll 5 hold");
    let network = network(&*rolling, "pig.onnx");
    let acting = rolling.clone_session();
    let roll = rolling.find_move("roll").unwrap();
    rolling.apply(roll);
    let over = after("pig:goal=2", "roll 2");
    assert_eq!(over.turn(), Turn::Over);
    let leaves: [&dyn Session; 5] = [&*rolling, &*acting, &*over, &*rolling, &*acting];
    let together = evaluate(&*network, &leaves);
    for (number, wanted) in [0.75, 0.875, 1.0, 0.75, 0.875].into_iter().enumerate() {
        assert_near(together.get(number).unwrap().0, &[wanted, 1.0 - wanted]);
    }
}

/// The action that a search by a network plays.
fn best(game: &str, moves: &str, settings: &str, name: &str) -> String {
    let position = after(game, moves);
    let settings: Settings = settings.parse().unwrap();
    let mut search = position.tree_search_with(settings, network(&*position, name)).unwrap();
    let report = search.search(Budget::iterations(200).early_stop(false), &mut |_| ()).unwrap();
    assert_eq!((report.iterations, report.warnings.len()), (200, 0), "{:?}", report.warnings);
    report.best_child().unwrap().text.clone()
}

#[test]
fn a_search_goes_by_the_policy_and_by_the_value() {
    for batch in [1, 16] {
        // Nothing tells the slides apart but the policy.
        let keys = format!("mcts:policy=puct,batch={batch}");
        let position = after("2048", "a1=2 c3=2");
        let wanted = position.action_text(2);
        assert_eq!(best("2048", "a1=2 c3=2", &keys, "2048.onnx"), wanted, "{keys}");
        // Either player wants the cell in the middle, whose text is its number from 1.
        let keys = format!("mcts:c=0.3,batch={batch}");
        assert_eq!(best("tictactoe", "", &keys, "middle.onnx"), "5", "{keys}");
        assert_eq!(best("tictactoe", "1", &keys, "middle.onnx"), "5", "{keys}");
    }
}

#[test]
fn a_value_that_is_no_number_ends_a_search_in_a_sentence() {
    let position = after("tictactoe", "");
    let network = network(&*position, "logarithm.onnx");
    let mut search = position.tree_search_with(Settings::default(), network).unwrap();
    let said = search.search(Budget::iterations(500), &mut |_| ()).err().unwrap().to_string();
    assert_eq!(said, "the evaluator of leaves failed: it gives the value NaN; give a finite number");
}

#[test]
fn a_file_that_cannot_be_used_is_told_in_one_sentence() {
    let position = after("tictactoe", "");
    for (name, wanted) in [
        ("fixed-batch", "its batch has the fixed size 1; export it with a dynamic first dimension (dynamic_axes)"),
        ("no-value", "it has no output named 'value' (its outputs: output); name its outputs when you export it"),
        ("float64", "its input has another type than float32; export it with an input of float32"),
        ("two-inputs", "it has 2 inputs; export it with one input, the planes of the board"),
        ("operator", "the operator NoSuchOperator is unknown here; export the network without it"),
        ("no-number", "it says that this position is worth NaN; check its weights"),
        (
            "two-values",
            "its output 'value' has the shape [1, 2] for 1 position(s); export it with one value for each position, \
             [N] or [N, 1]",
        ),
        (
            "cube",
            "its output 'policy' has the shape [1, 4, 3, 3] for 1 position(s); export it with a logit for each code \
             of an action, [N, A]",
        ),
        (
            "few-logits",
            "its policy has 7 logits, and the action 8 has the code 7; export a logit for each code of an action",
        ),
        (
            "mixed-batch",
            "what it says of a position depends on the others of its batch; export it in the mode for evaluation \
             (model.eval())",
        ),
        ("unmade", "it is no file of ONNX, or it is cut or damaged; export it again"),
        (
            "connect4",
            "its input has the shape [N, 5, 6, 7], and this board of tictactoe has [N, 4, 3, 3]; export it for the \
             board that is played",
        ),
        ("make_onnx.py", "it is no file of ONNX, or it is cut or damaged; export it again"),
    ] {
        assert_eq!(fault(&*position, &copy_of(name).0), wanted, "{name}");
    }
    let said = fault(&*position, &file("weights.onnx"));
    assert!(said.starts_with("the runtime refuses it: ") && said.contains("; export it with plain"), "{said}");
    let said = fault(&*position, &file("no-such-file.onnx"));
    assert!(said.starts_with("No such file"), "{said}");
    let said = fault(&*after("nim", ""), &file("tictactoe.onnx"));
    assert_eq!(said, "this game has no board of cells, so it has no networks");
}

/// A file in the folder for temporary files, which is removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn of(name: &str, bytes: &[u8]) -> Temporary {
        let path = std::env::temp_dir().join(format!("boughs-{}-{name}.onnx", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A copy of a fixture whose name ends in `.onnx`.
fn copy_of(name: &str) -> Temporary {
    let with_ending = if name.contains('.') { name.to_string() } else { format!("{name}.onnx") };
    Temporary::of(name, &fs::read(file(&with_ending)).unwrap())
}

#[test]
fn a_cut_or_changed_file_is_refused_or_used_and_never_a_panic() {
    let position = after("tictactoe", "");
    let bytes = fs::read(file("tictactoe.onnx")).unwrap();
    let mut refused = 0;
    let mut check = |changed: &[u8]| {
        let copy = Temporary::of("changed", changed);
        match read_evaluator(&*position, &copy.0) {
            Ok(network) => assert_eq!(evaluate(&*network, &[&*position]).len(), 1),
            Err(fault) => {
                refused += 1;
                assert!(fault.to_string().contains("; ") && !fault.to_string().contains('\n'), "{fault}");
            }
        }
    };
    for length in (0..bytes.len()).step_by(23) {
        check(&bytes[..length]);
    }
    let mut rng = Rng::new(5, 0);
    for _ in 0..100 {
        let mut changed = bytes.clone();
        changed[rng.below(bytes.len() as u32) as usize] ^= 1 << rng.below(8);
        check(&changed);
    }
    assert!(refused > 90, "{refused}");
}
