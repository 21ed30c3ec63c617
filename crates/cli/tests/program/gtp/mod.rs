//! `boughs gtp`.

mod faults;
mod records;
mod running;

use crate::common::{run, run_with_input};

/// The answers to some lines, without the empty line after each.
fn answers(args: &str, lines: &str) -> Vec<String> {
    let out = run_with_input(&format!("gtp {args}"), lines).expect();
    let mut answers: Vec<String> = out.split("\n\n").map(str::to_string).collect();
    assert_eq!(answers.pop().as_deref(), Some(""), "{out}");
    answers
}

/// Asserts the answer to each line.
fn check(args: &str, transcript: &[(&str, &str)]) {
    let lines: String = transcript.iter().map(|(line, _)| format!("{line}\n")).collect();
    let answers = answers(args, &lines);
    let expected: Vec<&str> = transcript.iter().map(|(_, answer)| *answer).collect();
    assert_eq!(answers, expected, "{args}");
}

#[test]
fn go_is_played_as_the_specification_says() {
    check(
        "go --iterations 100",
        &[
            ("protocol_version", "= 2"),
            ("1 name", "=1 Boughs"),
            ("known_command genmove", "= true"),
            ("known_command gogui-rules_board", "= true"),
            ("known_command nothing", "= false"),
            ("known_command", "= false"),
            ("2 nothing", "?2 unknown command"),
            ("3", "?3 a command has to follow the number"),
            ("boardsize 5 # small", "="),
            ("boardsize 20", "? unacceptable size"),
            ("boardsize 1", "? unacceptable size"),
            ("boardsize 5 6", "? unacceptable size"),
            ("boardsize five", "? syntax error"),
            ("komi 0.5", "="),
            ("komi -3", "="),
            ("komi 1000", "? go: komi must be a number from -361 to 361 or a half between, not '1000'"),
            ("komi", "? syntax error"),
            ("play b c3", "="),
            ("play White C3", "? illegal move"),
            ("play w F1", "? illegal move"),
            ("play w i1", "? illegal move"),
            ("play green a1", "? 'green' is no colour; say black or white"),
            ("play b", "? syntax error"),
            ("play b c4", "="),
            ("gogui-rules_board", "= . . . . .\n. . X . .\n. . X . .\n. . . . .\n. . . . ."),
            ("gogui-rules_side_to_move", "= white"),
            ("final_score", "= B+28"),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("undo", "="),
            ("undo", "? cannot undo"),
            ("set_free_handicap a1 e5", "="),
            ("final_status_list alive", "= E5 A1"),
            ("final_status_list dead", "="),
            ("final_status_list sleeping", "? syntax error"),
            ("gogui-rules_side_to_move", "= white"),
            ("undo", "? cannot undo"),
            ("fixed_handicap 2", "? board not empty"),
            ("clear_board", "="),
            ("set_free_handicap a1 b1 b1", "? illegal move"),
            ("set_free_handicap a1 pass", "? syntax error"),
            ("undo", "? cannot undo"),
            ("fixed_handicap 2", "? invalid number of stones"),
            ("boardsize 9", "="),
            ("fixed_handicap 2", "= C3 G7"),
            ("clear_board", "="),
            ("play b pass", "="),
            ("play w PASS", "="),
            ("genmove b", "= pass"),
            ("gogui-rules_legal_moves", "="),
            ("gogui-rules_final_result", "= B+3"),
            ("play b pass", "="),
            ("undo", "="),
            ("play b c3", "="),
            ("final_score", "= B+84"),
            ("play b pass", "="),
            ("play b c4", "="),
            ("undo", "="),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("play b resign", "="),
            ("list_games", "= Go"),
            ("set_game go", "="),
            ("set_game chess", "? this session plays go; start another one for another game"),
            ("gogui-rules_game_id", "= Go"),
            ("gogui-rules_board_size", "= 9"),
            ("quit", "="),
        ],
    );
}

