//! The wall: crates above the agents know a game as a `Session` only, so none of their code is compiled for each game.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::house::{code_lines, sources, workspace};

/// The folders of the crates above the wall, and their names in symbols.
const CRATES: [(&str, &str); 6] = [
    ("crates/arena", "boughs_arena"),
    ("crates/lab", "boughs_lab"),
    ("crates/shards", "boughs_shards"),
    ("crates/pages", "boughs_pages"),
    ("crates/serve", "boughs_serve"),
    ("crates/cli", "boughs_cli"),
];

#[test]
fn no_source_above_the_wall_names_the_trait_of_games() {
    let mut files = 0;
    for (folder, _) in CRATES {
        for file in sources(&workspace().join(folder).join("src")) {
            files += 1;
            let text = std::fs::read_to_string(&file).expect("a source can be read");
            // A unit test may have a game of its own.
            let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let code: Vec<&str> = code_lines(text).collect();
            if let Some(fault) = naming_of_a_trait(&code.join("\n")) {
                panic!("{}: {fault}", file.display());
            }
        }
    }
    assert!(files > 100, "the sources were found");
}

/// The first place that imports the trait `Game`, names it by its path, or bounds a type by `NamedGame`. Types of the
/// arena may be called `Game` too.
fn naming_of_a_trait(code: &str) -> Option<String> {
    let words: Vec<&str> = words(code).collect();
    let line = |at: usize| words[at.saturating_sub(6)..(at + 3).min(words.len())].join(" ");
    let mut imported = false;
    for (at, &word) in words.iter().enumerate() {
        imported = match word {
            "use" => words.get(at + 1) == Some(&"boughs") || words.get(at + 2) == Some(&"boughs"),
            ";" => false,
            _ => imported,
        };
        let before = if at == 0 { "" } else { words[at - 1] };
        let is_path = before == "::" && at > 1 && words[at - 2] == "boughs";
        let is_glob = word == "*" && imported;
        if is_glob || word == "Game" && (imported || is_path) {
            return Some(format!("names the trait Game: {}", line(at)));
        }
        let is_bound = [":", "+", "impl", "dyn"].contains(&before) || before == "::" && is_bound_by_path(&words, at);
        if word == "NamedGame" && is_bound {
            return Some(format!("bounds a type by NamedGame: {}", line(at)));
        }
    }
    None
}

/// Returns true if a bound begins before the path that ends with this word: `: boughs_games::NamedGame`.
fn is_bound_by_path(words: &[&str], at: usize) -> bool {
    let mut begin = at;
    while begin > 1 && words[begin - 1] == "::" {
        begin -= 2;
    }
    begin > 0 && [":", "+", "impl", "dyn"].contains(&words[begin - 1])
}

/// The identifiers and signs of a program; `::` is one sign.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let mut rest = code;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let first = rest.chars().next()?;
        let length = match rest.find(|c| !is_letter(c)) {
            _ if rest.starts_with("::") => 2,
            _ if !is_letter(first) => first.len_utf8(),
            end => end.unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        Some(word)
    })
}

#[test]
fn a_trait_of_games_is_found_in_every_spelling() {
    for code in [
        "use boughs::Game;",
        "use boughs::{Action, Game, Turn};",
        "pub use boughs::{self, Game};",
        "use ::boughs::Game as Rules;",
        "use boughs::*;",
        "fn play<G: boughs::Game>(game: G) {}",
        "fn play(game: &impl NamedGame) {}",
        "fn play<G>(game: G) where G: Clone + boughs_games::NamedGame {}",
    ] {
        assert!(naming_of_a_trait(code).is_some(), "{code}");
    }
    for code in [
        "pub use boughs_games::{GameEntry, NamedGame, games};",
        "use boughs::{Session, Turn}; use crate::plan::Game; struct A(Vec<Game>);",
        "let error = ArenaError::Game(error);",
        "impl Game { fn rounds(&self) -> u64 { self.number } }",
    ] {
        assert_eq!(naming_of_a_trait(code), None, "{code}");
    }
}

