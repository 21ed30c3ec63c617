//! Games of referees that are programs of their own, in both protocols of cg-brutaltester.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{Ran, boughs, json, ran};

/// Takes one to three of fifteen sticks until none is left, by the older protocol. Who takes the last one wins.
const OLD: &str = r####"
read -r name seed; read -r name seats
case $seed in *[!0-9]* | '') echo "no seed" >&2; exit 4 ;; esac
sticks=15 turn=0
while :; do
    echo "###Input $turn"; echo "$sticks left"
    echo "###Output $turn 1"; read -r take
    case $take in
        1 | 2 | 3) ;;
        *) echo "###Error $turn it took '$take'"; echo "###End $((1 - turn)) $turn"; exit ;;
    esac
    sticks=$((sticks - take))
    [ $sticks -le 0 ] && { echo "###End $turn $((1 - turn))"; exit; }
    turn=$((1 - turn))
done
"####;

/// The same game by the newer protocol.
const NEW: &str = r#"
trap '' PIPE
while [ $# -gt 0 ]; do
    case $1 in -p1) first=$2 ;; -p2) second=$2 ;; -d) seed=$2 ;; -l) log=$2 ;; esac
    shift 2
done
case $seed in seed=*[!0-9]* | '') echo "no seed" >&2; exit 4 ;; esac
pipes=$(mktemp -d)
mkfifo "$pipes/in0" "$pipes/out0" "$pipes/in1" "$pipes/out1"
$first <"$pipes/in0" >"$pipes/out0" &
$second <"$pipes/in1" >"$pipes/out1" &
exec 3>"$pipes/in0" 4<"$pipes/out0" 5>"$pipes/in1" 6<"$pipes/out1"
rm -r "$pipes"
sticks=15 turn=0 scores=
while [ -z "$scores" ]; do
    case $turn in
        0) echo "$sticks left" >&3; read -r take <&4 ;;
        1) echo "$sticks left" >&5; read -r take <&6 ;;
    esac
    case $take in
        1 | 2 | 3) sticks=$((sticks - take)) ;;
        *)
            echo "{\"errors\":{\"$turn\":[\"it took '$take'\"]}}" >"$log"
            scores="$((turn * 2 - 1)) $((1 - turn * 2))" ;;
    esac
    [ $sticks -le 0 ] && scores="$((1 - turn)) $turn"
    turn=$((1 - turn))
done
echo "${scores% *}"; echo "${scores#* }"; echo "$seed"
"#;

/// Leaves a multiple of four wherever it can.
const CLEVER: &str = r#"while read -r left rest; do take=$((left % 4)); [ $take = 0 ] && take=1; echo $take; done"#;

/// Takes one stick.
const SIMPLE: &str = "echo hello >&2; while read -r line; do echo 1; done";

/// Writes a script that can be started by its path.
fn script(folder: &Path, name: &str, text: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script that runs");
    path.display().to_string()
}

struct Table {
    folder: tempfile::TempDir,
    referee: String,
}

impl Table {
    fn new(referee: &str) -> Table {
        let folder = tempfile::tempdir().expect("a folder");
        let referee = format!("cmd:{}", script(folder.path(), "referee", referee));
        Table { folder, referee }
    }

    fn play(&self, [a, b]: [&str; 2], more: &[&str]) -> Ran {
        let a = format!("cmd:{}", script(self.folder.path(), "a", a));
        let b = format!("cmd:{}", script(self.folder.path(), "b", b));
        ran(boughs().args(["match", "--referee", &self.referee, &a, &b, "--concurrency", "2"]).args(more))
    }
}

fn counts(result: &Value) -> [u64; 3] {
    ["wins", "draws", "losses"].map(|name| result["games"][name].as_u64().expect("a count"))
}

#[test]
fn a_match_is_played_by_either_protocol() {
    for referee in [OLD, NEW] {
        let table = Table::new(referee);
        let result = json(&table.play([CLEVER, SIMPLE], &["--games", "10", "--json"]).expect());
        assert_eq!(counts(&result), [10, 0, 0], "{result}");
        for side in 0..2 {
            let moves = result["sides"][side]["moves"].as_u64().expect("moves");
            assert!((30..=60).contains(&moves), "each side has three moves a game or more: {result}");
            assert!(result["sides"][side]["longest_ms"].as_f64() > Some(0.0), "{result}");
        }
    }
}