#[test]
fn a_large_board_has_the_letters_of_go() {
    check(
        "go:size=19 --iterations 20",
        &[
            ("play b j10", "="),
            ("play w T19", "="),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("fixed_handicap 9", "? board not empty"),
            ("boardsize 9", "="),
            ("play b k1", "? illegal move"),
            ("boardsize 19", "="),
            ("fixed_handicap 9", "= D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        ],
    );
    check(
        "go",
        &[
            ("place_free_handicap 12", "= C3 G7 C7 G3 C5 G5 E3 E7 E5"),
            ("final_status_list alive", "= C7 E7 G7 C5 E5 G5 C3 E3 G3"),
            ("place_free_handicap 2", "? board not empty"),
            ("clear_board", "="),
            ("fixed_handicap 12", "? invalid number of stones"),
            ("place_free_handicap 81", "? invalid number of stones"),
            ("place_free_handicap 1", "? invalid number of stones"),
            ("place_free_handicap 2", "= C3 G7"),
            ("boardsize 8", "="),
            ("place_free_handicap 9", "= C3 F6 C6 F3"),
        ],
    );
    let moves = answers("go:size=19 --iterations 20", "genmove b\ngenmove w\nreg_genmove b\n");
    assert!(moves.iter().all(|answer| answer.len() >= 4), "{moves:?}");
}

#[test]
fn each_game_has_the_names_of_its_clients() {
    let othello =
        "\n 1 . . . . . . . .\n 2 . . . . . . . .\n 3 . . . X . . . .\n 4 . . . X X . . .\n 5 . . . X O . . .\n";
    let shown = answers("othello", "all_legal_moves\nplay black d3\nall_legal_moves\nshowboard\n");
    assert_eq!(shown[..3], ["= D3 C4 F5 E6", "=", "= C3 E3 C5"]);
    assert!(shown[3].starts_with(&format!("= {othello}")), "{}", shown[3]);
    assert!(shown[3].ends_with("\n   A B C D E F G H"), "{}", shown[3]);
    check(
        "hex:size=9",
        &[
            ("play b i1", "="),
            ("play w a9", "="),
            ("undo", "="),
            ("play w j1", "? illegal move"),
            ("play b a2", "? illegal move: it is not the turn of black"),
            ("boardsize 4 4", "="),
            ("final_score", "? cannot score"),
            ("komi 6.5", "="),
        ],
    );
    check(
        "connect4",
        &[
            ("all_legal_moves", "= A1 B1 C1 D1 E1 F1 G1"),
            ("play b D1", "="),
            ("play w D1", "? illegal move"),
            ("play w D2", "="),
            ("boardsize 7 6", "="),
            ("boardsize 7", "="),
            ("boardsize 6", "? unacceptable size"),
        ],
    );
    // The size of a board is its drawn width.
    check(
        "yavalath",
        &[
            ("boardsize 9", "="),
            ("boardsize 5", "="),
            ("gogui-rules_board_size", "= 5 hex"),
            ("boardsize 7 7", "="),
            ("gogui-rules_board_size", "= 7 hex"),
            ("boardsize 6", "? unacceptable size"),
            ("boardsize 3", "? unacceptable size"),
        ],
    );
    check("breakthrough", &[("boardsize 8", "="), ("boardsize 9", "? unacceptable size")]);
    let breakthrough = answers("breakthrough --iterations 50", "play w a2a3\ngenmove b\ngogui-rules_board\n");
    assert_eq!((&*breakthrough[0], &*breakthrough[2]), ("=", "? unknown command"));
    assert!(breakthrough[1].len() == 6, "{}", breakthrough[1]);
}

#[test]
fn gogui_sees_every_grid_with_its_own_names() {
    check(
        "othello",
        &[
            ("gogui-rules_game_id", "= Othello"),
            ("gogui-rules_board_size", "= 8"),
            ("gogui-rules_legal_moves", "= D6 C5 F4 E3"),
            ("play b d6", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("gogui-rules_legal_moves", "= C6 E6 C4"),
            ("gogui-rules_final_result", "? the game is not over"),
        ],
    );
    check(
        "hex:size=9",
        &[
            ("gogui-interrupt", "="),
            ("play b j9", "="),
            ("play w i1", "? illegal move"),
            ("gogui-rules_board_size", "= 9 hex"),
            ("boardsize 2", "? unacceptable size"),
            ("boardsize 3", "="),
            ("play b a3", "="),
            ("gogui-rules_board", "= X . .\n. . .\n. . ."),
        ],
    );
    check("connect4", &[("gogui-rules_board_size", "= 7 6 rect"), ("boardsize 7", "="), ("play b g1", "=")]);
}

#[test]
fn a_game_that_is_over_ends_for_the_client_too() {
    // Black has three in a row.
    let won = "play b a1\nplay w b1\nplay b a2\nplay w b2\nplay b a3\n";
    let said =
        answers("tictactoe", &format!("{won}genmove w\ngenmove b\nplay w pass\ngenmove b\nundo\nundo\ngenmove b\n"));
    assert_eq!(said[5..11], ["= resign", "= pass", "=", "= pass", "=", "="]);
    assert!(said[11].len() == 4, "{said:?}");
}

#[test]
fn every_game_of_a_session_has_other_random_numbers() {
    let game = "clear_board\ngenmove b\ngenmove w\ngenmove b\ngenmove w\n";
    let played = answers("go:size=5 --agent random", &game.repeat(3));
    assert_ne!(played[..5], played[5..10], "{played:?}");
    assert_eq!(played, answers("go:size=5 --agent random", &game.repeat(3)));
}

#[test]
fn all_clocks_are_taken_by_all_games() {
    check(
        "hex:size=3",
        &[
            ("time_settings 0 1 25", "="),
            ("time_left b 1 25", "="),
            ("time_left black 0.5", "? syntax error"),
            ("time_settings 10 nan 1", "? syntax error: a time is a number of seconds, 0 or more"),
            ("time_settings -1 5 1", "? syntax error: a time is a number of seconds, 0 or more"),
            ("time_settings 5 -0.5 1", "? syntax error: a time is a number of seconds, 0 or more"),
            ("time_settings 1 1 0", "="),
            ("time_settings -1 -1 -1", "? syntax error"),
        ],
    );
    // The time of the command is longer than any test waits.
    answers("go --time 1h", "time_settings 2 0 0\ngenmove b\ngenmove w\ntime_left b 0 0\ngenmove b\n");
}

#[test]
fn parameters_are_those_of_the_agent() {
    check(
        "tictactoe --agent mcts:c=1 --iterations 50",
        &[
            ("kata-get-param c", "= 1"),
            ("kata-set-param c 0.5", "="),
            ("kata-get-param c", "= 0.5"),
            ("kata-get-param colour", "? the agent has no key 'colour'"),
            ("kata-set-param c", "? syntax error"),
            ("boughs-params c 2", "="),
            ("kata-get-param c", "= 2"),
        ],
    );
    let fault = answers("tictactoe", "kata-set-param c much\n");
    assert!(fault[0].starts_with("? ") && fault[0].contains("'much'"), "{fault:?}");
}

#[test]
fn gogui_sees_the_tree() {
    let lines = "genmove b\nboughs-visits\nboughs-win_rates\nboughs-variation\nboughs-params\ngogui-analyze_commands\n";
    let seen = answers("tictactoe --iterations 500 --seed 1", lines);
    assert_eq!(seen[0].len(), 4, "{}", seen[0]);
    assert!(seen[1].starts_with("= INFLUENCE ") && seen[1].contains("\nLABEL "), "{}", seen[1]);
    assert_eq!(seen[2].lines().count(), 3, "{}", seen[2]);
    assert!(seen[3].starts_with("= w "), "{}", seen[3]);
    assert!(seen[4].contains("[string] c "), "{}", seen[4]);
    assert!(seen[5].lines().all(|line| line.split('/').count() == 3), "{}", seen[5]);
    assert!(seen[5].contains("dboard/") && !seen[2].contains("-0.00"), "{seen:?}");
    // Where moves are no points, only what needs none is in the menu, and works.
    for game in ["breakthrough", "nim:players=2"] {
        let menu = answers(game, "gogui-analyze_commands\n").remove(0);
        assert_eq!(menu.lines().count(), 3, "{menu}");
        for line in menu.trim_start_matches("= ").lines() {
            let command = line.split('/').nth(2).unwrap();
            assert!(!line.starts_with("dboard") && answers(game, command)[0].starts_with("= "), "{line}");
        }
    }
}

#[test]
fn a_hopeless_game_is_resigned_where_that_is_asked_for() {
    // Black has two threats.
    let lines = "play b a1\nplay w b1\nplay b b2\nplay w c3\nplay b a3\ngenmove w\n";
    let answer = |args: &str| answers(&format!("tictactoe --iterations 2000 {args}"), lines).pop();
    assert_eq!(answer("--resign 45").as_deref(), Some("= resign"));
    assert_ne!(answer("").as_deref(), Some("= resign"));
}

#[test]
fn other_kinds_of_games_do_not_speak_gtp() {
    for game in ["kuhn", "pig", "2048", "goofspiel", "nim:players=3"] {
        let sentence = run(&format!("gtp {game}")).expect_failure(2);
        assert!(sentence.starts_with("GTP is for two players"), "{sentence}");
    }
    assert!(run("gtp chess").expect_failure(2).starts_with("there is no game 'chess'"));
}