#[test]
fn no_function_above_the_wall_is_compiled_for_each_game() {
    let Some(functions) = functions() else { return };
    let names: BTreeSet<&str> = CRATES.iter().map(|(_, name)| *name).collect();
    let own: BTreeSet<String> = functions.into_iter().filter(|function| is_of(&names, function)).collect();
    if own.len() < 100 {
        return skip(&format!("the binary has {} functions of the crates above the wall", own.len()));
    }
    if !own.iter().any(|function| function.contains("::<")) {
        return skip("names in the binary have no type arguments; RUSTFLAGS replaced those of .cargo/config.toml");
    }
    let faults = compiled_for_each_game(&own);
    assert!(faults.is_empty(), "{} functions are compiled for each game:\n{}", faults.len(), faults.join("\n"));
}

/// The functions that have instances for two games. Generic code for other reasons, such as writing any value as JSON,
/// has instances that do not differ by a game.
fn compiled_for_each_game(functions: &BTreeSet<String>) -> Vec<String> {
    let mut games = BTreeMap::<String, BTreeSet<String>>::new();
    for function in functions {
        let (without, named) = without_games(function);
        games.entry(without).or_default().extend(named);
    }
    let faults = games.into_iter().filter(|(_, games)| games.len() > 1);
    faults.map(|(name, games)| format!("{name}, for {}", Vec::from_iter(games).join(", "))).collect()
}

/// Takes the types of games out of a symbol: the name with a mark in their place, and the games they are of.
fn without_games(symbol: &str) -> (String, BTreeSet<String>) {
    let games: BTreeSet<&str> = boughs_games::entries().iter().map(|game| module_of(game.name)).collect();
    let (mut name, mut found, mut rest) = (String::new(), BTreeSet::new(), symbol);
    const GAMES: &str = "boughs_games::";
    while let Some(at) = rest.find(GAMES) {
        let (before, path) = rest.split_at(at);
        let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(path.len());
        let game = path[GAMES.len()..end].split("::").next().unwrap_or_default();
        name += before;
        if games.contains(game) {
            found.insert(game.to_string());
            name += "GAME";
            rest = without_arguments(&path[end..]);
        } else {
            name += &path[..end];
            rest = &path[end..];
        }
    }
    (name + rest, found)
}

/// The rest of a symbol after the type arguments with which it begins, if it does.
fn without_arguments(rest: &str) -> &str {
    let mut depth = 0;
    let end = rest.find(|c: char| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth <= 0
    });
    match end {
        Some(end) if rest.starts_with('<') => &rest[end + 1..],
        _ => rest,
    }
}

