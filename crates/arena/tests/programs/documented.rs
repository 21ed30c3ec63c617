//! The program in `docs/PROTOCOL.md` plays as it stands there.

use std::fs;
use std::time::Duration;

use boughs::Turn;
use boughs_arena::plain::{Greeting, check_ready, chosen, end, greeting, turn};
use boughs_arena::{Bot, Launch, Limit};
use boughs_games::{StartedGame, start};

use crate::common::{AMPLE, program};

const PROTOCOL: &str = include_str!("../../../../docs/PROTOCOL.md");

/// Plays a game between programs, one a seat, and returns the moves.
fn play(StartedGame { entry, mut position }: StartedGame, mut bots: Vec<Bot>) -> Vec<String> {
    let seats = bots.len();
    for (seat, bot) in bots.iter_mut().enumerate() {
        let limit = Limit::Time(Duration::from_millis(50));
        let (answer, _) = bot.ask(&greeting(&Greeting { game: entry.name, seat, seats, limit }), AMPLE).unwrap();
        assert_eq!(check_ready(&answer), Ok(()));
    }
    let mut moves = Vec::new();
    while let Turn::Player(player) = position.turn() {
        let (actions, names): (Vec<_>, Vec<_>) = position.legal_moves().into_iter().unzip();
        let (answer, _) = bots[player].ask(&turn(&moves, &names), AMPLE).unwrap();
        let choice = chosen(&answer, &names).unwrap();
        position.apply(actions[choice]);
        moves.push(names[choice].clone());
    }
    let rewards: Vec<f64> = (0..seats).map(|seat| position.reward(seat)).collect();
    for mut bot in bots {
        bot.tell(&end(&rewards)).unwrap();
        assert_eq!(bot.finish(AMPLE).text, "");
    }
    moves
}

#[test]
fn the_program_of_the_page_plays_a_game_to_its_end() {
    let (_, script) = PROTOCOL.split_once("```sh\n#!/bin/sh\n").unwrap();
    let (script, _) = script.split_once("```").unwrap();
    assert!(script.lines().count() <= 10, "it is as short as it is promised to be");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot.sh");
    fs::write(&path, script).unwrap();
    let program = program(&["sh", path.to_str().unwrap()]);
    let bots = (0..2).map(|_| Bot::start(&Launch { program: &program, cores: &[], time: None }).unwrap()).collect();
    let moves = play(start("tictactoe").unwrap(), bots);
    assert_eq!(moves.join(" "), "1 2 3 4 5 6 7");
}
