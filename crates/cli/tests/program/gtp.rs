//! `boughs gtp`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use boughs::Rng;

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
    let moves = answers("go:size=19 --iterations 20", "genmove b\ngenmove w\nreg_genmove b\n");
    assert!(moves.iter().all(|answer| answer.len() >= 4), "{moves:?}");
}

#[test]
fn each_game_has_the_names_of_its_clients() {
    let othello =
        "\n 1 . . . . . . . .\n 2 . . . . . . . .\n 3 . . . X . . . .\n 4 . . . X X . . .\n 5 . . . X O . . .\n";
    let shown = answers("othello", "all_legal_moves\nplay black d3\nall_legal_moves\nshowboard\n");
    assert_eq!(shown[..3], ["= D3 C4 F5 E6", "=", "= C3 E3 C5"]);
    assert!(
        shown[3].contains(othello.trim_start_matches('\n')) && shown[3].ends_with("\n   A B C D E F G H"),
        "{}",
        shown[3]
    );
    check(
        "hex:size=9",
        &[
            ("play b i1", "="),
            ("play w a9", "="),
            ("undo", "="),
            ("play w j1", "? illegal move"),
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
            ("time_settings 10 nan 1", "="),
            ("time_settings 1 1 0", "="),
            ("time_settings -1 -1 -1", "? syntax error"),
        ],
    );
    let begun = Instant::now();
    answers("go --time 60s", "time_settings 2 0 0\ngenmove b\ngenmove w\ntime_left b 0 0\ngenmove b\n");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
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

/// The program while it runs.
struct Running {
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(args: &str) -> Running {
        let mut program = Command::new(env!("CARGO_BIN_EXE_boughs"))
            .arg("gtp")
            .args(args.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (input, output) = (program.stdin.take(), program.stdout.take());
        let (input, output) = (input.expect("an input"), BufReader::new(output.expect("an output")));
        Running { program, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the program writes");
        line.trim_end().to_string()
    }

    /// Closes the input and returns the rest of the output.
    fn end(mut self) -> String {
        drop(self.input);
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("the program writes");
        assert!(self.program.wait().expect("the program ends").success());
        rest
    }
}

#[test]
fn an_analysis_goes_on_until_the_next_line() {
    let mut program = Running::start("go:size=5");
    for (command, win_rate) in [("lz-analyze b 5", "0000"), ("kata-analyze 5", "."), ("analyze b interval 5", ".")] {
        program.say(command);
        assert_eq!(program.line(), "=", "{command}");
        for _ in 0..3 {
            let line = program.line();
            assert!(line.starts_with("info move ") && line.contains(" visits ") && line.contains(" pv "), "{line}");
            let rate = line.split(" winrate ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a win rate");
            let is_whole = rate.parse::<u16>().is_ok_and(|rate| rate <= 10_000);
            assert!(if win_rate == "." { rate.contains('.') } else { is_whole }, "{command}: {rate}");
        }
        program.say("7 protocol_version");
        let rest = std::iter::repeat_with(|| program.line()).find(|line| !line.starts_with("info "));
        assert_eq!(rest.as_deref(), Some(""), "{command}");
        assert_eq!([program.line(), program.line()], ["=7 2", ""], "{command}");
    }
    program.say("kata-analyze maxmoves 2 rootInfo true pvVisits true interval 1");
    assert_eq!(program.line(), "=");
    let line = program.line();
    assert_eq!(line.matches("info move ").count(), 2, "{line}");
    assert!(line.contains(" rootInfo visits ") && line.contains(" pvVisits "), "{line}");
    // Any line ends it, an empty one too.
    program.say("");
    while !program.line().is_empty() {}
    program.say("lz-analyze b 10 avoid b C3 1");
    assert_eq!([program.line(), program.line()], ["? this engine searches all moves and does not know 'avoid'", ""]);
    // The other colour is analysed too, and the turn stays as it was.
    program.say("lz-analyze w 5");
    assert!(program.line() == "=" && program.line().starts_with("info move "));
    program.say("gogui-rules_side_to_move");
    let rest = std::iter::repeat_with(|| program.line()).find(|line| !line.starts_with("info "));
    assert_eq!((rest.as_deref(), program.line().as_str(), program.line().as_str()), (Some(""), "= black", ""));
    program.say("genmove b\nlz-analyze 5");
    assert!(program.line().len() >= 4);
    assert_eq!([program.line(), program.line()], ["", "="]);
    assert!(program.end().ends_with("\n\n"), "the end of the input ends an analysis");
}

#[test]
fn a_move_is_shown_while_it_is_searched() {
    assert_eq!(answers("hex:size=3", "5 lz-genmove_analyze w\n"), ["?5 illegal move"]);
    assert_eq!(answers("hex:size=3 --agent random", "lz-genmove_analyze b\n")[0].lines().count(), 2);
    for command in ["genmove_analyze b 5", "lz-genmove_analyze b 5", "kata-genmove_analyze b interval 5"] {
        let out = run_with_input("gtp go:size=5 --time 300ms", format!("3 {command}\nfinal_score\n")).expect();
        let lines: Vec<&str> = out.lines().collect();
        let infos = lines.iter().filter(|line| line.starts_with("info move ")).count();
        assert!(infos >= 1 && lines[0] == "=3", "{out}");
        assert_eq!(lines.len(), infos + 5, "{out}");
        assert!(lines[infos + 1].starts_with("play ") && lines[infos + 2].is_empty(), "{out}");
    }
}

#[test]
fn a_client_interrupts_a_move() {
    let begun = Instant::now();
    let mut program = Running::start("go --time 50s");
    program.say("gogui-interrupt");
    assert_eq!([program.line(), program.line()], ["=", ""]);
    program.say("genmove b");
    program.say("# interrupt");
    assert!(program.line().len() >= 4);
    program.end();
    // A line that interrupts nothing waits for its turn.
    let mut program = Running::start("go --time 500ms");
    program.say("genmove b\nname");
    assert!(program.line().len() >= 4);
    assert_eq!([program.line(), program.line()], ["", "= Boughs"]);
    program.end();
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_program_that_ponders_thinks_while_the_other_does() {
    let searched = |args: &str| {
        let mut program = Running::start(&format!("connect4 --iterations 100 {args}"));
        program.say("genmove b");
        assert!(program.line().len() == 4 && program.line().is_empty());
        std::thread::sleep(Duration::from_millis(300));
        program.say("boughs-visits");
        let visits = program.line() + &program.line();
        program.end();
        let numbers = visits.split("LABEL ").nth(1).expect("labels").split(' ');
        numbers.filter_map(|number| number.parse::<u64>().ok()).sum::<u64>()
    };
    assert!(searched("") <= 100);
    assert!(searched("--ponder") > 100);
}

#[test]
fn nothing_that_a_client_sends_ends_the_program() {
    let garbage = [
        b"\xff\xfe\x00name\n".as_slice(),
        b"play\nplay b\nplay b b b b\nboardsize 99999999999999\nkomi inf\ntime_left b nan nan\n",
        b"genmove\ngenmove green\nlz-analyze lz-analyze\n\nkata-set-param\nundo 5\nfixed_handicap -1\n",
        b"=\n?\n# only this\n\t\t\n12\n12 12 12\nset_free_handicap a1 a1\nfinal_score final_score\nquit",
    ]
    .concat();
    let out = run_with_input("gtp go:size=5 --iterations 10", garbage).expect();
    assert!(out.ends_with("=\n\n"), "half a line is a line at the end of the input: {out}");
    let sentence = run_with_input("gtp go", vec![b'a'; 3 << 20]).expect_failure(2);
    assert!(sentence.contains("a line of the input has more than"), "{sentence}");
}

#[test]
fn a_hundred_thousand_lines_with_mistakes_are_answered() {
    let listed = answers("go:size=5", "list_commands\n").remove(0);
    // A clock would give time for searches, of which there are thousands here.
    let is_quick = |name: &&str| *name != "quit" && !name.starts_with("time_");
    let names: Vec<&str> = listed.trim_start_matches("= ").lines().filter(is_quick).collect();
    let words = ["b", "w", "black", "a1", "C3", "e5", "pass", "2", "3", "5", "-1", "0.5", "nan", "c", "on", "maxmoves"];
    let mut rng = Rng::new(23, 0);
    let mut pick = |count: usize| rng.below(count as u32) as usize;
    let mut lines = Vec::new();
    let mut unchanged = Vec::new();
    for number in 0..100_000 {
        let mut line = format!("{number} {}", names[pick(names.len())]);
        for _ in 0..pick(4) {
            line = line + " " + words[pick(words.len())];
        }
        let mut line = line.into_bytes();
        if pick(3) == 0 {
            let at = pick(line.len());
            match pick(3) {
                0 => drop(line.remove(at)),
                1 => line[at] = [b'\t', 0, 0xff, b'#', b'7', b' '][pick(6)],
                _ => line.insert(at, [b'\r', b' ', b'z', b'9'][pick(4)]),
            }
        } else {
            unchanged.push(number);
        }
        lines.extend(line);
        lines.push(b'\n');
    }
    lines.extend(b"\n99 protocol_version\n");
    let out = run_with_input("gtp go:size=3 --iterations 2", lines).expect();
    assert!(out.ends_with("\n\n=99 2\n\n"));
    // Every answer begins with the number of its command, and ends with the only empty line in it.
    let number = |answer: &str| answer.strip_prefix(['=', '?'])?.split(char::is_whitespace).next()?.parse::<u32>().ok();
    let mut numbers = out.split("\n\n").map(|answer| number(answer.trim_start_matches('\n')));
    for wanted in unchanged {
        assert!(numbers.any(|number| number == Some(wanted)), "{wanted} has no answer");
    }
}