#[test]
fn a_store_keeps_the_games_and_says_how_to_play_them_again() {
    for referee in [OLD, NEW] {
        let table = Table::new(referee);
        let store = table.folder.path().join("games.db").display().to_string();
        let args = ["--games", "4", "--store", &store, "--json", "--seed", "7"];
        assert_eq!(json(&table.play([CLEVER, SIMPLE], &args).expect())["kept"], 0);
        let again = json(&table.play([CLEVER, SIMPLE], &args).expect());
        assert_eq!((&again["kept"], counts(&again)), (&Value::from(4), [4, 0, 0]), "{again}");
        let other = json(&table.play(["while read -r line; do echo 2; done", SIMPLE], &args).expect());
        assert_eq!(other["kept"], 0, "a program has changed");
        let kept = boughs_arena::Store::open(&store).expect("a store");
        let event = kept.events().expect("the matches of the store").remove(0);
        let replay = kept.games(event.id).nth(1).expect("a game").expect("a game that can be read").replay;
        let words = shlex::split(&replay).expect("words");
        assert_eq!(words[1..3], ["match", "--referee"]);
        let shown = ran(boughs().args(&words[1..])).expect();
        assert!(shown.starts_with("game 1 of cmd:") && shown.contains("the game is over"), "{shown}");
        assert!(shown.contains(" moves      1 2 1 2 1 2 1 2 1 2\n"), "{shown}");
    }
    let table = Table::new(OLD);
    let won = json(&table.play([CLEVER, SIMPLE], &["--sprt", "0,50", "--json"]).expect());
    assert!(won["sprt"].is_object() && counts(&won)[2] == 0, "{won}");
}

#[test]
fn what_a_player_does_wrong_loses_the_game() {
    for referee in [OLD, NEW] {
        let table = Table::new(referee);
        let result =
            json(&table.play([SIMPLE, "while read -r line; do echo 9; done"], &["--games", "2", "--json"]).expect());
        assert_eq!(counts(&result), [2, 0, 0]);
        let side = &result["sides"][1];
        assert_eq!(side["faults"]["failed"], 2, "{result}");
        assert!(side["last_fault"].as_str().is_some_and(|fault| fault.contains("it took '9'")), "{result}");
    }
    let table = Table::new(OLD);
    let time = ["--games", "2", "--time", "100ms", "--json"];
    let slow = "read -r line; echo 1; while read -r line; do sleep 3; echo 1; done";
    assert_eq!(json(&table.play([SIMPLE, slow], &time).expect())["sides"][1]["faults"]["late"], 2);
    let short = "read -r line; echo 1; exit 3";
    assert_eq!(json(&table.play([SIMPLE, short], &time).expect())["sides"][1]["faults"]["exited"], 2);
}

#[test]
fn an_empty_line_is_an_answer_too() {
    let referee = r####"read -r seed; read -r start
echo "###Output 0 2"; IFS= read -r first; IFS= read -r second
echo "###Output 1 1"; IFS= read -r third
[ "$first" = a ] && [ -z "$second$third" ] && echo "###End 0 1""####;
    let table = Table::new(referee);
    let result = json(
        &table
            .play(["echo a; echo; read -r x", "echo; read -r x"], &["--games", "1", "--only", "0", "--json"])
            .expect(),
    );
    assert_eq!(result["rewards"], serde_json::json!([1.0, 0.0]), "{result}");
}

#[test]
fn a_relay_ends_its_player_when_the_referee_is_gone() {
    use crate::common::program;
    use crate::process::{Running, piped, wait_until};

    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().display().to_string();
    // It writes on for ever, and takes no end of its output for one.
    let number = folder.path().join("number").display().to_string();
    let player = format!("trap '' PIPE; echo $$ >{number}; while :; do echo 1; sleep 0.01; done");
    let mut relay = Running::start(piped(program().args(["relay", &place, "0", "--", "sh", "-c", &player])));
    drop(relay.output.take());
    assert_eq!(relay.wait().code(), Some(2));
    let number = std::fs::read_to_string(number).expect("the number of the player");
    let player = rustix::process::Pid::from_raw(number.trim().parse().expect("a number")).expect("a process");
    wait_until("the player is gone", || rustix::process::test_kill_process(player).is_err());
}

