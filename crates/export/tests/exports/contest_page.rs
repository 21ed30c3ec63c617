//! The bot of `docs/CONTEST.md` becomes one file that is short, compiles without a warning and plays.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use boughs_export::verify::{Level, Player, Recording, Turns, build, compile, verify};
use boughs_export::{Judge, Learned, Minify, Request, export};

const PAGE: &str = include_str!("../../../../docs/CONTEST.md");

/// The most characters of the file.
const MOST_CHARACTERS: usize = 50_000;

/// The judge that the file is made for.
const JUDGE: Judge = Judge::CodinGame;

const STONES: u8 = 21;

/// Questions of three games, in some of which no action leads from the last position to the next one.
const GAMES: [&[u8]; 3] = [&[21, 18, 13, 9, 5], &[20, 17, 16, 12, 8, 3, 1], &[15, 11, 21, 14, 2]];

#[test]
fn the_bot_of_the_page_is_exported_short_and_plays_as_its_crate_does() {
    let folder = tempfile::tempdir().expect("a folder");
    write_crate(folder.path());
    let request = Request { folder: folder.path(), bin: None, agent: None, judge: JUDGE, minify: Minify::Full };
    let made = export(&request, &mut Learned::default(), &mut |_| ()).expect("a file");
    assert!(made.characters < MOST_CHARACTERS, "{} characters; the largest parts: {:?}", made.characters, made.parts);
    let (source, binary) = (folder.path().join("bot.rs"), folder.path().join("bot"));
    fs::write(&source, &made.text).expect("a file can be written");
    let arguments = ["--iterations".to_string(), "700".to_string()];
    let program = build(folder.path(), None).expect("a program");
    let player = Player { command: [&[program.display().to_string()], &arguments[..]].concat(), environment: vec![] };
    let turns = Turns { optimised: 17, checked: 5 };
    let same = verify(&source, JUDGE, &arguments, &player, &recording(), turns).expect("equal answers");
    assert_eq!(same.turns, turns);
    compile(&source, JUDGE, Level::Optimised, &binary).expect("no warning");
    assert_eq!(winner(&binary, &["--iterations", "2000"]), 0, "21 stones are won for the first player");
    // On a busy machine an answer in time may be a poor one, but it is legal.
    assert!(winner(&binary, &[]) < 2);
}

fn recording() -> Recording {
    let game = |stones: &&[u8]| stones.iter().map(|stones| format!("> {stones}\n<\n")).collect::<String>();
    Recording::parse(&GAMES.iter().map(game).collect::<Vec<_>>().join("\n")).expect("a recording")
}

/// Writes the crate as the page has it, with the engine of this repository.
fn write_crate(folder: &Path) {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine");
    let package = "[package]\nname = \"nim\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    let manifest = block("toml").replace("../boughs/crates/engine", &engine.display().to_string());
    fs::create_dir(folder.join("src")).expect("a folder can be made");
    fs::write(folder.join("Cargo.toml"), format!("{package}{manifest}")).expect("a file can be written");
    fs::write(folder.join("src/main.rs"), block("rust,no_run")).expect("a file can be written");
}

/// The first block of the page in a language.
fn block(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).expect(language);
    rest.split_once("\n```").expect("the end of a block").0
}

/// Plays a game against a player who takes one stone each turn. Returns the player who takes the last stone; the bot
/// is player 0.
fn winner(bot: &Path, arguments: &[&str]) -> usize {
    let mut command = Command::new(bot);
    let mut bot = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a bot");
    let mut input = bot.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(bot.stdout.take().expect("a pipe")).lines();
    let (mut stones, mut player) = (STONES, 0);
    loop {
        let taken = if player == 0 {
            writeln!(input, "{stones}").expect("the bot reads");
            let answer = answers.next().expect("an answer").expect("text");
            answer.parse().ok().filter(|taken| (1..=stones.min(3)).contains(taken)).expect("a legal answer")
        } else {
            1
        };
        stones -= taken;
        if stones == 0 {
            break;
        }
        player = 1 - player;
    }
    drop(input);
    assert!(bot.wait().expect("an end").success());
    player
}
