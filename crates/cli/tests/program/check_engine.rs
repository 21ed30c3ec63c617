//! `boughs check-engine`.

use serde_json::Value;

use crate::common::{Ran, boughs, json, ran};
use crate::process::side_by_side;

/// An engine of tic-tac-toe that speaks GTP. It evaluates `$1` for each command, before it would answer by itself.
const GTP: &str = r#"
is_over() {
    for who in black white; do
        for line in "A1 A2 A3" "B1 B2 B3" "C1 C2 C3" "A1 B1 C1" "A2 B2 C2" "A3 B3 C3" "A1 B2 C3" "A3 B2 C1"; do
            has=yes
            for point in $line; do case "$stones" in *" $who$point "*) ;; *) has= ;; esac; done
            [ "$has" ] && return 0
        done
    done
    return 1
}
while read -r name colour vertex; do
    number=
    case $name in
        [0-9]*) number=$name; name=$colour; colour=$vertex ;;
        '#'* | '') continue ;;
    esac
    eval "$1"
    case $name in
        protocol_version) echo "=$number 2" ;;
        name | version) echo "=$number engine" ;;
        list_commands) printf '= genmove\nplay\nclear_board\nquit\n' ;;
        known_command) case $colour in boughs*) echo "= false" ;; undo) echo "= false" ;; *) echo "= true" ;; esac ;;
        clear_board) taken=; stones=; echo = ;;
        boardsize | komi | time_settings) echo = ;;
        play)
            case " A1 A2 A3 B1 B2 B3 C1 C2 C3 " in *" $vertex "*) ;; *) echo "? illegal move"; echo; continue ;; esac
            case "$taken" in *" $vertex "*) echo "? illegal move"; echo; continue ;; esac
            taken="$taken $vertex "; stones="$stones $colour$vertex "; echo = ;;
        genmove)
            answer=pass
            is_over || for point in A1 B1 C1 A2 B2 C2 A3 B3 C3; do
                case "$taken" in *" $point "*) ;; *) answer=$point; break ;; esac
            done
            taken="$taken $answer "; stones="$stones $colour$answer "; echo "= $answer" ;;
        quit) echo =; echo; exit ;;
        *) echo "? unknown command" ;;
    esac
    echo
done
"#;

fn check(script: &str, does: &str, more: &[&str]) -> Ran {
    let words = ["sh", "-c", script, "sh", does].map(|word| shlex::try_quote(word).expect("words").to_string());
    let engine = format!("gtp:{}", words.join(" "));
    ran(boughs().args(["check-engine", &engine, "tictactoe", "--time", "200ms", "--grace", "1s"]).args(more))
}

