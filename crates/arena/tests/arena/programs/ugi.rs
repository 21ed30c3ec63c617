//! Programs that play by UGI and UAI.

use boughs_arena::{Ending, Fault, Record};

use crate::programs::contest::matched;

/// Script that repeats what it hears on standard error, says more than it is asked, and evaluates `$2` where a move is
/// asked for. `$1` is its protocol.
const LISTENER: &str = r#"
while read -r line; do
    echo "$line" >&2
    case $line in
        "$1") echo "id name Listener"; echo "option name c type string"; echo "$1ok" ;;
        isready) echo readyok; echo "info string ready when you are" ;;
        position*) position=$line ;;
        go*) echo "info depth 1 pv 5"; eval "$2"; echo "info string done" ;;
        quit) exit ;;
    esac
done
"#;

/// Plays the first free cell of tic-tac-toe.
const FIRST_FREE: &str = r#"
for cell in 1 2 3 4 5 6 7 8 9; do
    case "$position " in
        *"moves "*" $cell "* | *"moves $cell "*) ;;
        *) echo "bestmove $cell"; break ;;
    esac
done
"#;

/// Plays two games of tic-tac-toe of a script against an agent. Returns each with the seat of the script.
fn play(protocol: &str, script: &str, does: &str) -> Vec<(usize, Record)> {
    let program = shlex::try_join(["sh", "-c", script, "sh", protocol, does]).unwrap();
    let records = matched("tictactoe", [&format!("{protocol}:{program}"), "flat"], 200);
    let seated = |record: Record| (record.seats.iter().position(|&who| who == 0).unwrap(), record);
    records.into_iter().map(seated).collect()
}

#[test]
fn a_program_is_told_the_moves_and_the_time() {
    for protocol in ["ugi", "uai"] {
        for (seat, record) in play(protocol, LISTENER, FIRST_FREE) {
            assert_eq!(record.ending, Ending::Over, "{record:?}");
            let mut expected = vec![protocol.to_string(), format!("{protocol}newgame"), "isready".to_string()];
            for ply in (seat..record.moves.len()).step_by(2) {
                let moves = record.moves[..ply].join(" ");
                let moves = if ply == 0 { String::new() } else { format!(" moves {moves}") };
                expected.extend([format!("position startpos{moves}"), "go movetime 200".to_string()]);
            }
            expected.push("quit".to_string());
            assert_eq!(record.notes[seat].lines().collect::<Vec<_>>(), expected);
        }
    }
}

#[test]
fn what_a_program_does_wrong_is_named() {
    for said in ["0", "", "none"] {
        for (seat, record) in play("ugi", LISTENER, &format!("echo bestmove {said}")) {
            let [(loser, Fault::Illegal(text))] = record.ending.faults() else { panic!("{record:?}") };
            let (answer, legal) = text.split_once('\n').expect("the legal moves");
            assert_eq!((*loser, answer, legal.contains("8 9")), (seat, said, true), "{legal}");
        }
    }
    for does in ["sleep 5", "while true; do echo info depth 1; sleep 0.05; done"] {
        for (seat, record) in play("uai", LISTENER, does) {
            assert!(matches!(&record.ending.faults()[0], (loser, Fault::Late { .. }) if *loser == seat), "{record:?}");
        }
    }
    for (seat, record) in play("ugi", "exit 3", "") {
        let [(loser, Fault::NotStarted(why))] = record.ending.faults() else { panic!("{:?}", record.ending) };
        assert!(*loser == seat && why.contains("it ended before it answered"), "{why}");
    }
}
