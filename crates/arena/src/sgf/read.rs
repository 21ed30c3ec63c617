//! A position from the text of a file.

use boughs::{Session, Turn};
use boughs_games::{StartedGame, start};
use sgf_parse::{GameTree, SgfNode, SgfProp, parse};

use super::{FORMATS, Format, SgfError};

/// The most bytes of a file.
const MOST_BYTES: usize = 1 << 20;

/// The most nodes of a file. Each may be within the one before, and takes room on the stack while the file is read.
pub(super) const MOST_NODES: usize = 4_000;

/// The stack of the thread that reads a file, of which only the part that is used takes memory.
const STACK: usize = 256 << 20;

/// A position of a file: the start of its game, and the actions that lead to it.
#[derive(Clone)]
pub struct SgfPosition {
    /// The game with its options, as in `go:size=13,komi=6.5`.
    pub spec: String,
    /// The start of the game.
    pub start: StartedGame,
    /// The actions, passes for set-up stones included.
    pub actions: Vec<u32>,
    /// The number of actions before each move of the file. Set-up stones are no moves.
    pub moves: Vec<usize>,
}

/// A game with its variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfTree {
    /// The game with its options, as in `go:size=13,komi=6.5`.
    pub spec: String,
    /// The moves, those of the main line first wherever lines part. Passes for set-up stones are moves too.
    pub moves: Vec<TreeMove>,
    /// The faults of variations that were left out.
    pub left_out: Vec<SgfError>,
}

/// A move of a game with variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeMove {
    /// The index of the move that it follows, which is a smaller one; `None` for the first moves.
    pub after: Option<usize>,
    /// The move as the game writes it.
    pub text: String,
}

/// Reads the main line of the first game of a text, up to `before` that move if it is given, counted from 1.
///
/// ```
/// let read = boughs_arena::sgf::read("(;GM[1]SZ[9]KM[5.5];B[ee];W[cc])", "go", None).unwrap();
/// assert_eq!((read.spec.as_str(), read.actions.len()), ("go:size=9,komi=5.5", 2));
/// ```
///
/// # Errors
/// If the text is no SGF, is of another game, or has a move that is not legal.
pub fn read(text: &str, game: &str, before: Option<usize>) -> Result<SgfPosition, SgfError> {
    let format = Format::of(game)?;
    match first_game(text)? {
        GameTree::GoGame(root) => main_line(&root, format, before),
        GameTree::Unknown(root) => main_line(&root, format, before),
    }
}

/// Reads the first game of a text with its variations, whichever of the format's games it is.
///
/// ```
/// let read = boughs_arena::sgf::read_tree("(;GM[1]SZ[9];B[ee](;W[cc])(;W[gg]))").unwrap();
/// let moves: Vec<_> = read.moves.iter().map(|one| (one.after, one.text.as_str())).collect();
/// assert_eq!(moves, [(None, "e5"), (Some(0), "c7"), (Some(0), "g3")]);
/// ```
///
/// # Errors
/// If the text is no SGF, is of another game, or has a move in its main line that is not legal.
pub fn read_tree(text: &str) -> Result<SgfTree, SgfError> {
    match first_game(text)? {
        GameTree::GoGame(root) => tree(&root),
        GameTree::Unknown(root) => tree(&root),
    }
}

/// The first game of a text.
fn first_game(text: &str) -> Result<GameTree, SgfError> {
    // Some programs begin a file with the mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let (deepest, nodes) = depth_and_nodes(text);
    if text.len() > MOST_BYTES || deepest > MOST_NODES || nodes > MOST_NODES {
        return Err(too_large());
    }
    let text = text.to_string();
    let reader = std::thread::Builder::new().stack_size(STACK).spawn(move || parse(&text));
    let reader = reader.map_err(|error| SgfError(format!("the system gives no thread to read a file: {error}")))?;
    let parsed = reader.join().map_err(|_| SgfError("this file cannot be read".to_string()))?;
    let trees = parsed.map_err(|error| SgfError(format!("this is no SGF: {error}")))?;
    trees.into_iter().next().ok_or_else(|| SgfError("the file has no game".to_string()))
}

/// The refusal of a file, or of a game, that is too large for the other direction too.
pub(super) fn too_large() -> SgfError {
    SgfError(format!("a file of SGF has at most {MOST_BYTES} bytes and {MOST_NODES} moves here"))
}

