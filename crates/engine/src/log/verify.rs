//! Replaying a log on one thread.

use std::io::BufRead;

use super::text::{FORMAT, Fault, Header, Reader, read_list};
use crate::mcts::PlayoutRecord;
use crate::notation::counted;
use crate::reward::to_units;
use crate::run::guarded;
use crate::{MAX_PLAYERS, Position, Rewards, Turn};

/// A log with its header read.
pub struct Log<R> {
    reader: Reader<R>,
    header: Header,
    units: f64,
}

/// The size of a log without faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The number of playouts, all replayed.
    pub playouts: u64,
    /// The number of nodes, all compared.
    pub nodes: u64,
}

impl<R: BufRead> Log<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If this is not a log, or its header is malformed.
    pub fn open(input: R) -> Result<Log<R>, Fault> {
        let mut reader = Reader::new(input);
        let (name, version) = FORMAT.split_once(' ').unwrap_or((FORMAT, ""));
        let found = reader.header_line(name)?;
        if found != version {
            return Err(reader.fault(format!("the log has format '{found}', and this program reads '{version}'")));
        }
        let game = reader.header_line("game")?;
        let position = reader.header_line("position")?;
        let agent = reader.header_line("agent")?;
        let seed = reader.header_line("seed")?;
        let seed = seed.parse().map_err(|_| reader.fault(format!("the seed '{seed}' is not a whole number")))?;
        let units = reader.header_line("units")?;
        let units = match units.parse() {
            Ok(units) if [2.0, 4_294_967_296.0, 16_777_216.0].contains(&units) => units,
            _ => return Err(reader.fault(format!("the units '{units}' should be 2, 4294967296 or 16777216"))),
        };
        Ok(Log { reader, header: Header { game, position, agent, seed }, units })
    }

    /// The searched position and the agent that searched it.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Replays every playout from `start`, the start of the game, and compares the tree.
    ///
    /// # Errors
    /// The first line at fault.
    pub fn verify(self, start: &dyn Position) -> Result<Verified, Fault> {
        let Log { mut reader, header, units } = self;
        let mut start = start.clone_position();
        if let Err(error) = start.play_moves(&header.position) {
            return Err(Fault { line: 3, what: format!("the position is not legal: {error}") });
        }
        let mut trees = Trees { rewards: start.facts().rewards, units, roots: Vec::new(), nodes: Vec::new() };
        let mut line = reader.next()?;
        let mut playouts = 0;
        while line.starts_with("playout ") {
            playouts += 1;
            let record = read_playout(&mut reader, &line, playouts)?;
            // The codes are from outside, and rules may panic where an outcome of chance is none of theirs.
            let replayed = guarded(|| replay(&*start, &record)).map_err(|error| error.to_string());
            let choosers = replayed.and_then(|choosers| choosers).map_err(|what| reader.fault(what))?;
            trees.add(&record, &choosers);
            line = reader.next()?;
        }
        let mut nodes = 0;
        while let Some(node) = line.strip_prefix("node ") {
            nodes += 1;
            trees.compare(node).map_err(|what| reader.fault(what))?;
            line = reader.next()?;
        }
        let expected = format!("end {playouts} {nodes}");
        if line != expected {
            return Err(reader.fault(format!("'{line}' should be '{expected}': lines were lost or added before")));
        }
        trees.require_all_compared().map_err(|what| reader.fault(what))?;
        reader.require_end()?;
        Ok(Verified { playouts, nodes })
    }
}

/// Reads the line of one playout and checks its number and its check word.
fn read_playout<R: BufRead>(reader: &mut Reader<R>, line: &str, expected: u64) -> Result<PlayoutRecord, Fault> {
    let number = line.split(' ').nth(1).unwrap_or("");
    match number.parse::<u64>() {
        Ok(number) if number == expected => {}
        Ok(number) if number < expected => {
            return Err(reader.fault(format!("playout {number} stands twice; playout {expected} should be here")));
        }
        Ok(number) => return Err(reader.fault(format!("playout {expected} is missing before playout {number}"))),
        Err(_) => return Err(reader.fault(format!("'{number}' should be the number of the playout, {expected}"))),
    }
    let words: Vec<&str> = reader.checked(line)?.split(' ').collect();
    let record = match words[..] {
        [_, _, tree, path, moves, rewards] => (|| {
            Some(PlayoutRecord {
                tree: tree.parse().ok()?,
                path: read_list(path)?,
                moves: read_list(moves)?,
                rewards: read_list(rewards)?,
            })
        })(),
        _ => None,
    };
    record
        .ok_or_else(|| reader.fault("a playout should have a number, a tree, a path, moves, rewards and a check word"))
}

/// The number of chance among the choosers.
const CHANCE: usize = MAX_PLAYERS;

