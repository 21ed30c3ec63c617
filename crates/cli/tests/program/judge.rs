//! `boughs judge`: cases of a contest, played by agents and by programs.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use boughs_games::ahc015::Case;
use serde_json::Value;
use tempfile::tempdir;

use crate::common::{Ran, boughs, json, ran, run};
use crate::process::{side_by_side, wait_until};

/// The judged cases, as JSON.
fn judge(args: &str) -> Value {
    json(&run(&format!("judge ahc015 {args} --json")).expect())
}

fn scores(result: &Value) -> Vec<u64> {
    result["cases"].as_array().unwrap().iter().map(|case| case["score"].as_u64().unwrap()).collect()
}

/// A program of the shell that answers every candy with this, and the word that no other process has in its command
/// line.
struct Script {
    command: String,
    tag: String,
}

impl Script {
    /// In the text `$0` is a number of seconds longer than any test.
    fn of(text: &str) -> Script {
        static SCRIPTS: AtomicU32 = AtomicU32::new(0);

        let tag = format!("{}{:04}", std::process::id(), 5_000 + SCRIPTS.fetch_add(1, Relaxed));
        Script { command: shlex::try_join(["sh", "-c", text, &tag]).unwrap(), tag }
    }

    fn answering(text: &str) -> Script {
        Script::of(&format!("read -r flavours; turn=0; while read -r p; do turn=$((turn + 1)); {text}; done"))
    }

    fn judged(&self, args: &[&str]) -> Value {
        let mut command = boughs();
        json(&ran(command.args(["judge", "ahc015", "--json", "--cmd", &self.command]).args(args)).expect())
    }

    /// Waits until nothing is left of it.
    fn assert_gone(&self) {
        wait_until(&format!("nothing is left of {}", self.command), || !self.is_there());
    }

    /// Only Linux tells. The judge itself has the tag in its command line too.
    fn is_there(&self) -> bool {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let mut commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        commands.any(|command| {
            let command = String::from_utf8_lossy(&command).into_owned();
            command.contains(&self.tag) && !command.contains("judge")
        })
    }
}

#[test]
fn a_program_scores_what_the_agent_in_it_does_with_any_number_at_a_time() {
    let agent = judge("--agent solution2 --seeds 3..9 --concurrency 1");
    let bot = format!("{} bot ahc015 --agent solution2", env!("CARGO_BIN_EXE_boughs"));
    let program = |more: &[&str]| {
        let mut command = boughs();
        json(&ran(command.args(["judge", "ahc015", "--json", "--seeds", "3..9", "--cmd", &bot]).args(more)).expect())
    };
    assert!(scores(&agent).iter().all(|&score| score > 200_000), "{agent}");
    for result in
        [judge("--agent solution2 --seeds 3..9 --concurrency 3"), program(&[]), program(&["--concurrency", "4"])]
    {
        assert_eq!(scores(&result), scores(&agent));
        assert_eq!((&result["faults"], &result["cases"][2]["case"]), (&serde_json::json!({}), &"5".into()));
        assert_eq!((&result["total"], &result["mean"]), (&agent["total"], &agent["mean"]));
    }
    assert_eq!(program(&[])["cases"][0]["columns"]["rollouts"], 0.0);
}

#[test]
fn a_number_of_playouts_scores_the_same_each_time() {
    let args = "--agent solution3 --iterations 300 --seeds 0..3";
    let (first, again) = (judge(&format!("{args} --concurrency 1")), judge(&format!("{args} --concurrency 3")));
    assert_eq!(scores(&first), scores(&again));
    assert!((100..=400).contains(&first["cases"][0]["playouts"].as_u64().unwrap()), "{first}");
    assert_ne!(scores(&first), scores(&judge(&format!("{args} --seed 1"))));
}

