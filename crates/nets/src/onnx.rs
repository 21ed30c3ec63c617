//! Networks of other programs, in files of ONNX, as evaluators of leaves.
//!
//! A network gets the cells of a batch of positions as planes of zeros and ones, and gives their values and the logits
//! of their actions (docs/EVALUATORS.md). The runtime is tract, which is written in Rust.

use std::cell::Cell;
use std::collections::HashSet;
use std::io::Read;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Once};

use boughs::{Evaluations, Knowledge, Rng, Session, SessionEvaluator, Turn, named_file};
use boughs_games::{CellsShape, GameEntry};
use tract_onnx::pb::tensor_proto::{DataLocation, DataType};
use tract_onnx::pb::tensor_shape_proto::dimension::Value::{self, DimParam, DimValue};
use tract_onnx::pb::{GraphProto, ValueInfoProto, type_proto};
use tract_onnx::prelude::{
    Datum, Framework, InferenceFact, InferenceModel, InferenceModelExt, IntoRunnable, Tensor, ToDim, TractError,
    TractResult, TypedRunnableModel, tvec,
};

use crate::error::NetError;
use crate::judge::{board, reward, softmax};

/// The name of the output that has the values.
const VALUE: &str = "value";
/// The name of the output that has the logits of the actions.
const POLICY: &str = "policy";

/// The longest reason of the runtime that a sentence quotes.
const LONGEST_REASON: usize = 200;

/// The difference between two values of one position, in two batches, that is no more than rounding.
const ROUNDING: f32 = 1e-3;

/// The plies of the game that is played to see which codes actions have.
const TRIAL_PLIES: u32 = 2_000;

/// A network in a file of ONNX that values the leaves of a tree search. One call of the network values all leaves of a
/// batch.
///
/// A position in which a player acts is worth what the network says, and the softmax of the logits of the legal actions
/// makes their priors. Where chance acts, a position of a game for one player is worth what the network says of its
/// board, and one of two players the mean of the positions that follow.
pub(crate) struct OnnxEvaluator {
    network: Arc<TypedRunnableModel>,
    has_policy: bool,
    game: &'static GameEntry,
    shape: CellsShape,
    /// True if the rewards are scores, of which the network values those that are still to come.
    has_scores: bool,
}

/// One position of a batch.
struct Row {
    /// The leaf's own share in the value of this position.
    weight: f64,
    /// The player whose value the network gives.
    player: usize,
    /// The score so far.
    scored: f64,
}

/// The positions that a batch of leaves asks a network about.
#[derive(Default)]
struct Batch {
    planes: Vec<f32>,
    rows: Vec<Row>,
    /// The part of a leaf's value that no network need tell, and the rows of the rest.
    leaves: Vec<(f64, Range<usize>)>,
}

/// The outputs of a network: one value for each position, and the logits of each one after the other.
struct Outputs {
    values: Vec<f32>,
    logits: Vec<f32>,
    shapes: Vec<Vec<usize>>,
}

impl OnnxEvaluator {
    /// Reads the network of the game that a position is of, and tries it on this position.
    ///
    /// # Errors
    /// One sentence about the file or the game.
    pub(crate) fn read(position: &dyn Session, path: &Path) -> Result<OnnxEvaluator, NetError> {
        let (game, shape) = board(position)?;
        let mut bytes = Vec::new();
        named_file::open(path)?.read_to_end(&mut bytes)?;
        let folder = path.parent().and_then(Path::to_str);
        let read = || OnnxEvaluator::of_bytes(position, game, shape, &bytes, folder);
        quietly(read).unwrap_or_else(|| Err(no_network())).map_err(NetError::Onnx)
    }

    fn of_bytes(
        position: &dyn Session,
        game: &'static GameEntry,
        shape: CellsShape,
        bytes: &[u8],
        folder: Option<&str>,
    ) -> Result<OnnxEvaluator, String> {
        let framework = tract_onnx::onnx().with_ignore_value_info(true);
        let mut file = framework.proto_model_for_read(&mut &*bytes).map_err(|_| no_network())?;
        let graph = file.graph.as_mut().ok_or_else(no_network)?;
        if let Some(node) = graph.node.iter().find(|node| !framework.op_register.0.contains_key(&node.op_type)) {
            let operator = shortened(&node.op_type);
            return Err(format!("the operator {operator} is unknown here; export the network without it"));
        }
        check_input(graph, game, shape)?;
        keep_outputs(graph)?;
        let has_policy = graph.output.len() == 2;
        let has_second = graph.initializer.iter().any(|weights| weights.data_location() == DataLocation::External);
        let parsed = framework.parse(&file, folder).map_err(|error| match has_second {
            false => refused(&error),
            true => format!(
                "the second file, with its weights, cannot be read ({}); keep it beside this one, under its name",
                reason(&error)
            ),
        })?;
        if let Some(name) = parsed.unresolved_inputs.first() {
            return Err(format!("a node gets '{}', which none makes; export it again", shortened(name)));
        }
        let network = optimized(parsed.model, shape).map_err(|error| refused(&error))?;
        let has_scores = position.facts().rewards.bounds.is_none();
        let evaluator = OnnxEvaluator { network, has_policy, game, shape, has_scores };
        let actions = evaluator.try_out(position)?;
        if let Some(actions) = actions {
            check_codes(position, actions)?;
        }
        Ok(evaluator)
    }

