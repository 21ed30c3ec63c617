//! Mistakes of clients.

use boughs::Rng;

use super::answers;
use crate::common::run_with_input;

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
fn ten_thousand_lines_with_mistakes_are_answered() {
    send_lines_with_mistakes(10_000);
}

/// `cargo test -p boughs-cli --test program -- --ignored a_hundred_thousand`
#[test]
#[ignore = "takes half a minute"]
fn a_hundred_thousand_lines_with_mistakes_are_answered() {
    send_lines_with_mistakes(100_000);
}

fn send_lines_with_mistakes(count: u32) {
    let listed = answers("go:size=5", "list_commands\n").remove(0);
    // A clock would give time for searches, of which there are thousands here.
    let is_quick = |name: &&str| *name != "quit" && !name.starts_with("time_");
    let names: Vec<&str> = listed.trim_start_matches("= ").lines().filter(is_quick).collect();
    let words = ["b", "w", "black", "a1", "C3", "e5", "pass", "2", "3", "5", "-1", "0.5", "nan", "c", "on", "maxmoves"];
    let mut rng = Rng::new(23, 0);
    let mut pick = |count: usize| rng.below(count as u32) as usize;
    let mut lines = Vec::new();
    let mut unchanged = Vec::new();
    for number in 0..count {
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

#[test]
fn a_wrong_word_of_an_analysis_is_named() {
    let interval = |word: &str| format!("? an interval is a number of hundredths of a second, 0 or more, not '{word}'");
    for (words, answer) in [
        ("green", "? an analysis has no word 'green'; give a colour, an interval, or maxmoves 5".to_string()),
        ("b 5 sing true", "? an analysis has no word 'sing'; give a colour, an interval, or maxmoves 5".to_string()),
        ("-5", interval("-5")),
        ("w nan", interval("nan")),
        ("interval soon", interval("soon")),
        ("interval", "? 'interval' has no value".to_string()),
        ("5 maxmoves -1", "? 'maxmoves' needs a whole number, not '-1'".to_string()),
        ("5 minmoves x", "? 'minmoves' needs a whole number, not 'x'".to_string()),
        ("rootInfo yes", "? 'rootInfo' needs true or false, not 'yes'".to_string()),
        ("5 ownership", "? 'ownership' has no value".to_string()),
    ] {
        for name in ["analyze", "lz-analyze", "kata-analyze", "genmove_analyze", "kata-genmove_analyze"] {
            assert_eq!(answers("go:size=5 --iterations 10", &format!("{name} {words}\n")), [&*answer], "{name}");
        }
    }
    let all = "ownership true ownershipStdev false movesOwnership true movesOwnershipStdev false pvVisits true \
               pvEdgeVisits true rootInfo TRUE noResultValue true minmoves 1 maxmoves 3";
    for words in [format!("b 5 {all}"), format!("interval 5 {all}"), format!("W {all} interval 5"), all.to_string()] {
        let said = answers("go:size=5 --iterations 10", &format!("kata-genmove_analyze {words}\n"));
        assert!(said[0].starts_with("=\ninfo move ") && said[0].contains(" rootInfo "), "{said:?}");
    }
}