/// All steps of a check, of which there are always as many.
fn steps(ran: &Ran) -> Vec<Value> {
    let said = json(&ran.out);
    let steps = said["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 16, "{said}");
    steps.clone()
}

/// Asserts that a step has this outcome, for this reason.
fn assert_outcome(steps: &[Value], number: usize, outcome: &str, says: &str) {
    let step = &steps[number - 1];
    let why = step["why"].as_str().unwrap_or_default();
    assert!(step["number"] == number && step["outcome"] == outcome && why.contains(says), "{step}");
}

/// The numbers of the steps that failed, with what the engine did.
fn failed(does: &str) -> Vec<(u64, String)> {
    let ran = check(GTP, does, &["--moves", "2", "--json"]);
    let steps = steps(&ran);
    let failed: Vec<(u64, String)> = steps
        .iter()
        .filter(|step| step["outcome"] == "failed")
        .map(|step| (step["number"].as_u64().expect("a number"), step["why"].as_str().expect("a reason").to_string()))
        .collect();
    assert_eq!(ran.code, Some(i32::from(!failed.is_empty())), "{}", ran.err);
    failed
}

/// Asserts that one step fails, for this reason.
fn assert_fails(does: &str, step: u64, says: &str) {
    let failed = failed(does);
    assert!(matches!(&failed[..], [(number, why)] if *number == step && why.contains(says)), "{does}: {failed:?}");
}

#[test]
fn an_engine_that_does_all_of_it_passes() {
    let out = check(GTP, "", &[]);
    assert_eq!((out.code, out.err.as_str()), (Some(0), ""), "{out:?}");
    let lines: Vec<&str> = out.out.lines().collect();
    assert_eq!((lines.len(), lines[0]), (16, " 1  passed   answers protocol_version with 2"), "{out:?}");
    assert_eq!(lines[10], "11  skipped  takes a move back: it does not know undo");
}

#[test]
fn what_an_engine_does_wrong_fails_its_step_alone() {
    side_by_side(
        [
            (r#"[ "$name" = name ] && { echo "=$number "; echo; continue; }"#, 2, "its name is empty"),
            (
                r#"[ "$name" = known_command ] && { case $colour in boughs*) echo "? no"; echo; continue ;; esac; }"#,
                3,
                "it refuses 'known_command boughs-no-such-command': 'no'",
            ),
            (r#"case $name in boughs*) echo =; echo; continue ;; esac"#, 4, "it accepts 'boughs-no-such-command"),
            ("number=", 5, "is answered with the number ''"),
            (r#"[ "$vertex" = z99 ] && { echo =; echo; continue; }"#, 9, "it accepts 'play black z99'"),
            (r#"[ "$vertex" = z99 ] && exit 3"#, 9, "exit status: 3"),
            (r#"[ "$name" = quit ] && { echo =; echo; exec sleep 9; }"#, 16, "it still runs 2 s after 'quit'"),
            (r#"[ "$name" = quit ] && { echo =; echo; exec sleep 9 >&-; }"#, 16, "it still runs 2 s after 'quit'"),
            (r#"[ "$name" = genmove ] && sleep 1.4"#, 13, "ms of 200 ms and a grace of 1000 ms"),
        ],
        |(does, step, says)| assert_fails(does, step, says),
    );
    let no_clocks = r#"[ "$name" = time_settings ] && { echo "? no clocks"; echo; continue; }"#;
    assert_eq!(failed(no_clocks), [], "an engine may know no clocks");
    let games = failed(r#"[ "$name" = genmove ] && { echo "= D7"; echo; continue; }"#);
    assert_eq!(games.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [12, 14, 15], "{games:?}");
    assert!(games[0].1.starts_with("'D7' is not legal here:\n") && games[1].1.contains("after the end"), "{games:?}");
}

#[test]
fn an_engine_without_the_protocol_is_not_asked_for_more() {
    let out = check("while read -r line; do echo hello; echo; done", "", &[]);
    let lines: Vec<&str> = out.out.lines().collect();
    assert_eq!((out.code, lines.len(), lines[1].trim()), (Some(1), 17, "it says 'hello'"), "{out:?}");
    assert!(lines[16].starts_with("16  skipped  ends at quit: the first step failed"), "{out:?}");
    assert!(out.err.ends_with("1 of 16 steps failed\n"), "{out:?}");
    let dies = steps(&check("exit 3", "", &["--json"]));
    assert_outcome(&dies, 1, "failed", "it ended before it answered (exit status: 3)");
    (2..=16).for_each(|number| assert_outcome(&dies, number, "skipped", "the first step failed"));
}

#[test]
fn an_engine_that_finds_no_legal_move_is_not_praised_for_its_time() {
    let steps = steps(&check(GTP, r#"[ "$name" = genmove ] && { echo "= D7"; echo; continue; }"#, &["--json"]));
    assert_outcome(&steps, 12, "failed", "'D7' is not legal here");
    assert_outcome(&steps, 13, "skipped", "it has found no move");
}

/// An engine of tic-tac-toe that speaks UGI, moves at once, and knows no queries.
const HASTY: &str = r#"
while read -r line; do
    case $line in
        ugi) echo "id name hasty"; echo ugiok ;;
        isready) echo readyok ;;
        position*) position="$line " ;;
        go*)
            for cell in 1 2 3 4 5 6 7 8 9; do
                case ${position#*startpos} in *" $cell "*) ;; *) echo "bestmove $cell"; break ;; esac
            done ;;
        quit) exit ;;
    esac
done
"#;

fn moves_before_it_is_told_to_stop_and_does_not_answer() {
    let engine = format!("ugi:{}", shlex::try_join(["sh", "-c", HASTY]).expect("words"));
    let args = ["check-engine", &engine, "tictactoe", "--time", "100ms", "--grace", "1s", "--json"];
    let steps = steps(&ran(boughs().args(args)));
    assert_outcome(&steps, 9, "skipped", "it says nothing of the moves");
    assert_outcome(&steps, 10, "failed", "it moves before it is told to stop");
    assert_outcome(&steps, 11, "skipped", "it moves before it is told to stop");
    assert_outcome(&steps, 12, "passed", "");
    assert_outcome(&steps, 14, "failed", "no answer to 'query p1turn' after 10");
    assert_outcome(&steps, 16, "passed", "");
}

fn writes_something_instead_of_an_answer() {
    let unended = steps(&check("while read -r line; do echo '= 2'; done", "", &["--json"]));
    assert_outcome(&unended, 1, "failed", "it wrote '= 2' and no empty line after it, after 'protocol_version' and 10");
    (2..=16).for_each(|number| assert_outcome(&unended, number, "skipped", "the first step failed"));
}

#[test]
fn answers_that_do_not_come_in_ten_seconds_are_named_with_what_came_instead() {
    side_by_side(
        [moves_before_it_is_told_to_stop_and_does_not_answer, writes_something_instead_of_an_answer],
        |engine| engine(),
    );
}

#[test]
fn the_program_itself_passes_in_every_protocol() {
    let program = env!("CARGO_BIN_EXE_boughs");
    side_by_side(
        [("gtp", "gtp", "go:size=5"), ("gtp", "gtp", "othello"), ("ugi", "ugi", "breakthrough"), ("uai", "ugi", "hex")],
        |(protocol, command, game)| {
            let engine = format!("{protocol}:'{program}' {command} {game}");
            let args = ["check-engine", &engine, game, "--time", "50ms", "--grace", "2s", "--moves", "8", "--json"];
            let said: Value = json(&ran(boughs().args(args)).expect());
            let steps = said["steps"].as_array().expect("steps");
            assert!(steps.len() == 16 && steps.iter().all(|step| step["outcome"] != "failed"), "{said}");
        },
    );
}

#[test]
fn what_is_no_engine_is_refused() {
    let refused = |args: &[&str]| ran(boughs().arg("check-engine").args(args)).expect_failure(2);
    for text in ["mcts", "./good.py", "cmd:./good.py"] {
        let says = "is no engine; write gtp:, ugi: or uai: before its command, as in 'gtp:./engine --flag'";
        assert_eq!(refused(&[text, "go"]), format!("'{text}' {says}"));
    }
    assert!(refused(&["gtp:", "go"]).starts_with("there is no command after 'gtp:'"));
    assert!(refused(&["gtp:./no-such-engine", "go"]).contains("no-such-engine"));
    assert!(refused(&["gtp:cat", "pig"]).starts_with("GTP is for two players"));
    assert!(refused(&["gtp:./no-such-engine", "--time", "1000000000000000000s"]).contains("no-such-engine"));
    assert!(refused(&["ugi:cat", "pig"]).starts_with("UGI is for two players"));
}