/// The most variations of a text within each other, and the number of its nodes. Those that a comment seems to have do
/// not count.
fn depth_and_nodes(text: &str) -> (usize, usize) {
    let (mut within, mut deepest, mut nodes, mut is_value, mut is_escaped) = (0_usize, 0, 0, false, false);
    for byte in text.bytes() {
        match (byte, is_value) {
            _ if is_escaped => is_escaped = false,
            (b'\\', true) => is_escaped = true,
            (b']', true) => is_value = false,
            (b'[', false) => is_value = true,
            (b'(', false) => {
                within += 1;
                deepest = deepest.max(within);
            }
            (b')', false) => within = within.saturating_sub(1),
            (b';', false) => nodes += 1,
            _ => {}
        }
    }
    (deepest, nodes)
}

/// The values of a property.
fn values<P: SgfProp>(node: &SgfNode<P>, name: &str) -> Vec<String> {
    let Some(property) = node.get_property(name) else { return Vec::new() };
    let text = property.to_string();
    let inner = text.strip_prefix(name).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
    inner.into_iter().flat_map(|inner| inner.split("][")).map(str::to_string).collect()
}

/// Reads the main line of a game.
fn main_line<P: SgfProp>(root: &SgfNode<P>, format: Format, before: Option<usize>) -> Result<SgfPosition, SgfError> {
    let (spec, start) = start_of(root, format)?;
    let mut line = Line::new(format, &start, before);
    for node in root.main_variation() {
        if line.is_enough {
            break;
        }
        line.take(node)?;
    }
    let Line { actions, mut moves, .. } = line;
    // A resignation is no action.
    moves.retain(|&before| before < actions.len());
    Ok(SgfPosition { spec, start, actions, moves })
}

/// Reads a game with its variations. The main line must be right, and variations that are not are left out.
fn tree<P: SgfProp>(root: &SgfNode<P>) -> Result<SgfTree, SgfError> {
    let number = number_of(root);
    let format = FORMATS.into_iter().find(|format| format.number.to_string() == number);
    let format =
        format.ok_or_else(|| SgfError(format!("SGF is for go, hex and othello here, and not for GM[{number}]")))?;
    let (spec, start) = start_of(root, format)?;
    let (mut moves, mut left_out) = (Vec::new(), Vec::new());
    // Nodes to read, each with the line before it, the last of its moves, and whether it is of the main line.
    let mut open = vec![(root, Line::new(format, &start, None), None, true)];
    while let Some((node, mut line, mut after, is_main)) = open.pop() {
        let (count, mut position) = (line.actions.len(), line.position.clone());
        match line.take(node) {
            Ok(()) => {}
            Err(fault) if is_main => return Err(fault),
            Err(fault) => {
                left_out.push(fault);
                continue;
            }
        }
        for &action in &line.actions[count..] {
            moves.push(TreeMove { after, text: position.action_text(action) });
            after = Some(moves.len() - 1);
            position.apply(action);
        }
        if moves.len() > MOST_NODES {
            return Err(SgfError(format!("with its passes the game has more than {MOST_NODES} moves")));
        }
        let children: Vec<_> = node.children().collect();
        let Some((main, others)) = children.split_first() else { continue };
        open.extend(others.iter().rev().map(|&child| (child, line.clone(), after, false)));
        open.push((*main, line, after, is_main));
    }
    Ok(SgfTree { spec, moves, left_out })
}

/// The number of the game of a file in the format, 1 for Go if it has none.
fn number_of<P: SgfProp>(root: &SgfNode<P>) -> String {
    values(root, "GM").into_iter().next().unwrap_or_else(|| "1".to_string())
}

/// The start of the game of a file, from the properties of its first node.
fn start_of<P: SgfProp>(root: &SgfNode<P>, format: Format) -> Result<(String, StartedGame), SgfError> {
    let value = |name: &str| values(root, name).into_iter().next();
    let number = number_of(root);
    if number != format.number.to_string() {
        return Err(SgfError(format!(
            "the file has the game GM[{number}], and {} is GM[{}]",
            format.name, format.number
        )));
    }
    let mut options = Vec::new();
    // Without a size it is the usual one of the game.
    let usual = (format.name == "go").then(|| "19".to_string());
    if let Some(size) = value("SZ").or(usual).filter(|_| format.name != "othello") {
        // A square board may be written with both sides.
        let side =
            size.split_once(':').filter(|(columns, rows)| columns == rows).map_or(&*size, |(columns, _)| columns);
        options.push(format!("size={side}"));
    }
    if let Some(komi) = value("KM").filter(|_| format.name == "go") {
        options.push(format!("komi={}", komi.parse::<f64>().map_or(komi, |komi| komi.to_string())));
    }
    let spec =
        if options.is_empty() { format.name.to_string() } else { format!("{}:{}", format.name, options.join(",")) };
    let start = start(&spec).map_err(|error| SgfError(format!("the file: {error}")))?;
    Ok((spec, start))
}

