//! Games that all ranks follow. A search by time takes two seconds, so that on a busy machine no rank is too late for
//! the end of it, which is a sixteenth of that.

use crate::job::{Job, told};

/// Runs a job and returns standard output. On a busy machine a rank may be late in one job, and not in all of ten.
fn play(ranks: usize, words: &str, input: &str) -> String {
    let said = (0..10).find_map(|_| {
        let output = Job::of(ranks).with_input(words, input);
        assert!(output.status.success(), "{}", told(&output));
        (!told(&output).contains("degraded")).then(|| String::from_utf8(output.stdout).unwrap())
    });
    said.expect("a job in which no rank is late")
}

#[test]
fn all_ranks_follow_a_session_of_gtp() {
    // Another size, a handicap, moves of both, moves taken back, other settings, another game, an analysis.
    let input = "boardsize 5\nclear_board\nkomi 2.5\ngenmove black\nplay white b2\ngenmove black\nundo\ngenmove black\n\
                 genmove black\nreg_genmove white\nkata-set-param c 0.5\ngenmove white\nboardsize 7\n\
                 fixed_handicap 2\ngenmove white\nclear_board\ngenmove black\nboughs-visits\nshowboard\nquit\n";
    let words = "gtp go --mpi --iterations 600 --seed 3";
    let first = play(2, words, input);
    assert_eq!(first.matches("? ").count(), 0, "{first}");
    assert_eq!(first, play(2, words, input));
    assert_ne!(first, play(3, words, input), "three ranks are others than two");
}

#[test]
fn all_ranks_ponder_and_stop_with_the_first() {
    let input = "genmove black\nplay white a1\ngenmove black\nundo\nlz-analyze 10\nname\ngenmove black\nquit\n";
    let said = play(3, "gtp hex:size=6 --mpi --time 2s --ponder --threads 2", input);
    assert_eq!((said.matches("= ").count(), said.matches("? ").count()), (4, 0), "{said}");
}

#[test]
fn all_ranks_follow_a_bot() {
    let input =
        "game connect4\nplayouts 900\nready\nmoves 4 4\ngo\nmoves 4 4 3 3\ngo\nmoves 5\ngo\ntime 2000\ngo\nend\n";
    let words = "bot connect4 --mpi --seed 9 --agent mcts:solver=on";
    let said = play(2, words, input);
    assert_eq!(said.lines().count(), 5, "{said}");
    assert_eq!(said.lines().take(4).collect::<Vec<_>>(), play(2, words, input).lines().take(4).collect::<Vec<_>>());
}
