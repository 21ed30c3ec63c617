//! Files of networks.
//!
//! A file is compressed by gzip, whose checksum covers all of it. Inside stand one line of JSON, which says of what
//! game and of what tuples the network is, and the weights as numbers of 32 bits, the lowest byte first: those of
//! values, and those of priors if it has any. In a small file a weight has 8 bits, and the line has their unit. A file
//! to go on learning from has the settings and the course of learning in that line, and what temporal coherence keeps
//! after the weights.

use std::io::{self, BufRead, BufReader, Read, Write};

use boughs::notation::counted;
use boughs_games::{CellsShape, StartedGame};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use crate::course::{Learning, Progress};
use crate::error::NetError;
use crate::learner::Learner;
use crate::network::Network;
use crate::table::Table;
use crate::tuples::Tuples;

/// The newest version of the format. Version 2 has stages, and a file of one stage is of version 1.
pub(crate) const VERSION: u32 = 2;

/// The longest first line.
const LONGEST_HEADER: u64 = 1 << 20;

/// The first line of a file.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Header {
    boughs_net: u32,
    game: String,
    columns: usize,
    rows: usize,
    kinds: usize,
    players: usize,
    tuples: Vec<Vec<usize>>,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    stages: usize,
    /// True if weights of priors follow those of values.
    #[serde(default, skip_serializing_if = "is_false")]
    policy: bool,
    /// In a small file, the unit of the weights of each table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    units: Vec<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    learning: Option<Learning>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
}

fn one() -> usize {
    1
}

fn is_one(value: &usize) -> bool {
    *value == 1
}

fn is_false(value: &bool) -> bool {
    !value
}

/// The name and the size of a game, as a person reads them.
fn title(game: &str, columns: usize, rows: usize) -> String {
    format!("{game} on {columns}x{rows} cells")
}

/// Writes a network of a game, to play by.
///
/// # Errors
/// Those of the writer.
pub fn write(network: &Network, game: &str, to: impl Write) -> io::Result<()> {
    write_all(network, game, None, to)
}

/// Writes a network to play by whose weights have 8 bits each.
///
/// # Errors
/// Those of the writer.
pub fn write_small(network: &Network, game: &str, to: impl Write) -> io::Result<()> {
    let units = network.tables().map(unit).collect::<io::Result<Vec<f32>>>()?;
    let mut to = GzEncoder::new(to, Compression::best());
    write_header(&Header { units: units.clone(), ..header(network, game, None) }, &mut to)?;
    for (table, unit) in network.tables().zip(units) {
        let rounded = |weight: f32| (weight.abs() / unit).sqrt().copysign(weight).round() as i8;
        write_weights(table, |weight| Ok(rounded(weight).to_le_bytes()), &mut to)?;
    }
    to.finish()?.flush()
}

/// The greatest number of a weight in a small file.
const MOST: f32 = 127.0;

/// The unit of a table in a small file. A weight is the square of its number there, because most are far less than the
/// greatest one.
fn unit(table: &Table) -> io::Result<f32> {
    let mut greatest = 0.0f32;
    for place in 0..table.len() {
        greatest = greatest.max(finite(table.get(place))?.abs());
    }
    Ok(if greatest > 0.0 { greatest / (MOST * MOST) } else { 1.0 })
}

/// Writes all that is needed to go on learning.
///
/// # Errors
/// Those of the writer.
pub fn write_learner(learner: &Learner, game: &str, progress: &Progress, to: impl Write) -> io::Result<()> {
    write_all(learner.network(), game, Some((learner, progress)), to)
}

fn write_all(network: &Network, game: &str, learner: Option<(&Learner, &Progress)>, to: impl Write) -> io::Result<()> {
    let mut to = GzEncoder::new(to, Compression::fast());
    write_header(&header(network, game, learner), &mut to)?;
    let kept = learner.into_iter().flat_map(|(learner, _)| learner.coherence());
    for table in network.tables().chain(kept) {
        write_weights(table, |weight| Ok(finite(weight)?.to_le_bytes()), &mut to)?;
    }
    to.finish()?.flush()
}

fn write_header(header: &Header, to: &mut impl Write) -> io::Result<()> {
    let mut line = serde_json::to_vec(header)?;
    line.push(b'\n');
    if line.len() as u64 > LONGEST_HEADER {
        return Err(io::Error::other("its tuples are too many for a file; learn with fewer of them"));
    }
    to.write_all(&line)
}

