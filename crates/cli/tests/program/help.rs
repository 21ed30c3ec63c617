//! The help of every command fits on a screen and a half and ends with an example, and the example works.

use crate::common::{games, ran, run};
use crate::process::PATIENCE;

/// All commands, as the program lists them, but for the one that is another program (`crates/export`).
fn commands() -> Vec<String> {
    let help = run("--help").expect();
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list of commands");
    list.lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(String::from)
        .filter(|name| name != "help" && name != "export")
        .collect()
}

fn example(help: &str) -> String {
    let example = help.split("Example:\n").nth(1).expect("an example");
    assert_eq!(example.trim_end().lines().count(), 1, "the example is one line and the last one: {help}");
    example.trim().to_string()
}

#[test]
fn the_list_of_commands_is_found() {
    assert!(commands().len() >= 6 && commands().contains(&"analyze".to_string()), "{:?}", commands());
}

#[cfg(unix)]
#[test]
fn every_example_works() {
    use std::path::Path;
    let folder = Path::new(env!("CARGO_BIN_EXE_boughs")).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let helps = commands().into_iter().map(|command| run(&format!("{command} --help")).expect());
    for example in helps.chain([run("--help").expect()]).map(|help| example(&help)) {
        if example.starts_with("boughs serve ") {
            serves(&example, &path);
            continue;
        }
        let mut last = None;
        // A busy machine may leave no time for a playout, or delay a move of the engine that is checked.
        let tries = if example.contains(" --time ") { 20 } else { 1 };
        let works = (0..tries).any(|_| {
            // Some write files.
            let place = tempfile::tempdir().expect("a folder");
            let mut shell = assert_cmd::Command::new("sh");
            let ran = ran(shell.timeout(PATIENCE).args(["-c", &example]).env("PATH", &path).current_dir(&place));
            let works = ran.code == Some(0) && ran.err.is_empty() && !ran.out.is_empty();
            last = Some(ran);
            works
        });
        assert!(works, "{example}: {last:?}");
    }
}

/// Starts a server and interrupts it. It takes a port that is free, and opens no browser.
#[cfg(unix)]
fn serves(example: &str, path: &str) {
    use crate::process::{Running, heeding, piped};
    let line = format!("exec {} --port 0", example.replace(" --open", ""));
    let mut server = Running::start(piped(heeding("sh").args(["-c", &line]).env("PATH", path)));
    assert!(server.line().starts_with("http://"));
    server.send("INT");
    let output = server.finish();
    assert!(output.status.code() == Some(130) && output.stderr.is_empty(), "{example}: {output:?}");
}

#[test]
fn the_help_of_every_command_fits_on_a_screen_and_a_half() {
    let helps = commands().into_iter().map(|command| (format!("{command} --help"), format!("help {command}")));
    for (flag, command) in helps.chain([("--help".to_string(), "help".to_string())]) {
        let help = run(&flag).expect();
        assert_eq!(help, run(&command).expect(), "{flag} and {command}");
        assert!(help.lines().count() <= 60, "{flag} has {} lines:\n{help}", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{flag}: {line}");
        }
    }
}

#[test]
fn help_names_every_game_and_where_the_agents_are_listed() {
    let help = run("analyze --help").expect();
    for name in games().into_iter().chain(["boughs agents"]) {
        assert!(help.contains(name), "{name} is missing in {help}");
    }
}

#[test]
fn the_version_is_printed() {
    assert_eq!(run("--version").expect(), format!("boughs {}\n", env!("CARGO_PKG_VERSION")));
}