    /// The numbers of one position.
    fn row_len(&self) -> usize {
        (self.shape.kinds + 1) * self.shape.cells()
    }

    /// Adds a position to a batch, for a player.
    fn write_planes(&self, position: &dyn Session, player: usize, planes: &mut Vec<f32>) {
        let cells = self.shape.cells();
        let mut kinds = vec![0; cells];
        self.game.cells(position, &mut kinds);
        let first = planes.len();
        planes.resize(first + self.row_len(), 0.0);
        let row = &mut planes[first..];
        for (cell, kind) in kinds.into_iter().enumerate() {
            row[usize::from(kind) * cells + cell] = 1.0;
        }
        row[self.shape.kinds * cells..].fill(player as f32);
    }

    /// Adds the positions whose values make that of a leaf. The return value is the part that is known without them.
    fn gather(&self, position: &dyn Session, weight: f64, batch: &mut Batch) -> f64 {
        let player = match position.turn() {
            Turn::Over => return weight * position.reward(0),
            Turn::Player(player) => player,
            Turn::Chance if position.players() == 1 => 0,
            Turn::Chance => return self.gather_outcomes(position, weight, batch),
        };
        self.write_planes(position, player, &mut batch.planes);
        let scored = if self.has_scores { position.cut_reward(player) } else { 0.0 };
        batch.rows.push(Row { weight, player, scored });
        0.0
    }

    /// Adds the positions that chance may lead to.
    fn gather_outcomes(&self, position: &dyn Session, weight: f64, batch: &mut Batch) -> f64 {
        let mut outcomes = Vec::new();
        position.actions(&mut outcomes);
        let sum: f64 = outcomes.iter().map(|&outcome| f64::from(position.weight(outcome))).sum();
        if sum <= 0.0 {
            return weight * reward(position, 0);
        }
        let mut known = 0.0;
        for outcome in outcomes {
            let mut next = position.clone_session();
            next.apply(outcome);
            known += self.gather(&*next, weight * f64::from(position.weight(outcome)) / sum, batch);
        }
        known
    }

    /// Runs the network.
    fn run(&self, planes: &[f32]) -> TractResult<Outputs> {
        let CellsShape { columns, rows, kinds, .. } = self.shape;
        let positions = planes.len() / self.row_len();
        let input = Tensor::from_shape(&[positions, kinds + 1, rows, columns], planes)?;
        let outputs = self.network.run(tvec!(input.into()))?;
        let mut all = Outputs { values: Vec::new(), logits: Vec::new(), shapes: Vec::new() };
        for (output, numbers) in outputs.iter().zip([&mut all.values, &mut all.logits]) {
            numbers.extend(output.cast_to::<f32>()?.to_plain_array_view::<f32>()?.iter());
            all.shapes.push(output.shape().to_vec());
        }
        Ok(all)
    }

    /// Runs the network on a position, alone and beside two others. The return value is the number of logits.
    fn try_out(&self, position: &dyn Session) -> Result<Option<usize>, String> {
        let mut planes = Vec::new();
        let player = if let Turn::Player(player) = position.turn() { player } else { 0 };
        self.write_planes(position, player, &mut planes);
        let alone = self.run(&planes).map_err(|error| refused(&error))?;
        let actions = self.check_outputs(&alone, 1)?;
        planes.resize(2 * self.row_len(), 0.0);
        planes.resize(3 * self.row_len(), 1.0);
        let beside = self.run(&planes).map_err(|error| refused(&error))?;
        if self.check_outputs(&beside, 3)? != actions {
            return Err(mixed());
        }
        let value = alone.values[0];
        if !value.is_finite() {
            return Err(format!("it says that this position is worth {value}; check its weights"));
        }
        let mut pairs = alone.values.iter().zip(&beside.values).chain(alone.logits.iter().zip(&beside.logits));
        // A logit of an action that is not legal may be infinite.
        let is_same = |a: f32, b: f32| !(a - b).is_finite() || (a - b).abs() <= ROUNDING * a.abs().max(1.0);
        if pairs.all(|(&a, &b)| is_same(a, b)) { Ok(actions) } else { Err(mixed()) }
    }