/// A number for a file, which keeps none that is not finite: the file before would be lost for nothing.
fn finite(number: f32) -> io::Result<f32> {
    let diverged = || io::Error::other("its weights have grown beyond all bounds; learn with a smaller --rate");
    if number.is_finite() { Ok(number) } else { Err(diverged()) }
}

/// The first line of the file of a network.
fn header(network: &Network, game: &str, learner: Option<(&Learner, &Progress)>) -> Header {
    let Tuples { shape, cells, stages } = network.tuples();
    let CellsShape { columns, rows, kinds, .. } = *shape;
    Header {
        boughs_net: if *stages > 1 { VERSION } else { 1 },
        game: game.to_string(),
        columns,
        rows,
        kinds,
        players: network.players(),
        tuples: cells.clone(),
        stages: *stages,
        policy: network.policy().is_some(),
        units: Vec::new(),
        learning: learner.map(|(learner, _)| learner.learning()),
        progress: learner.map(|(_, progress)| progress.clone()),
    }
}

/// Numbers that are written and read at a time.
const CHUNK: usize = 1 << 14;

fn write_weights<const BYTES: usize>(
    table: &Table,
    bytes_of: impl Fn(f32) -> io::Result<[u8; BYTES]>,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    for first in (0..table.len()).step_by(CHUNK) {
        bytes.clear();
        let end = (first + CHUNK).min(table.len());
        for place in first..end {
            bytes.extend(bytes_of(table.get(place))?);
        }
        to.write_all(&bytes)?;
    }
    Ok(())
}

fn read_table(table: &Table, from: &mut impl Read) -> Result<(), NetError> {
    let mut bytes = vec![0; CHUNK * 4];
    for first in (0..table.len()).step_by(CHUNK) {
        let end = (first + CHUNK).min(table.len());
        let bytes = &mut bytes[..4 * (end - first)];
        from.read_exact(bytes)?;
        let (numbers, _) = bytes.as_chunks::<4>();
        for (place, &number) in (first..end).zip(numbers) {
            let number = f32::from_le_bytes(number);
            if !number.is_finite() {
                return Err(NetError::Damaged);
            }
            // Most contents never occur, and memory that is not written to takes no room.
            if number != 0.0 {
                table.set(place, number);
            }
        }
    }
    Ok(())
}

/// Reads weights of 8 bits.
fn read_small(network: &Network, units: &[f32], from: &mut impl Read) -> Result<(), NetError> {
    let tables: Vec<&Table> = network.tables().collect();
    if tables.len() != units.len() || !units.iter().all(|unit| (unit * MOST * MOST).is_finite()) {
        return Err(NetError::Damaged);
    }
    let mut bytes = vec![0; CHUNK];
    for (table, unit) in tables.into_iter().zip(units) {
        for first in (0..table.len()).step_by(CHUNK) {
            let end = (first + CHUNK).min(table.len());
            let bytes = &mut bytes[..end - first];
            from.read_exact(bytes)?;
            for (place, &byte) in (first..end).zip(&*bytes).filter(|&(_, &byte)| byte != 0) {
                let number = f32::from(byte as i8);
                table.set(place, number * number.abs() * unit);
            }
        }
    }
    Ok(())
}

/// Checks that a file ends here. The end of the compressed data has the checksum.
fn read_end(from: &mut impl Read) -> Result<(), NetError> {
    if from.read(&mut [0])? > 0 { Err(NetError::Damaged) } else { Ok(()) }
}

type Unpacked<R> = BufReader<GzDecoder<BufReader<R>>>;

/// Reads the first line of a file, and the network without its weights.
fn read_header<R: Read>(
    game: &str,
    shape: CellsShape,
    players: usize,
    from: R,
) -> Result<(Header, Network, Unpacked<R>), NetError> {
    let mut from = BufReader::new(from);
    if !from.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        return Err(NetError::NoNet);
    }
    let mut from = BufReader::new(GzDecoder::new(from));
    let mut line = Vec::new();
    (&mut from).take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
    let version = |line: &[u8]| -> Option<u32> {
        let header: serde_json::Value = serde_json::from_slice(line).ok()?;
        header.get("boughs_net")?.as_u64()?.try_into().ok()
    };
    match version(&line) {
        None => return Err(NetError::NoNet),
        Some(1..=VERSION) => {}
        Some(version) => return Err(NetError::Newer(version)),
    }
    let header: Header = serde_json::from_slice(&line).map_err(|_| NetError::Damaged)?;
    let Header { columns, rows, kinds, .. } = header;
    if (header.game.as_str(), columns, rows) != (game, shape.columns, shape.rows) {
        return Err(NetError::OtherGame(title(&header.game, columns, rows)));
    }
    if (kinds, header.players) != (shape.kinds, players) {
        let board = title(&header.game, columns, rows);
        return Err(NetError::OtherGame(format!(
            "{board} of {} for {}",
            counted(kinds, "kinds"),
            counted(header.players, "players")
        )));
    }
    let tuples = Tuples::new(shape, header.tuples.clone()).ok_or(NetError::Damaged)?.in_stages(header.stages);
    let network = Network::new(&tuples, players);
    let network = if header.policy { network.and_then(Network::with_policy) } else { network };
    let network = network.ok_or(NetError::Memory)?;
    Ok((header, network, from))
}

