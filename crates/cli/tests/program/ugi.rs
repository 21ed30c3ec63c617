//! `boughs ugi`: UGI, UAI and TEI.

use boughs::{Rng, Turn};

use crate::common::{run, run_with_input, start};

/// The lines that answer some lines.
fn answers(args: &str, lines: &str) -> Vec<String> {
    run_with_input(&format!("ugi {args}"), lines).expect().lines().map(str::to_string).collect()
}

#[test]
fn a_client_is_told_the_name_and_every_key_of_the_agent() {
    for word in ["ugi", "uai", "tei"] {
        let said = answers("breakthrough --agent mcts:c=0.7", &format!("{word}\nisready\n{word}newgame 8\nquit\n"));
        assert!(said[0].starts_with("id name Boughs "), "{said:?}");
        assert!(said.contains(&"option name c type string default 0.7".to_string()), "{said:?}");
        assert!(said.contains(&"option name solver type check default false".to_string()), "{said:?}");
        assert_eq!(said[said.len() - 2..], [format!("{word}ok"), "readyok".to_string()]);
    }
}

#[test]
fn a_move_is_found_in_the_position_of_the_client() {
    let lines = "ugi\nuginewgame\nposition startpos moves 1\ngo nodes 500\n\
                 position startpos moves 1 4 2 5\ngo nodes 50\nquery p1turn\nquery gameover\n\
                 query result\nposition startpos moves 1 4 2 5 3\ngo nodes 5\nquery gameover\nquery result\n\
                 position startpos\ngo nodes 20\nposition startpos moves 1 4 2 5 3 6\ngo nodes 5\n";
    let said = answers("tictactoe", lines);
    let after: Vec<&str> = said.iter().skip_while(|line| *line != "ugiok").skip(1).map(String::as_str).collect();
    let words: Vec<&str> = after[0].split(' ').collect();
    let after: Vec<&str> =
        after[..1].iter().chain(after[1..].iter().filter(|line| !line.starts_with("info depth "))).copied().collect();
    assert_eq!(
        [words[0], words[1], words[3], words[5], words[7], words[9], words[10], words[12]],
        ["info", "depth", "nodes", "nps", "time", "score", "cp", "pv"]
    );
    assert!(words[11].parse::<i64>().is_ok_and(|score| score < 0), "the second player is behind: {}", after[0]);
    assert!(after[1].starts_with("bestmove "), "{after:?}");
    assert_eq!(after[2..6], ["bestmove 3", "response true", "response false", "response none"]);
    assert_eq!(after[6..9], ["bestmove none", "response true", "response p1win"]);
    assert!(after[9].starts_with("bestmove "), "{after:?}");
    assert_eq!(after[10], "info string error: '6' is no legal move after 5 moves");
    assert_eq!(after[11], "bestmove none", "no move for a position that is not known");
}

#[test]
fn options_are_keys_and_faults_are_named() {
    let said = answers(
        "connect4 --agent mcts",
        "setoption name c value 0.3\nsetoption name solver value true\nsetoption name colour value red\n\
         setoption name c value much\nsetoption c\nposition fen 8/8\ngo mate 3\ngo movetime\nquery size\nhello\n\n",
    );
    let (moves, said): (Vec<&String>, Vec<&String>) = said.iter().partition(|line| *line == "bestmove none");
    assert_eq!((said.len(), moves.len()), (8, 2), "a client that waits for a move is told that there is none");
    assert!(said.iter().all(|line| line.starts_with("info string error: ")), "{said:?}");
    assert!(said[0].contains("'colour'") && said[1].contains("'much'"), "{said:?}");
    assert!(said[4].contains("go has no word 'mate'"), "{said:?}");
    assert!(said[7].ends_with("'hello' is no command of ugi"), "{said:?}");
    for go in ["go foo", "go movetime -5", "go nodes -5", "go nodes 5 foo"] {
        let said = answers("tictactoe", &format!("uai\n{go}\n"));
        assert!(said[said.len() - 2].starts_with("info string error: "), "{said:?}");
        assert_eq!(said.last().map(String::as_str), Some("bestmove 0000"), "{go}");
    }
    let said = answers("connect4 --agent mcts", "setoption name C value 0.3\nugi\n");
    assert!(said.contains(&"option name c type string default 0.3".to_string()), "{said:?}");
    assert!(run("ugi pig").expect_failure(2).starts_with("UGI is for two players"));
}

#[test]
fn a_new_game_of_tei_has_the_size_of_the_client() {
    let moves = |game: &str, lines: &str| {
        let said = answers(game, &format!("tei\n{lines}\n"));
        said.into_iter().skip_while(|line| line != "teiok").skip(1).collect::<Vec<_>>()
    };
    let start = "position startpos moves";
    assert!(moves("hex", &format!("teinewgame 5\n{start} e5 a1")).is_empty());
    assert_eq!(
        moves("hex", &format!("teinewgame 5\n{start} f6")),
        ["info string error: 'f6' is no legal move after 0 moves"]
    );
    for (game, size) in [("hex", "2"), ("hex", "big"), ("breakthrough", "6"), ("connect4", "6")] {
        let said = moves(game, &format!("teinewgame {size}\ngo nodes 5"));
        assert_eq!(said, [&*format!("info string error: {game} has no board of size '{size}'"), "bestmove none"]);
    }
    for (game, size) in [("breakthrough", "8"), ("yavalath", "7"), ("hex", "")] {
        assert!(moves(game, &format!("teinewgame {size}")).is_empty(), "{game} {size}");
    }
}

