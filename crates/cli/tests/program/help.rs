//! Every command's help ends with an example, and the example works.

use crate::common::{games, ran, run};

/// All commands, as the program lists them.
fn commands() -> Vec<String> {
    let help = run("--help").expect();
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list of commands");
    list.lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(String::from)
        .filter(|name| name != "help")
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
        // Some write files.
        let place = tempfile::tempdir().expect("a folder");
        let mut shell = assert_cmd::Command::new("sh");
        let ran = ran(shell.args(["-c", &example]).env("PATH", &path).current_dir(&place));
        assert!(ran.code == Some(0) && ran.err.is_empty() && !ran.out.is_empty(), "{example}: {ran:?}");
    }
}

#[test]
fn help_names_every_game_and_every_agent_with_its_keys() {
    let help = run("analyze --help").expect();
    let agents = boughs::AgentSpec::list();
    let words = agents.iter().flat_map(|agent| agent.keys.iter().map(|key| key.name).chain([agent.name]));
    for name in games().into_iter().chain(words) {
        assert!(help.contains(name), "{name} is missing in {help}");
    }
}

#[test]
fn the_version_is_printed() {
    assert_eq!(run("--version").expect(), format!("boughs {}\n", env!("CARGO_PKG_VERSION")));
}