#[test]
fn a_referee_that_fails_ends_the_match_with_its_words() {
    for (referee, says) in [
        ("echo 5 left | $2 >/dev/null; exit 3", "it ended without a result (exit status: 3)"),
        ("echo 'no maps here' >&2; exit 3", "(exit status: 3), and said last 'no maps here'"),
        ("echo '###Sing 1'", "it said '###Sing 1', which is no order"),
        ("echo '###Input 5'", "it named seat 5 of 2"),
        ("echo '###End 0 0'", "it ended with '0 0', which is no order of all seats"),
        ("echo draw; echo draw", "it said 'draw' and not a score"),
        ("echo dead heat; echo 1", "it said 'dead heat' and not a score"),
        ("read -r seed; echo 'no map' >&2", "it ended without a result (exit status: 0), and said last 'no map'"),
        ("echo 1", "it gave 1 of 2 scores"),
        ("echo 'no more' >&2; echo 1", "it gave 1 of 2 scores, and said last 'no more'"),
    ] {
        let sentence = Table::new(referee).play([SIMPLE, SIMPLE], &["--games", "2"]).expect_failure(2);
        assert!(sentence.starts_with("the referee cmd:") && sentence.contains(says), "{referee}: {sentence}");
        assert!(!sentence.contains("hello"), "a player says that: {sentence}");
    }
}

#[test]
fn what_does_not_go_with_a_referee_is_refused() {
    let refused = |args: &[&str]| ran(boughs().arg("match").args(args)).expect_failure(2);
    let referee = ["--referee", "cmd:./referee"];
    assert!(refused(&[&referee[..], &["mcts", "cmd:./b"]].concat()).contains("'mcts' does not know the game"));
    assert!(refused(&[&referee[..], &["hex", "cmd:./a", "cmd:./b"]].concat()).contains("'hex' is one word too many"));
    assert!(refused(&["--referee", "./referee", "cmd:./a", "cmd:./b"]).contains("write cmd: and its command"));
    assert!(
        refused(&[&referee[..], &["cmd:./a", "cmd:./b", "--openings", "random:2"]].concat()).contains("--openings")
    );
    assert!(refused(&[&referee[..], &["cmd:./a", "cmd:./b"]].concat()).contains("./referee"));
    assert!(refused(&["hex", "mcts"]).contains("a second side beside mcts"));
    let missing = "the second player is missing; give two programs, as in 'cmd:./a' 'cmd:./b'";
    assert_eq!(refused(&[&referee[..], &["cmd:./a"]].concat()), missing);
    let game = refused(&[&referee[..], &["connect4", "cmd:./a"]].concat());
    assert_eq!(game, format!("--referee knows the game, so 'connect4' is one word too many, and {missing}"));
    let game = refused(&[&referee[..], &["connect4"]].concat());
    assert!(game.contains("'connect4' is one word too many, and both players are missing"), "{game}");
    let playouts = refused(&[&referee[..], &["cmd:./a", "cmd:./b", "--iterations", "9"]].concat());
    assert!(playouts.starts_with("programs of a referee have a time for each answer"), "{playouts}");
    let three = refused(&["--referee", "3:cmd:./referee", "cmd:./a", "cmd:./b", "--sprt", "0,20"]);
    assert!(three.contains("3:cmd:./referee is for 3 players"), "{three}");
}

#[test]
fn what_a_player_writes_to_standard_error_belongs_to_its_seat() {
    let speaker = |name: &str, number: u32| {
        let says = format!("echo 'hello from {name}' >&2; echo '[PDATA] rollouts = {number}' >&2");
        format!("{says}; while read -r line; do echo '{name} plays' >&2; echo 1; done")
    };
    let [a, b] = [speaker("A", 3), speaker("B", 8)];
    for referee in [OLD, NEW] {
        let table = Table::new(&format!("echo 'the rules' >&2\n{referee}"));
        let result = json(&table.play([&a, &b], &["--games", "2", "--json"]).expect());
        let rollouts = [0, 1].map(|side| result["sides"][side]["columns"]["rollouts"].as_f64());
        assert_eq!(rollouts, [Some(3.0), Some(8.0)], "{result}");
        let game = json(&table.play([&a, &b], &["--only", "0", "--json"]).expect());
        for (seat, name) in ["A", "B"].iter().enumerate() {
            let plays = format!("{name} plays\n").repeat(8 - seat);
            let expected = format!("hello from {name}\n[PDATA] rollouts = {}\n{plays}", [3, 8][seat]);
            assert_eq!(game["notes"][seat], expected, "{game}");
        }
        assert_eq!(game["referee"], "the rules\n", "{game}");
        let text = table.play([&a, &b], &["--only", "0"]).expect();
        assert!(text.contains("\nseat 2 on standard error:\nhello from B\n"), "{text}");
        assert!(text.ends_with("\nthe referee on standard error:\nthe rules\n"), "{text}");
    }
}