#[test]
fn uai_has_a_word_for_a_pass() {
    // A game in which a player has only a pass.
    let moves_to_a_pass = |stream: u64| {
        let (mut position, mut rng) = (boughs_games::start("othello").unwrap().position, Rng::new(5, stream));
        let mut moves = Vec::new();
        while position.turn() != Turn::Over {
            if position.find_move("pass").is_some() {
                return Some(moves);
            }
            let action = position.random_action(&mut rng).unwrap();
            moves.push(position.action_text(action));
            position.apply(action);
        }
        None
    };
    let moves = (0..100).find_map(moves_to_a_pass).expect("some game has a pass before its end");
    let lines = format!("position startpos moves {}\ngo nodes 50\n", moves.join(" "));
    for (word, pass) in [("uai", "0000"), ("ugi", "pass")] {
        let said = answers("othello", &format!("{word}\n{lines}"));
        assert_eq!(said.last().map(String::as_str), Some(&*format!("bestmove {pass}")), "{said:?}");
        let after = format!("{word}\n{} {pass}\ngo nodes 50\n", lines.lines().next().unwrap());
        let said = answers("othello", &after);
        assert!(said.last().is_some_and(|line| line.starts_with("bestmove ") && line.len() == 11), "{said:?}");
    }
    let said = answers("go:size=2", "uai\nposition startpos moves 0000 0000\ngo nodes 5\n");
    assert_eq!(said.last().map(String::as_str), Some("bestmove 0000"), "the game is over: {said:?}");
}

#[test]
fn a_depth_and_the_clock_of_the_other_end_a_search() {
    let said = answers("breakthrough", "uai\ngo depth 2\ngo wtime 200 btime 60000\ngo btime 100\n");
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 3, "{said:?}");
}

#[test]
fn a_search_stops_when_it_is_told_to_and_answers_meanwhile() {
    let mut program = start("ugi go");
    for (says, answers) in [
        ("go infinite", &["info depth "][..]),
        ("isready", &["readyok", "info depth "]),
        ("stop", &["bestmove "]),
        ("isready\ngo movetime 100", &["readyok", "bestmove "]),
        ("go p1time 2000 p2time 2000 p1inc 10", &["bestmove "]),
        ("go infinite\nquit", &["bestmove "]),
    ] {
        program.say(says);
        for answer in answers {
            while !program.line().starts_with(answer) {}
        }
    }
    let input = program.input.take();
    let output = program.finish();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    drop(input);
}

#[test]
fn a_search_without_a_limit_ends_although_its_stop_stands_behind_many_lines() {
    let lines = format!("ugi\ngo infinite\n{}stop\ngo nodes 3\n", "position startpos\n".repeat(1_000));
    let said = answers("breakthrough --agent mcts:memory=4M", &lines);
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{said:?}");
}

#[test]
fn a_search_ends_when_its_output_is_closed() {
    let mut program = start("ugi go");
    program.say("go infinite");
    drop(program.output.take());
    assert_eq!(program.wait().code(), Some(2));
}

#[test]
fn ten_thousand_lines_with_mistakes_are_no_panic_and_no_hang() {
    send_lines_with_mistakes(10_000);
}

/// `cargo test -p boughs-cli --test program -- --ignored a_hundred_thousand`
#[test]
#[ignore = "takes half a minute"]
fn a_hundred_thousand_lines_with_mistakes_are_no_panic_and_no_hang() {
    send_lines_with_mistakes(100_000);
}

fn send_lines_with_mistakes(count: usize) {
    let words = [
        "ugi",
        "isready",
        "uginewgame",
        "setoption",
        "name",
        "c",
        "value",
        "0.5",
        "position",
        "startpos",
        "moves",
        "1",
        "5",
        "9",
        "go",
        "nodes",
        "2",
        "-7",
        "query",
        "p1turn",
        "gameover",
        "result",
        "stop",
        "fen",
    ];
    let mut rng = Rng::new(23, 2);
    let mut pick = |count: usize| rng.below(count as u32) as usize;
    let mut lines = Vec::new();
    for number in 0..count {
        let text = match number % 4 {
            0 => "position startpos moves 1 5 9".to_string(),
            1 => "go nodes 2".to_string(),
            _ => (0..pick(6)).map(|_| words[pick(words.len())]).collect::<Vec<_>>().join(" "),
        };
        let mut line = text.into_bytes();
        if pick(3) == 0 && !line.is_empty() {
            let at = pick(line.len());
            line[at] = [b'\t', 0, 0xff, b'x', b'7', b' '][pick(6)];
        }
        // A search without a limit would go on until `stop`.
        let text = String::from_utf8_lossy(&line);
        let limited = !text.trim_start().starts_with("go") || text.contains("nodes 2");
        if limited {
            lines.extend(line);
            lines.push(b'\n');
        }
    }
    lines.extend(b"\nquit");
    let out = run_with_input("ugi tictactoe", lines).expect();
    assert!(out.matches("bestmove ").count() > count / 10);
}
