//! Specs of games, and what is said where one is at fault.

use boughs::Game;
use boughs_games::photosynthesis::Photosynthesis;
use boughs_games::{GameError, entries, start};

/// Starts a game, and returns its name and the number of actions at its start.
fn started(spec: &str) -> Result<(&'static str, usize), GameError> {
    start(spec).map(|game| (game.entry.name, game.position.legal_moves().len()))
}

fn message(spec: &str) -> String {
    started(spec).expect_err(spec).to_string()
}

#[test]
fn a_spec_names_a_game_and_its_options() {
    assert_eq!(started("hex"), Ok(("hex", 121)));
    assert_eq!(started("Hex:size=7"), Ok(("hex", 49)));
    assert_eq!(started(" hex : size = 3 "), Ok(("hex", 9)));
    assert_eq!(started("connect4:"), Ok(("connect4", 7)));
    assert_eq!(started("matrix:game=Pennies"), Ok(("matrix", 2)));
}

#[test]
fn a_fault_is_named_with_what_would_be_right() {
    let games = "the games are";
    let message_for_typo = message("conect4");
    let suggestion = format!("there is no game 'conect4'; did you mean connect4? {games} ");
    assert!(message_for_typo.starts_with(&suggestion), "{message_for_typo}");
    assert!(entries().iter().all(|entry| message_for_typo.contains(entry.name)), "{message_for_typo}");
    assert!(message("zzz").starts_with(&format!("there is no game 'zzz'; {games} ")), "{}", message("zzz"));
    assert_eq!(
        message("hex:sise=7"),
        "hex has no option 'sise'; did you mean size? its options are size=3..19 (default 11)"
    );
    assert_eq!(message("hex:colour=7"), "hex has no option 'colour'; its options are size=3..19 (default 11)");
    assert!(message("nim:plaeyrs=2").contains("did you mean players? "), "{}", message("nim:plaeyrs=2"));
    assert!(message("ehx").contains("did you mean hex? "), "{}", message("ehx"));
    assert_eq!(message("othello:size=8"), "othello has no option 'size', and takes no options at all");
    for bad in ["2", "20", "-3", "many", "7x"] {
        assert_eq!(
            message(&format!("hex:size={bad}")),
            format!("hex: size must be a number from 3 to 19, not '{bad}'")
        );
    }
    for bad in ["361.5", "362", "-361.5", "--1", "+1", "7.25", ".5", "7.", "4294967295.5", "65535.5"] {
        assert_eq!(
            message(&format!("go:komi={bad}")),
            format!("go: komi must be a number from -361 to 361 or a half between, not '{bad}'")
        );
    }
    for good in ["0", "0.5", "7.0", "7.5", "361", "-0.5", "-361"] {
        assert!(started(&format!("go:komi={good}")).is_ok(), "{good}");
    }
    assert_eq!(message("hex:size=3,size=4"), "hex: size is given twice");
    assert_eq!(message("goofspiel:order=up"), "goofspiel: order must be one of random, descending, not 'up'");
    for (spec, word) in [("hex:7", "7"), ("hex:size=", "size="), ("hex:size=7,", ""), ("hex:=7", "=7")] {
        assert_eq!(
            message(spec),
            format!("'{word}' is not an option of hex; options are written key=value with commas between them")
        );
    }
}

#[test]
fn a_map_is_asked_for_by_any_number() {
    let board = |spec: &str| start(spec).map(|game| game.position.board());
    for seed in [0, -5, i64::MIN, i64::MAX] {
        assert_eq!(board(&format!("photosynthesis:seed={seed}")), Ok(Photosynthesis::new(seed).board()));
    }
    assert_eq!(
        board("photosynthesis:seed=9223372036854775808").expect_err("too large").to_string(),
        "photosynthesis: seed must be a whole number of 64 bits, or any, not '9223372036854775808'"
    );
}

#[test]
fn heaps_and_players_can_be_chosen() {
    let board = |spec: &str| start(spec).map(|game| (game.position.board(), game.position.players()));
    assert_eq!(board("nim"), Ok(("a ooo\nb oooo\nc ooooo\n".to_string(), 3)));
    assert_eq!(board("nim:heaps=1-2,players=2"), Ok(("a o\nb oo\n".to_string(), 2)));
    for bad in ["0", "31", "1-", "3+4", "999", "1-1-1-1-1-1-1-1-1", "200-200"] {
        let what = format!("heaps must be 1 to 8 numbers from 1 to 30 as in 3-4-5, not '{bad}'");
        let error = board(&format!("nim:heaps={bad}"));
        assert_eq!(error, Err(GameError::BadValue { game: "nim".to_string(), what }));
    }
}