#[test]
fn the_lines_of_a_contest_tool_end_with_mean_and_slowest() {
    let text = run("judge ahc015 --agent solution1 --seeds 0..3").expect();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("Score = ")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    let json = judge("--agent solution1 --seeds 0..3");
    for (line, score) in lines.iter().zip(scores(&json)) {
        assert!(line.contains(&format!("Score = {score} ")), "{text}");
    }
    for part in [" mean ", "±", " slowest ", " s, case ", " total "] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn a_case_with_a_fault_scores_nothing_the_run_goes_on_and_nothing_of_the_program_is_left() {
    // In the second of two cases, which it knows by its first placement, the program plays by the rules.
    let second = Case::generate(1).placements[0];
    assert_ne!(second, Case::generate(0).placements[0]);
    let cases = [
        ("echo X", "illegal", "answered 'X', which is not a legal move"),
        ("echo", "illegal", "answered ''"),
        ("echo FB", "illegal", "answered 'FB'"),
        ("exit 3", "exited", "ended before it answered (exit status: 3)"),
        ("kill -SEGV $$", "exited", "(signal: 11"),
        ("exec cat /dev/zero", "flooded", "wrote more than it was asked for"),
        ("echo F; echo F; echo F", "flooded", "wrote more than it was asked for"),
        ("trap '' TERM INT; (sleep $0 &); sleep $0; sleep $0", "late", "no answer after"),
        ("sleep 0.02; echo F", "late", "1000.0 allowed"),
        ("exec <&-; sleep $0", "late", "no answer after"),
    ];
    let judge = |(does, fault, says): (&str, &str, &str)| {
        let script = Script::answering(&format!(
            "test $turn = 1 && test $p = {second} && good=1; \
             if test \"$good\"; then echo F; else echo words >&2; {does}; fi"
        ));
        let result = script.judged(&["--seeds", "0..2", "--time", "1s", "--concurrency", "2"]);
        script.assert_gone();
        let [bad, good] = [&result["cases"][0], &result["cases"][1]];
        assert_eq!((&bad["score"], &bad["fault"]), (&0.into(), &fault.into()), "{does}: {result}");
        let reason = bad["reason"].as_str().unwrap();
        assert!(reason.starts_with("in turn ") && reason.contains(says), "{does}: {reason}");
        assert!(bad["said"].as_str().unwrap().contains("words"), "{does}: {bad}");
        assert!(good["score"].as_u64().unwrap() > 20_000 && good["fault"].is_null(), "{does}: {result}");
        assert_eq!(result["faults"], serde_json::json!({ fault: 1 }), "{does}");
    };
    // Others than these wait for nothing.
    let (late, others): (Vec<_>, Vec<_>) = cases.into_iter().partition(|&(_, fault, _)| fault == "late");
    others.into_iter().for_each(judge);
    side_by_side(late, judge);
}

#[cfg(unix)]
#[test]
fn a_run_whose_cases_all_fail_says_when_and_why_and_exits_with_1() {
    for (does, says) in [
        (
            "echo one >&2; test $turn = 3 && echo two >&2 && exit 3; echo F",
            "in turn 3 it ended before it answered (exit status: 3), and said last 'two'",
        ),
        ("echo X", "in turn 1 it answered 'X', which is not a legal move; legal are F B L R"),
    ] {
        let script = Script::answering(does);
        let Ran { code, out, err } =
            ran(boughs().args(["judge", "ahc015", "--seeds", "4..6", "--cmd", &script.command]));
        assert_eq!((code, err), (Some(1), format!("boughs: no case was played to its end; in case 4 {says}\n")));
        assert_eq!(out.matches(says).count(), 3, "two lines of the table, and the first fault: {out}");
        let said = "\nstandard error of case 4 ends with:\none\none\none\ntwo\n";
        assert_eq!(out.contains(said), does.contains(">&2"), "{out}");
    }
}

#[cfg(unix)]
#[test]
fn a_late_program_is_not_blamed_for_the_question_whether_it_is_ready() {
    let script =
        Script::of("read -r flavours; read -r p; echo slow >&2; read -r next; echo \"no cell $next\" >&2; exit 1");
    let args = ["judge", "ahc015", "--json", "--seeds", "0..1", "--time", "200ms", "--cmd", &script.command];
    let ran = ran(boughs().args(args));
    let case = &json(&ran.out)["cases"][0];
    assert_eq!((&case["fault"], &case["said"]), (&"late".into(), &"slow\n".into()), "{ran:?}");
}

#[test]
fn a_program_that_is_not_there_ends_the_run() {
    let mut command = boughs();
    let sentence = ran(command.args(["judge", "ahc015", "--cmd", "./no-such-bot"])).expect_failure(2);
    assert!(sentence.contains("the program could not be started: there is no program './no-such-bot'"), "{sentence}");
}

/// Writes cases as the contest gives them.
fn write_cases(folder: &Path, names: &[(&str, u64)]) {
    for (name, seed) in names {
        fs::write(folder.join(name), Case::generate(*seed).to_string()).unwrap();
    }
}

#[test]
fn files_are_cases_in_the_order_of_their_names() {
    let folder = tempdir().unwrap();
    write_cases(folder.path(), &[("0002.txt", 5), ("0000.txt", 7), ("0001.txt", 6)]);
    fs::write(folder.path().join(".hidden"), "no case").unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    let files = judge(&format!("--agent solution2 --cases {}", folder.path().display()));
    let names: Vec<_> = files["cases"].as_array().unwrap().iter().map(|case| case["case"].as_str().unwrap()).collect();
    assert_eq!(names, ["0000.txt", "0001.txt", "0002.txt"]);
    let mut seeds = scores(&judge("--agent solution2 --seeds 5..8"));
    seeds.reverse();
    assert_eq!(scores(&files), seeds);
}

#[test]
fn the_store_remembers_the_best_score_of_each_case() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("best.db");
    let judge = |agent: &str, more: &str| judge(&format!("--agent {agent} --store {} {more}", store.display()));
    let first = judge("solution2", "--seeds 0..4");
    assert!(first["relative"].is_null() && first["cases"][0]["best"].is_null(), "{first}");
    let worse = judge("solution1", "--seeds 0..4");
    let better = judge("solution3", "--seeds 0..4 --iterations 2000");
    let best =
        |results: &[&Value], case: usize| results.iter().map(|result| scores(result)[case]).max().unwrap() as f64;
    for case in 0..4 {
        assert_eq!(worse["cases"][case]["best"], best(&[&first], case));
        assert_eq!(better["cases"][case]["best"], best(&[&first, &worse], case));
    }
    let of_best = worse["cases"][0]["relative"].as_f64().unwrap();
    assert!((of_best - scores(&worse)[0] as f64 / scores(&first)[0] as f64).abs() < 1e-9, "{worse}");
    assert!(better["new_bests"].as_u64().unwrap() > 0, "{better}");
    let again = judge("solution3", "--seeds 3..5 --iterations 2000");
    let known = best(&[&first, &worse, &better], 3);
    assert_eq!((again["cases"][0]["best"].as_f64(), &again["cases"][1]["best"]), (Some(known), &Value::Null));
    // A file is another case than a seed, and with other contents another one again.
    let cases = tempdir().unwrap();
    let in_folder = format!("--cases {}", cases.path().display());
    write_cases(cases.path(), &[("0000.txt", 0)]);
    assert!(judge("solution2", &in_folder)["cases"][0]["best"].is_null());
    assert!(judge("solution2", &in_folder)["cases"][0]["best"].is_number());
    write_cases(cases.path(), &[("0000.txt", 1)]);
    assert!(judge("solution2", &in_folder)["cases"][0]["best"].is_null());
}