    /// Checks the shapes of the outputs for some positions. The return value is the number of logits.
    fn check_outputs(&self, outputs: &Outputs, positions: usize) -> Result<Option<usize>, String> {
        let fault = |name: &str, shape: &[usize], wanted: &str| {
            format!("its output '{name}' has the shape {shape:?} for {positions} position(s); export it with {wanted}")
        };
        match outputs.shapes[0][..] {
            [n] | [n, 1] if n == positions => {}
            ref shape => return Err(fault(VALUE, shape, "one value for each position, [N] or [N, 1]")),
        }
        match outputs.shapes.get(1).map(Vec::as_slice) {
            None => Ok(None),
            Some(&[n, actions]) if n == positions => Ok(Some(actions)),
            Some(shape) => Err(fault(POLICY, shape, "a logit for each code of an action, [N, A]")),
        }
    }

    /// The priors of the actions that are legal in a position. An action whose code is beyond the logits has the logit
    /// 0.
    fn write_priors(position: &dyn Session, logits: &[f32], priors: &mut Vec<f32>) {
        let mut actions = Vec::new();
        position.actions(&mut actions);
        priors.clear();
        priors.extend(actions.iter().map(|&code| logits.get(code as usize).copied().unwrap_or(0.0)));
        let most = priors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if most == f32::NEG_INFINITY && priors.iter().all(|prior| !prior.is_nan()) {
            priors.fill(1.0);
        } else {
            softmax(priors);
        }
    }
}

impl SessionEvaluator for OnnxEvaluator {
    fn knowledge(&self) -> Knowledge {
        if self.has_policy { Knowledge::ValuesAndPriors } else { Knowledge::Values }
    }

    fn evaluate(&self, positions: &[&dyn Session], out: &mut Evaluations) {
        let mut batch = Batch::default();
        for &position in positions {
            let first = batch.rows.len();
            let known = self.gather(position, 1.0, &mut batch);
            batch.leaves.push((known, first..batch.rows.len()));
        }
        let outputs = if batch.rows.is_empty() { None } else { self.run(&batch.planes).ok() };
        // The search refuses a value that is no number, in a sentence.
        let value_of = |row: usize| outputs.as_ref().and_then(|outputs| outputs.values.get(row)).copied();
        let value_of = |row: usize| f64::from(value_of(row).unwrap_or(f32::NAN));
        let logits = outputs.as_ref().map_or(&[][..], |outputs| &outputs.logits);
        let actions = logits.len() / batch.rows.len().max(1);
        let mut priors = Vec::new();
        for (&position, (known, rows)) in positions.iter().zip(batch.leaves) {
            let mut value = known;
            for row in rows.clone() {
                let Row { weight, player, scored } = batch.rows[row];
                let own = value_of(row);
                value += weight * (scored + if player == 0 { own } else { 1.0 - own });
            }
            priors.clear();
            if self.has_policy && matches!(position.turn(), Turn::Player(_)) {
                OnnxEvaluator::write_priors(position, &logits[rows.start * actions..][..actions], &mut priors);
            }
            match position.players() {
                1 => out.push(&[value], &priors),
                _ => out.push(&[value, 1.0 - value], &priors),
            }
        }
    }
}

thread_local! {
    /// True while this thread does work whose panics are caught and told in a sentence.
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does some work of the runtime, which asserts what a damaged file breaks; `None` if it panics. Nothing is printed
/// then.
fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                print(panic);
            }
        }));
    });
    IS_QUIET.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(false);
    done.ok()
}

/// Prepares a network for batches of any size.
fn optimized(mut network: InferenceModel, shape: CellsShape) -> TractResult<Arc<TypedRunnableModel>> {
    let positions = network.symbols.sym("N").to_dim();
    let dimensions = tvec!(positions, (shape.kinds + 1).to_dim(), shape.rows.to_dim(), shape.columns.to_dim());
    network.set_input_fact(0, InferenceFact::dt_shape(f32::datum_type(), dimensions))?;
    network.into_optimized()?.into_runnable()
}

