//! The programs play by the lines of their contests, and with a number of playouts they answer what every build of
//! them answers, and what `boughs bot` does (`crates/cli/tests/program/contest_bots.rs`).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../../engine/tests/common/process.rs"]
mod process;

use boughs::checksum::Checksum;
use boughs::{Rng, StopFlag, Turn};
use boughs_agents::AgentSpec;
use boughs_agents::ahc015::{CaseClock, Player};
use boughs_games::ahc015::{Ahc015, CELLS, Case};
use boughs_games::{Verdict, start};
use process::{Running, heeding, piped};

fn spawn(program: &str, args: &str) -> Running {
    Running::start(piped(heeding(program).args(args.split_whitespace())))
}

/// Lets a program play a game against random moves, and returns its answers.
fn answers(program: &str, args: &str, game: &str) -> Vec<String> {
    let game = start(game).unwrap();
    let mut bot = spawn(program, args);
    let mut referee = game.entry.referee(&*game.position, Rng::new(1, 0)).unwrap();
    let mut game = game.position;
    let (mut rng, mut answers) = (Rng::new(1, 1), Vec::new());
    while game.turn() != Turn::Over {
        let action = match game.turn() {
            Turn::Player(0) => {
                bot.write(&referee.question(&*game, 0));
                let answer = bot.line();
                answers.push(answer.clone());
                match referee.judge(&*game, 0, &answer) {
                    Verdict::Done { action, remark } if remark.is_empty() => action,
                    other => panic!("'{answer}' comes to {other:?}"),
                }
            }
            Turn::Player(_) => game.random_action(&mut rng).unwrap(),
            _ => game.chance(&mut rng).unwrap(),
        };
        referee.follow(&*game, action);
        game.apply(action);
    }
    assert!(bot.finish().status.success());
    answers
}

fn checksum(answers: &[String]) -> u64 {
    let mut checksum = Checksum::default();
    checksum.add(answers.join("\n").as_bytes());
    checksum.value()
}

#[test]
fn programs_of_turns_answer_what_every_build_answers() {
    let woods = answers(env!("CARGO_BIN_EXE_photosynthesis-woods"), "--iterations 30", "photosynthesis:seed=9");
    let foresight = answers(env!("CARGO_BIN_EXE_green-circle-foresight"), "--iterations 30", "green-circle:seed=9");
    let found = [woods, foresight].map(|answers| checksum(&answers));
    assert_eq!(found, [0x312a_d229_5887_9e55, 0xb009_fa9a_b9a0_1f22], "{found:#x?} now");
}

#[test]
fn programs_of_cases_answer_what_their_agents_and_every_build_do() {
    let mut found = Vec::new();
    let case = Case::generate(1);
    let line = |numbers: &[u8], end: &str| numbers.iter().map(|number| format!("{number}{end}")).collect::<String>();
    let told = line(&case.flavours, " ") + "\n" + &line(&case.placements, "\n");
    for (agent, program) in
        [("candy", env!("CARGO_BIN_EXE_ahc015-candy")), ("solution3", env!("CARGO_BIN_EXE_ahc015-solution3"))]
    {
        let mut bot = spawn(program, "--iterations 300");
        bot.write(&told);
        let answers = String::from_utf8(bot.finish().stdout).unwrap();
        let mut agent = agent.parse::<AgentSpec>().unwrap().build(&Ahc015::new(case.flavours)).unwrap();
        let clock = CaseClock::playouts(300 * CELLS as u64);
        let mut player = Player::begin(&mut *agent, case.flavours, 0, clock, StopFlag::default()).unwrap();
        let tilts = case.placements.map(|place| player.answer(place).unwrap().tilt.letter().to_string());
        assert_eq!(answers.lines().collect::<Vec<_>>(), tilts, "{program}");
        found.push(checksum(&tilts));
    }
    assert_eq!(found, [0xac22_667e_077b_4d3d, 0x7451_c3d4_c7a5_393f], "{found:#x?} now");
}

#[test]
fn programs_play_in_time_without_an_argument() {
    assert!(!answers(env!("CARGO_BIN_EXE_green-circle-foresight"), "", "green-circle:seed=9").is_empty());
}

#[test]
fn a_wrong_argument_is_an_error_in_one_sentence() {
    let out = spawn(env!("CARGO_BIN_EXE_ahc015-candy"), "--iterations none").finish();
    assert_eq!(out.status.code(), Some(2));
    let says = String::from_utf8(out.stderr).unwrap();
    assert_eq!(says, "the arguments '--iterations none' should be none, or --iterations N with N above 0\n");
}