/// A line of moves as far as it is read.
#[derive(Clone)]
struct Line<'a> {
    format: Format,
    start: &'a StartedGame,
    /// The move before which the line ends, if it is not read to its end.
    before: Option<usize>,
    is_enough: bool,
    position: Box<dyn Session>,
    actions: Vec<u32>,
    /// The number of actions before each move of the file.
    moves: Vec<usize>,
    count: usize,
}

impl<'a> Line<'a> {
    fn new(format: Format, start: &'a StartedGame, before: Option<usize>) -> Line<'a> {
        let position = start.position.clone();
        Line { format, start, before, is_enough: false, position, actions: Vec::new(), moves: Vec::new(), count: 0 }
    }

    /// Reads the properties of a node.
    fn take<P: SgfProp>(&mut self, node: &SgfNode<P>) -> Result<(), SgfError> {
        if let Some(point) = values(node, "AE").first() {
            return Err(SgfError(format!("AE[{point}]: stones cannot be taken off the board here")));
        }
        for (name, colour) in [("AB", 0), ("AW", 1)] {
            // Points have no order in a file, and moves have one.
            let mut points = values(node, name);
            points.sort();
            for point in points {
                self.set_up(colour, &point)?;
            }
        }
        for (name, colour) in [("B", 0), ("W", 1)] {
            for text in values(node, name) {
                self.count += 1;
                self.is_enough |= self.before.is_some_and(|before| self.count >= before);
                if !self.is_enough {
                    self.moves.push(self.actions.len());
                    let fault = format!("move {}, {name}[{text}]", self.count);
                    self.play(colour, &text).map_err(|why| SgfError(format!("{fault}: {why}")))?;
                }
            }
        }
        if let Some(player) = values(node, "PL").first().filter(|_| !self.is_enough) {
            let colour = usize::from(player.starts_with(['W', 'w']));
            self.give_turn(colour).map_err(|why| SgfError(format!("PL[{player}]: {why}")))?;
        }
        Ok(())
    }

    fn apply(&mut self, action: u32) {
        self.position.apply(action);
        self.actions.push(action);
    }

    /// Makes it a colour's turn.
    fn give_turn(&mut self, colour: usize) -> Result<(), String> {
        let skip = self.start.entry.turn_to(&*self.position, colour);
        let skip = skip.ok_or_else(|| "it is not the turn of this colour".to_string())?;
        skip.into_iter().for_each(|action| self.apply(action));
        Ok(())
    }

    fn play(&mut self, colour: usize, text: &str) -> Result<(), String> {
        if ["resign", "forfeit"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Ok(());
        }
        if self.position.turn() == Turn::Over && self.format.is_pass(text) {
            // Some programs pass on when both have.
            return Ok(());
        }
        self.give_turn(colour)?;
        let action = if self.format.is_pass(text) {
            self.position.find_move("pass")
        } else {
            let place = self.format.place(text).ok_or("that is no point")?;
            let legal = self.position.legal_moves().into_iter().map(|(action, _)| action);
            legal.into_iter().find(|&action| self.start.entry.place(&*self.position, action) == Some(place))
        };
        self.apply(action.ok_or("the move is not legal")?);
        Ok(())
    }

    /// Puts a stone on the board, unless it is there already.
    fn set_up(&mut self, colour: usize, point: &str) -> Result<(), SgfError> {
        let name = ["AB", "AW"][colour];
        let fault = |why: &str| SgfError(format!("{name}[{point}]: {why}"));
        let place = self.format.place(point).ok_or_else(|| fault("that is no point"))?;
        let grid = self.start.entry.grid(&*self.position);
        let is_there = grid.is_some_and(|grid| {
            let content = grid.places().zip(&grid.points).find(|(other, _)| *other == place);
            content.is_some_and(|(_, content)| *content == boughs_games::Content::Stone(colour))
        });
        if is_there {
            return Ok(());
        }
        if self.format.name != "go" {
            return Err(fault("only in Go can stones be set up here; give the moves that lead to the position"));
        }
        self.play(colour, point).map_err(|why| fault(&why))
    }
}