/// Plays a recorded game by the rules and returns the player who chose each action of its path.
fn replay(start: &dyn Position, record: &PlayoutRecord) -> Result<Vec<usize>, String> {
    let mut position = start.clone_position();
    let mut legal = Vec::new();
    let mut choosers = Vec::new();
    for (ply, &code) in record.path.iter().chain(&record.moves).enumerate() {
        let chooser = match position.turn() {
            Turn::Player(player) => player,
            Turn::Chance => CHANCE,
            Turn::Over => return Err(format!("the game is over before its ply {}", ply + 1)),
        };
        legal.clear();
        position.actions(&mut legal);
        if chooser == CHANCE && legal.is_empty() {
            // Too many outcomes to list, so there is none to compare with.
            legal.push(code);
        }
        if !legal.contains(&code) {
            return Err(format!("action {code} at ply {} is not legal there", ply + 1));
        }
        position.apply(code);
        choosers.push(chooser);
    }
    legal.clear();
    if position.turn() != Turn::Over {
        position.actions(&mut legal);
        let plies = choosers.len() as u64;
        if !legal.is_empty() && plies < u64::from(start.facts().max_plies) {
            return Err(format!("the game is not over after its {plies} plies"));
        }
    }
    let rewards: Vec<f64> = (0..position.players())
        .map(|player| match position.turn() {
            Turn::Over => position.reward(player),
            Turn::Player(_) | Turn::Chance => position.cut_reward(player),
        })
        .collect();
    // Compared by their bits, so that a NaN is equal to itself.
    let bits = |rewards: &[f64]| rewards.iter().map(|reward| reward.to_bits()).collect::<Vec<_>>();
    if bits(&rewards) != bits(&record.rewards) {
        return Err(format!("the rewards {:?} should be {rewards:?} by the rules", record.rewards));
    }
    choosers.truncate(record.path.len());
    Ok(choosers)
}

/// The trees that the playouts build, as a table of nodes.
struct Trees {
    rewards: Rewards,
    /// The integer that a reward of 1 is kept as.
    units: f64,
    /// The root of each tree so far.
    roots: Vec<(u32, usize)>,
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    visits: u64,
    sum: i64,
    children: Vec<(u32, usize)>,
    compared: bool,
}

impl Trees {
    /// Adds a playout to the nodes of its path.
    fn add(&mut self, record: &PlayoutRecord, choosers: &[usize]) {
        let mut units = [0; MAX_PLAYERS];
        for (units, &reward) in units.iter_mut().zip(&record.rewards) {
            *units = to_units(&self.rewards, reward, self.units).0;
        }
        let mut at = find_or_add(&mut self.roots, record.tree, &mut self.nodes);
        self.nodes[at].visits += 1;
        for (&action, &chooser) in record.path.iter().zip(choosers) {
            let mut children = std::mem::take(&mut self.nodes[at].children);
            let child = find_or_add(&mut children, action, &mut self.nodes);
            self.nodes[at].children = children;
            self.nodes[child].visits += 1;
            self.nodes[child].sum += units.get(chooser).map_or(0, |units: &u64| units.cast_signed());
            at = child;
        }
    }

    /// Compares a line of the dump, without its first word.
    fn compare(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split(' ').collect();
        let malformed = || "a node should have a tree, a path, visits and a sum".to_string();
        let [tree, path, visits, sum] = words[..] else { return Err(malformed()) };
        let (Ok(tree), Some(actions), Ok(visits), Ok(sum)) =
            (tree.parse::<u32>(), read_list::<u32>(path), visits.parse::<u64>(), sum.parse::<i64>())
        else {
            return Err(malformed());
        };
        let find = |list: &[(u32, usize)], name: u32| list.iter().find(|(other, _)| *other == name).map(|&(_, at)| at);
        let root = find(&self.roots, tree);
        let node = actions.iter().try_fold(root, |at, &action| Some(find(&self.nodes[at?].children, action)));
        let Some(node) = node.flatten().map(|at| &mut self.nodes[at]) else {
            return Err(format!("node {path} of tree {tree} is in the dump, but no playout went there"));
        };
        if (node.visits, node.sum) != (visits, sum) {
            return Err(format!(
                "node {path} of tree {tree} has the visits {visits} and the sum {sum}, but its playouts make {} and {}",
                node.visits, node.sum
            ));
        }
        if std::mem::replace(&mut node.compared, true) {
            return Err(format!("node {path} of tree {tree} stands twice"));
        }
        Ok(())
    }

    /// Checks that the dump had every node.
    fn require_all_compared(&self) -> Result<(), String> {
        match self.nodes.iter().filter(|node| !node.compared).count() {
            0 => Ok(()),
            missing => Err(format!("the dump lacks {} that playouts went through", counted(missing, "nodes"))),
        }
    }
}

/// The index of a named child, which is added if it is new.
fn find_or_add(list: &mut Vec<(u32, usize)>, name: u32, nodes: &mut Vec<Node>) -> usize {
    if let Some(&(_, at)) = list.iter().find(|(other, _)| *other == name) {
        return at;
    }
    nodes.push(Node::default());
    list.push((name, nodes.len() - 1));
    nodes.len() - 1
}