#[test]
fn the_page_replays_cases_with_what_each_tilt_was_worth_and_loads_nothing() {
    let folder = tempdir().unwrap();
    let page = folder.path().join("page.html");
    let text = |args: &str| {
        run(&format!("judge ahc015 {args} --html {}", page.display())).expect();
        fs::read_to_string(&page).unwrap()
    };
    let few = text("--agent solution3:playouts=2 --seeds 0..2");
    assert!(few.starts_with("<!DOCTYPE html>") && few.trim_end().ends_with("</html>"));
    assert!(
        few.contains("\"name\":\"Case 1\"") && !few.contains("are on this page") && few.contains("\"values\":[[\"F\",")
    );
    assert!(few.contains("boughs judge ahc015 --agent 'solution3:playouts=2' --seed 0 --seeds 1..2"));
    for loads in ["src=", "href=", "url(", "@import"] {
        assert!(!few.contains(loads), "{loads}");
    }
    let many = text("--agent solution2 --seeds 0..25");
    assert!(many.contains("The first 20 of 25 cases are on this page.") && many.contains("\"name\":\"Case 19\""));
    assert!(!many.contains("\"name\":\"Case 20\"") && !many.contains("\"values\":["));
}

#[test]
fn what_cannot_be_judged_is_refused_in_a_sentence() {
    let folder = tempdir().unwrap();
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let bad = folder.path().join("bad");
    fs::create_dir(&bad).unwrap();
    let text = Case::generate(1).to_string();
    fs::write(bad.join("0007.txt"), text.lines().take(40).collect::<Vec<_>>().join("\n") + "\n0\n").unwrap();
    let [empty, bad] = [empty, bad].map(|path| path.display().to_string());
    for (args, says) in [
        ("ahc015 --seeds 5..5".to_string(), "two numbers with the smaller one first"),
        ("ahc015 --seeds 9".to_string(), "such as 0..200"),
        ("ahc015 --seeds 0..99999999999".to_string(), "at most 1000000 seeds"),
        (format!("ahc015 --cases {empty}"), "there is no file in "),
        ("ahc015 --cases no-such-folder".to_string(), "the folder 'no-such-folder' cannot be read"),
        (format!("ahc015 --cases {bad}"), "0007.txt' is no case: line 41 should be a number from 1 to 61"),
        ("connect4".to_string(), "there are no cases of connect4 to judge; the game that has some is ahc015"),
        ("conect4".to_string(), "conect4"),
        ("ahc015:case=3".to_string(), "write it without options"),
        ("ahc015 --time 0s".to_string(), "leaves no time"),
        ("ahc015 --time 50ms --margin 60ms".to_string(), "must be longer than the margin"),
        ("ahc015 --cmd ./bot --agent flat".to_string(), "cannot be used with"),
        ("ahc015 --cmd ./bot --iterations 5".to_string(), "cannot be used with"),
        ("ahc015 --agent alpha".to_string(), "alpha"),
        (format!("ahc015 --html {empty}"), "cannot be written"),
    ] {
        let sentence = run(&format!("judge {args}")).expect_failure(2);
        assert!(sentence.contains(says), "{args}: {sentence}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_prints_the_results_so_far_and_leaves_no_program() {
    use crate::common::program;
    use crate::process::{Running, piped};

    // The program plays one case, and never answers in the next.
    let first = Case::generate(0).placements[0];
    let script = Script::answering(&format!("test $turn = 1 && test $p != {first} && sleep $0; echo B"));
    let mut command = program();
    command.args(["judge", "ahc015", "--cmd", &script.command, "--seeds", "0..9", "--time", "1h", "--json"]);
    let child = Running::start(piped(command.args(["--concurrency", "1"])));
    let sleeps = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let mut commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        commands.any(|command| command == format!("sleep\0{}\0", script.tag).into_bytes())
    };
    wait_until("the program is in its second case", sleeps);
    child.send("INT");
    let output = child.finish();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(130), &b""[..]), "{output:?}");
    let result = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((&result["interrupted"], scores(&result).len()), (&true.into(), 1), "{result}");
    script.assert_gone();
}
