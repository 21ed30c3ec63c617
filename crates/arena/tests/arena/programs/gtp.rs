//! Programs that play by GTP.

use boughs_arena::{Conditions, Contest, Ending, Fault, Limit, Openings, Record};

use crate::programs::contest::matched;

/// Script that answers one command after the other, repeats them on standard error, and evaluates `$1` where a move is
/// asked for.
const LISTENER: &str = r#"
while read -r name colour vertex; do
    echo "$name $colour $vertex" >&2
    case $name in
        play) taken="$taken $vertex" ;;
        genmove) eval "$1"; continue ;;
        quit) exit ;;
    esac
    printf '=\n\n'
done
"#;

/// Plays the first free point of a board of three by three.
const FIRST_FREE: &str = r#"
for point in A1 A2 A3 B1 B2 B3 C1 C2 C3; do
    case " $taken " in
        *" $point "*) ;;
        *) taken="$taken $point"; printf '= %s\n\n' "$point"; break ;;
    esac
done
"#;

/// The point of a cell of tic-tac-toe, which Boughs numbers from the top left.
fn point(cell: &str) -> String {
    let cell: usize = cell.parse().unwrap();
    format!("{}{}", ["A", "B", "C"][(cell - 1) % 3], 3 - (cell - 1) / 3)
}

/// Plays two games of tic-tac-toe of a script against an agent. Returns each with the seat of the script.
fn play(script: &str, does: &str) -> Vec<(usize, Record)> {
    let program = shlex::try_join(["sh", "-c", script, "sh", does]).unwrap();
    let records = matched("tictactoe", [&format!("gtp:{program}"), "flat"], 200);
    let seated = |record: Record| (record.seats.iter().position(|&who| who == 0).unwrap(), record);
    records.into_iter().map(seated).collect()
}

#[test]
fn a_program_is_told_the_board_the_clock_and_the_moves_of_the_other() {
    for (seat, record) in play(LISTENER, FIRST_FREE) {
        assert_eq!(record.ending, Ending::Over, "{record:?}");
        let (own, other) = (["black", "white"][seat], ["black", "white"][1 - seat]);
        let mut expected = vec![
            "protocol_version  ".to_string(),
            "boardsize 3 ".into(),
            "clear_board  ".into(),
            "time_settings 0 0.2 1".into(),
        ];
        for (ply, text) in record.moves.iter().enumerate() {
            match ply % 2 == seat {
                true => expected.extend([format!("time_left {own} 0.2 1"), format!("genmove {own} ")]),
                false => expected.push(format!("play {other} {}", point(text))),
            }
        }
        // The last move of the other is not told, because no move is asked for after it.
        if (record.moves.len() - 1) % 2 != seat {
            expected.pop();
        }
        expected.push("quit  ".to_string());
        let heard: Vec<&str> = record.notes[seat].lines().collect();
        assert_eq!(
            heard.iter().map(|line| line.trim()).collect::<Vec<_>>(),
            expected.iter().map(|line| line.trim()).collect::<Vec<_>>()
        );
    }
}

#[test]
fn what_a_program_does_wrong_is_named() {
    let resigned = Fault::Resigned;
    let failed = Fault::Failed("it has no move: 'out of ideas'".to_string());
    for (seat, record) in play(LISTENER, r"printf '= Z9\n\n'") {
        let [(loser, Fault::Illegal(text))] = record.ending.faults() else { panic!("{record:?}") };
        assert!(*loser == seat && text.starts_with("Z9\n") && text.ends_with("B1 C1"), "{text}");
    }
    for (does, fault) in [(r"printf '= resign\n\n'", resigned), (r"printf '? out of ideas\n\n'", failed)] {
        for (seat, record) in play(LISTENER, does) {
            assert_eq!(record.ending, Ending::Forfeit(vec![(seat, fault.clone())]));
            assert_eq!(record.rewards[seat], 0.0);
        }
    }
    for (seat, record) in play(LISTENER, "sleep 5") {
        assert!(matches!(&record.ending.faults()[0], (loser, Fault::Late { .. }) if *loser == seat), "{record:?}");
    }
}

#[test]
fn a_program_that_does_not_follow_loses() {
    let refuses = r#"while read -r name rest; do
        case $name in
            play) printf '? I do not like it\n\n' ;;
            genmove) printf '= B2\n\n' ;;
            *) printf '=\n\n' ;;
        esac
    done"#;
    for (seat, record) in play(refuses, "") {
        let [(loser, Fault::Failed(why))] = record.ending.faults() else { panic!("{:?}", record.ending) };
        assert_eq!(*loser, seat);
        assert!(why.starts_with("it refused 'play ") && why.ends_with(": 'I do not like it'"), "{why}");
    }
}

#[test]
fn what_does_not_speak_gtp_is_not_started() {
    for (script, says) in [
        (r#"while read -r line; do echo hello; echo; done"#, "it does not speak GTP: an answer was 'hello'"),
        (r#"while read -r line; do printf '? too small\n\n'; done"#, "it refused 'boardsize 3': 'too small'"),
        ("exit 3", "it ended before it answered"),
    ] {
        for (seat, record) in play(script, "") {
            let [(loser, Fault::NotStarted(why))] = record.ending.faults() else { panic!("{:?}", record.ending) };
            assert!(*loser == seat && why.contains(says), "{why}");
        }
    }
}

#[test]
fn games_with_luck_or_secrets_have_no_gtp() {
    for game in ["pig", "kuhn", "photosynthesis", "nim"] {
        let conditions = Conditions {
            game: game.to_string(),
            contestants: ["gtp:cat", "flat"].map(|text| text.parse().unwrap()).to_vec(),
            pairings: vec![[0, 1]],
            limit: Limit::Playouts(1),
            grace: std::time::Duration::ZERO,
            openings: Openings::Start,
            seed: 5,
        };
        let refused = Contest::new(conditions).and_then(|mut contest| {
            contest.play(1, 1, &boughs::StopFlag::default(), &mut |_| std::ops::ControlFlow::Continue(()))
        });
        let error = refused.expect_err(game).to_string();
        assert!(error.contains("GTP is for two players") || error.contains("in secret"), "{game}: {error}");
    }
}