/// Reads a network of a game on a board of this shape. A file to go on learning from is read too.
///
/// # Errors
/// One sentence about the file.
pub fn read(game: &str, shape: CellsShape, players: usize, from: impl Read) -> Result<Network, NetError> {
    let (header, network, mut from) = read_header(game, shape, players, from)?;
    match &header.units[..] {
        [] => network.tables().try_for_each(|table| read_table(table, &mut from))?,
        units => read_small(&network, units, &mut from)?,
    }
    match header.learning {
        None => read_end(&mut from)?,
        Some(_) => _ = io::copy(&mut from, &mut io::sink())?,
    }
    Ok(network)
}

/// Reads all that is needed to go on learning a game, by this number of threads.
///
/// # Errors
/// One sentence about the file.
pub fn read_learner(start: StartedGame, threads: usize, from: impl Read) -> Result<(Learner, Progress), NetError> {
    let shape = start.entry.cells_shape(&*start.position).ok_or(NetError::NoCells)?;
    let (header, network, mut from) = read_header(start.entry.name, shape, start.position.players(), from)?;
    let (Some(learning), Some(progress)) = (header.learning, header.progress) else { return Err(NetError::NoCourse) };
    if learning.policy != header.policy || !header.units.is_empty() {
        return Err(NetError::Damaged);
    }
    let learner = Learner::resume(start, network, learning, threads)?;
    for table in learner.network().tables().chain(learner.coherence()) {
        read_table(table, &mut from)?;
    }
    read_end(&mut from)?;
    Ok((learner, progress))
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::Rng;
    use boughs_games::{Colours, Symmetries};

    const SHAPE: CellsShape =
        CellsShape { columns: 7, rows: 6, kinds: 3, symmetries: Symmetries::LeftRight, colours: Colours::Differ };

    fn file(stages: usize) -> (Network, Vec<u8>) {
        let mut rng = Rng::new(1, 0);
        let network = Network::new(&Tuples::walks(SHAPE, 5, 6, &mut rng).in_stages(stages), 2).unwrap();
        (0..network.weights().len()).for_each(|place| network.weights().set(place, rng.unit() as f32));
        let mut bytes = Vec::new();
        write(&network, "connect4", &mut bytes).unwrap();
        (network, bytes)
    }

    fn fault(game: &str, shape: CellsShape, bytes: &[u8]) -> String {
        read(game, shape, 2, bytes).unwrap_err().to_string()
    }

    #[test]
    fn weights_that_are_no_numbers_are_not_written() {
        for wrong in [f32::NAN, f32::INFINITY] {
            let (network, _) = file(1);
            network.weights().set(7, wrong);
            for fault in [write(&network, "connect4", io::sink()), write_small(&network, "connect4", io::sink())] {
                let fault = fault.unwrap_err().to_string();
                assert_eq!(fault, "its weights have grown beyond all bounds; learn with a smaller --rate");
            }
        }
    }

    #[test]
    fn tuples_that_would_not_be_read_again_are_not_written() {
        let tuples = Tuples::new(SHAPE, vec![vec![0, 1]; 200_000]).unwrap();
        let network = Network::new(&tuples, 2).unwrap();
        let fault = write(&network, "connect4", io::sink()).unwrap_err().to_string();
        assert_eq!(fault, "its tuples are too many for a file; learn with fewer of them");
    }

    #[test]
    fn a_network_is_read_as_it_was_written() {
        for stages in [1, 3] {
            let (network, bytes) = file(stages);
            let again = read("connect4", SHAPE, 2, &bytes[..]).unwrap();
            assert_eq!((again.tuples(), again.tuples().stages), (network.tuples(), stages));
            let [before, after] = [network.weights(), again.weights()];
            assert!((0..before.len()).all(|place| before.get(place) == after.get(place)));
        }
    }

    #[test]
    fn a_small_file_has_rounded_weights() {
        let network = file(1).0.with_policy().unwrap();
        let mut rng = Rng::new(2, 0);
        let policy = network.policy().unwrap();
        (0..policy.len()).for_each(|place| policy.set(place, 20.0 * rng.unit() as f32 - 10.0));
        let (mut large, mut small) = (Vec::new(), Vec::new());
        write(&network, "connect4", &mut large).unwrap();
        write_small(&network, "connect4", &mut small).unwrap();
        assert!(3 * small.len() < large.len(), "{} {}", small.len(), large.len());
        let again = read("connect4", SHAPE, 2, &small[..]).unwrap();
        for (before, after) in network.tables().zip(again.tables()) {
            let unit = unit(before).unwrap();
            let number = |weight: f32| (weight.abs() / unit).sqrt().copysign(weight);
            let is_near = |place| (number(before.get(place)) - number(after.get(place))).abs() <= 0.51;
            assert!((0..before.len()).all(is_near), "{unit}");
        }
        assert!(fault("connect4", SHAPE, &small[..small.len() - 20]).contains(';'));
    }

    #[test]
    fn learning_goes_on_from_a_file_as_if_it_had_never_stopped() {
        let start = || boughs_games::start("tictactoe").unwrap();
        let shape = start().entry.cells_shape(&*start().position).unwrap();
        let learning = Learning { explore: 0.1, seed: 3, policy: true, ..Learning::default() };
        let network = Network::new(&Tuples::rectangles(shape, 3, 2), 2).unwrap();
        let learner = Learner::new(start(), network, learning, 1).unwrap();
        learner.learn(0..64);
        let progress = Progress { games: 64, ..Progress::default() };
        let mut bytes = Vec::new();
        write_learner(&learner, "tictactoe", &progress, &mut bytes).unwrap();
        let (again, found) = read_learner(start(), 2, &bytes[..]).unwrap();
        assert_eq!((found, again.learning()), (progress, learning));
        for learner in [&learner, &again] {
            learner.learn(64..128);
        }
        let [first, second] = [&learner, &again].map(|learner| {
            let mut bytes = Vec::new();
            write(learner.network(), "tictactoe", &mut bytes).unwrap();
            bytes
        });
        assert!(first == second);
        // It is a network to play by, too, and such a one is none to learn from.
        read("tictactoe", shape, 2, &bytes[..]).unwrap();
        let fault = read_learner(start(), 1, &first[..]).unwrap_err().to_string();
        assert_eq!(fault, "it has no course of learning to go on from; learn into another file");
        assert!(read_learner(start(), 1, &bytes[..bytes.len() - 9]).is_err());
    }

    #[test]
    fn a_cut_or_changed_file_is_refused_in_one_sentence() {
        let (_, bytes) = file(1);
        for length in (0..bytes.len()).step_by(bytes.len() / 200) {
            assert!(fault("connect4", SHAPE, &bytes[..length]).contains(';'), "{length} bytes");
        }
        // Each byte of the end, where the checksum is, and some of the middle.
        let places = (bytes.len() - 8..bytes.len()).chain((40..bytes.len()).step_by(bytes.len() / 200));
        for place in places {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            assert!(read("connect4", SHAPE, 2, &changed[..]).is_err(), "byte {place} of {}", bytes.len());
        }
    }

    #[test]
    fn a_file_of_another_game_or_format_is_refused_in_one_sentence() {
        let (_, bytes) = file(1);
        assert_eq!(
            fault("othello", SHAPE, &bytes),
            "it is a network of connect4 on 7x6 cells; use one of the game at hand"
        );
        assert!(
            fault("connect4", CellsShape { rows: 7, ..SHAPE }, &bytes)
                .starts_with("it is a network of connect4 on 7x6")
        );
        assert!(fault("connect4", SHAPE, b"{\"weights\": []}").starts_with("it is no file of a network"));
        let pack = |text: &str| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        };
        assert!(fault("connect4", SHAPE, &pack("{\"boughs_net\": 3}\n")).starts_with("it has version 3 of the format"));
        assert!(fault("connect4", SHAPE, &pack("{\"boughs_net\": 1}\n")).starts_with("it is cut or damaged"));
        assert!(fault("connect4", SHAPE, &pack("hello\n")).starts_with("it is no file of a network"));
        let huge = "{\"boughs_net\":1,\"game\":\"connect4\",\"columns\":7,\"rows\":6,\"kinds\":3,\"players\":2,\
                    \"tuples\":[[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]]}\n";
        assert_eq!(
            fault("connect4", SHAPE, &pack(huge)),
            "its weights are too many for the memory; use fewer or shorter tuples, or more memory"
        );
    }
}