/// Checks the input of a network.
fn check_input(graph: &GraphProto, game: &GameEntry, shape: CellsShape) -> Result<(), String> {
    // In older files weights stand among the inputs too.
    let weights: HashSet<&str> = graph.initializer.iter().map(|weights| weights.name.as_str()).collect();
    let inputs: Vec<_> = graph.input.iter().filter(|input| !weights.contains(input.name.as_str())).collect();
    let &[input] = &inputs[..] else {
        return Err(format!("it has {} inputs; export it with one input, the planes of the board", inputs.len()));
    };
    let Some(tensor) = tensor_of(input) else { return Err(no_network()) };
    if tensor.elem_type != DataType::Float as i32 {
        return Err("its input has another type than float32; export it with an input of float32".to_string());
    }
    let Some(given) = &tensor.shape else { return Ok(()) };
    let given: Vec<_> = given.dim.iter().map(|dimension| dimension.value.as_ref()).collect();
    let wanted = [shape.kinds + 1, shape.rows, shape.columns];
    let is_of = |given: Option<&Value>, wanted: usize| !matches!(given, Some(DimValue(n)) if *n != wanted as i64);
    if given.len() != 4 || !given[1..].iter().zip(wanted).all(|(&given, wanted)| is_of(given, wanted)) {
        let text = |dimension: &Option<&Value>| match dimension {
            Some(DimValue(n)) => n.to_string(),
            Some(DimParam(name)) => shortened(name),
            None => "?".to_string(),
        };
        let given: Vec<String> = given.iter().take(8).map(text).collect();
        let [planes, rows, columns] = wanted;
        return Err(format!(
            "its input has the shape [{}], and this board of {} has [N, {planes}, {rows}, {columns}]; export it for \
             the board that is played",
            given.join(", "),
            game.name
        ));
    }
    match given[0] {
        Some(DimValue(n)) => {
            Err(format!("its batch has the fixed size {n}; export it with a dynamic first dimension (dynamic_axes)"))
        }
        _ => Ok(()),
    }
}

/// Removes all outputs but the values and the policy, in this order.
fn keep_outputs(graph: &mut GraphProto) -> Result<(), String> {
    let named = |name: &str| graph.output.iter().find(|output| output.name == name).cloned();
    let (Some(value), policy) = (named(VALUE), named(POLICY)) else {
        let names: Vec<_> = graph.output.iter().take(4).map(|output| shortened(&output.name)).collect();
        return Err(format!(
            "it has no output named 'value' (its outputs: {}); name its outputs when you export it",
            names.join(", ")
        ));
    };
    graph.output = [value].into_iter().chain(policy).collect();
    // The runtime takes it for granted that a node makes each output.
    let made = graph.node.iter().flat_map(|node| &node.output);
    let known: HashSet<&String> = made.chain(graph.initializer.iter().map(|weights| &weights.name)).collect();
    match graph.output.iter().all(|output| known.contains(&output.name)) {
        true => Ok(()),
        false => Err(no_network()),
    }
}

fn tensor_of(input: &ValueInfoProto) -> Option<&type_proto::Tensor> {
    let type_proto::Value::TensorType(tensor) = input.r#type.as_ref()?.value.as_ref()?;
    Some(tensor)
}

/// Checks that actions have logits, along a game from a position. An only action needs none.
fn check_codes(position: &dyn Session, logits: usize) -> Result<(), String> {
    let (mut position, mut rng) = (position.clone_session(), Rng::new(0, 0));
    let mut actions = Vec::new();
    for _ in 0..TRIAL_PLIES {
        if let Turn::Player(_) = position.turn() {
            actions.clear();
            position.actions(&mut actions);
            let beyond = actions.iter().find(|&&code| code as usize >= logits);
            if let (Some(&code), true) = (beyond, actions.len() > 1) {
                let text = position.action_text(code);
                return Err(format!(
                    "its policy has {logits} logits, and the action {text} has the code {code}; export a logit for \
                     each code of an action"
                ));
            }
        }
        let Some(step) = position.random_step(&mut rng) else { break };
        position.apply(step);
    }
    Ok(())
}

fn no_network() -> String {
    "it is no file of ONNX, or it is cut or damaged; export it again".to_string()
}

fn mixed() -> String {
    "what it says of a position depends on the others of its batch; export it in the mode for evaluation (model.eval())"
        .to_string()
}

fn refused(error: &TractError) -> String {
    format!("the runtime refuses it: {}; export it with plain operators and a dynamic batch", reason(error))
}

/// The reason of the runtime for refusing a network, in one line.
fn reason(error: &TractError) -> String {
    let reason = error.root_cause().to_string();
    shortened(reason.lines().next().unwrap_or_default()).trim_end_matches('.').to_string()
}

/// A text of a file or of the runtime in one line of limited length.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|c| !c.is_control()).take(LONGEST_REASON).collect()
}