/// The module of a game in `boughs_games`.
fn module_of(game: &'static str) -> &'static str {
    match game {
        "2048" => "game2048",
        "green-circle" => "green_circle",
        other => other,
    }
}

#[test]
fn instances_that_differ_by_the_game_only_are_found() {
    let faults = |names: &[&str]| compiled_for_each_game(&names.iter().map(|name| name.to_string()).collect());
    let two = [
        "boughs_arena::play::<boughs_games::hex::Hex>",
        "boughs_arena::play::<boughs_games::go::Go<boughs_games::go::points::large::Large>>",
    ];
    assert_eq!(faults(&two), ["boughs_arena::play::<GAME>, for go, hex"]);
    let fine = [
        "boughs_arena::failed::<boughs_arena::error::ArenaError>",
        "boughs_arena::failed::<boughs_games::options::GameError>",
        "boughs_arena::judge::play::<boughs_games::ahc015::case::Case>",
        "boughs_arena::start::<boughs_games::list::StartedGame>",
    ];
    assert!(faults(&fine).is_empty());
}

#[test]
fn the_list_of_games_has_a_module_for_each() {
    for game in boughs_games::entries() {
        let module = workspace().join("crates/games/src").join(module_of(game.name));
        assert!(module.is_dir() || module.with_extension("rs").is_file(), "{}", module.display());
    }
}

#[test]
fn every_worker_of_a_tree_search_is_compiled_once() {
    let Some(functions) = functions() else { return };
    let workers = workers(&functions);
    if workers.is_empty() && !functions.iter().any(|function| function.contains("::<")) {
        return skip("names in the binary have no type arguments; RUSTFLAGS replaced those of .cargo/config.toml");
    }
    assert!((boughs_games::entries().len()..=MOST_WORKERS).contains(&workers.len()), "{workers:#?}");
    let twice: Vec<_> = workers.iter().filter(|(_, instances)| **instances > 1).collect();
    assert!(twice.is_empty(), "another crate than boughs_games coerces the type of a game to dyn Session: {twice:#?}");
}

/// The most workers of tree searches in the program, each for a game and a layout of counters.
const MOST_WORKERS: usize = 50;

/// The workers of tree searches in a binary, with the number of their instances. Of each instance the step of
/// backpropagation has a name of its own, because drivers call it through a table.
fn workers(functions: &[String]) -> BTreeMap<&str, u32> {
    let mut workers = BTreeMap::new();
    for function in functions {
        let worker = function.strip_suffix("::backpropagate").and_then(|name| name.strip_prefix("<boughs::mcts::"));
        if let Some((worker, _)) = worker.and_then(|name| name.split_once(" as boughs::mcts::worker::Worker<")) {
            *workers.entry(worker).or_default() += 1;
        }
    }
    workers
}

#[test]
fn workers_are_counted_by_game_and_layout() {
    let name =
        |worker: &str, step: &str| format!("<boughs::mcts::{worker} as boughs::mcts::worker::Worker<G>>::{step}");
    let [narrow, sets] = ["plain::PlainWorker<G, Narrow>", "information_sets::InformationSetWorker<G>"];
    let names = [
        name(narrow, "backpropagate"),
        name(sets, "backpropagate"),
        name(narrow, "backpropagate"),
        name(narrow, "select"),
    ];
    assert_eq!(workers(&names), BTreeMap::from([(narrow, 2), (sets, 1)]));
}

/// Returns true if a function is one of these crates, or its type arguments name one of them.
fn is_of(crates: &BTreeSet<&str>, function: &str) -> bool {
    let words: Vec<&str> = words(function).collect();
    words.windows(2).any(|pair| pair[1] == "::" && crates.contains(pair[0]))
}

/// Says why the binary is not looked at. Written past the test harness, which hides what passing tests print.
fn skip(why: &str) {
    // A closed standard error has no reader to tell.
    _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// The names of the functions of the release binary, with their type arguments. Without the binary or the program `nm`
/// the test is skipped, and says so.
fn functions() -> Option<Vec<String>> {
    let Some(binary) = release_binary() else {
        skip("there is no release binary newer than the sources; run cargo build --release");
        return None;
    };
    let output = Command::new("nm").arg("--demangle").arg(&binary).output();
    match output {
        Ok(output) if output.status.success() => {
            let lines = String::from_utf8_lossy(&output.stdout);
            return Some(lines.lines().filter_map(code).map(str::to_string).collect());
        }
        Ok(output) => skip(&format!("nm cannot read {}: {}", binary.display(), output.status)),
        Err(error) => skip(&format!("nm cannot be run: {error}")),
    }
    None
}

/// The name on a line of `nm`, if it is code.
fn code(line: &str) -> Option<&str> {
    let mut words = line.splitn(3, ' ');
    let (_, kind, name) = (words.next()?, words.next()?, words.next()?);
    ["t", "T"].contains(&kind).then_some(name)
}

/// The binary that `BOUGHS_BINARY` names, or that of a release build that is newer than every source.
fn release_binary() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("BOUGHS_BINARY") {
        return Some(path.into());
    }
    let program = std::env::current_exe().ok()?;
    // target/debug/deps/promises-0123456789abcdef
    let binary = program.ancestors().nth(3)?.join("release/boughs");
    let built = modified(&binary)?;
    let newest =
        CRATES.iter().flat_map(|(folder, _)| sources(&workspace().join(folder))).filter_map(|file| modified(&file));
    (newest.max()? <= built).then_some(binary)
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}