#[test]
fn a_player_that_does_not_exist_or_may_not_be_run_ends_the_match() {
    for referee in [OLD, NEW] {
        let table = Table::new(referee);
        let file = table.folder.path().join("text");
        fs::write(&file, "hello").expect("a file");
        for (player, says) in [
            ("cmd:./no-such-player", "there is no program './no-such-player'; write its path, as in ./bot"),
            (&format!("cmd:{}", file.display()), "may not be run; chmod +x allows it for a file"),
        ] {
            let other = format!("cmd:{}", script(table.folder.path(), "a", SIMPLE));
            let mut command = boughs();
            let sentence = ran(command.args(["match", "--referee", &table.referee, &other, player])).expect_failure(2);
            assert!(sentence.starts_with(&format!("{player} could not be started: ")), "{sentence}");
            assert!(sentence.contains(says), "{sentence}");
        }
    }
}

#[test]
fn a_player_that_ends_before_its_first_answer_is_not_started() {
    for referee in [OLD, NEW] {
        let table = Table::new(referee);
        let player = "echo 'no weights' >&2; exit 3";
        let result = json(&table.play([SIMPLE, player], &["--games", "2", "--json"]).expect());
        let side = &result["sides"][1];
        assert_eq!(side["faults"], serde_json::json!({ "not started": 2 }), "{result}");
        let last = side["last_fault"].as_str().expect("a fault");
        assert!(last.ends_with("its first answer (exit status: 3), and said last 'no weights'"), "{last}");
        let sentence = table.play([SIMPLE, player], &["--games", "10"]).expect_failure(2);
        assert!(sentence.contains("was not started in 3 games in a row"), "{sentence}");
        assert!(sentence.contains("said last 'no weights'"), "{sentence}");
    }
    // A referee may end when a player does.
    let sentence = Table::new("$2; exit 5").play(["exit 3", SIMPLE], &["--games", "2"]).expect_failure(2);
    let says =
        "it ended without a result (exit status: 5) after the player in seat 1 had ended before its first answer";
    assert!(sentence.contains(&format!("{says} (exit status: 3)")), "{sentence}");
}

#[test]
fn a_last_score_needs_no_newline_and_a_referee_that_goes_on_after_it_is_ended() {
    let ran = Table::new("echo 1; printf 0").play([SIMPLE, SIMPLE], &["--only", "0", "--json"]);
    assert_eq!(json(&ran.expect())["rewards"], serde_json::json!([1.0, 0.0]));
    // It would go on for longer than any test waits.
    let ran = Table::new("echo 1; echo 0; exec sleep 3600").play([SIMPLE, SIMPLE], &["--only", "0", "--json"]);
    assert_eq!(json(&ran.expect())["rewards"], serde_json::json!([1.0, 0.0]));
}

#[test]
fn a_seat_that_the_referee_ranks_first_has_lost_nothing_by_an_error() {
    let table = Table::new("echo '###Error 0 it was rude'; echo '###End 0 1'");
    let result = json(&table.play([SIMPLE, CLEVER], &["--games", "2", "--json"]).expect());
    assert_eq!(counts(&result), [1, 0, 1], "{result}");
    for side in 0..2 {
        assert_eq!(result["sides"][side]["faults"], serde_json::json!({}), "{result}");
    }
    assert!(!result["warnings"].to_string().contains("lost games by what it did"), "{result}");
    let game = json(&table.play(["read -r line", "read -r line"], &["--only", "0", "--json"]).expect());
    assert_eq!(game["notes"][0], "[referee] it was rude\n", "{game}");
    assert_eq!((&game["ending"], &game["notes"][1]), (&Value::from("the game is over"), &Value::from("")), "{game}");
}

#[test]
fn no_openings_are_advised_where_a_referee_chooses_them() {
    let result = json(&Table::new(OLD).play([CLEVER, SIMPLE], &["--games", "4", "--json"]).expect());
    let warnings = result["warnings"].to_string();
    assert!(warnings.contains("says nothing new") && !warnings.contains("--openings"), "{warnings}");
}
