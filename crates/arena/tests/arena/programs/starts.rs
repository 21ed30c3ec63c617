//! Starts of programs, and the errors of programs that cannot be started.

use std::fs;

use boughs_arena::{Bot, Fault, Launch};

use crate::programs::common::program;

/// Returns the reason why a program does not start.
fn refusal(path: &str, cores: &[usize]) -> String {
    match Bot::start(&Launch { program: &program(&[path]), cores, time: None }) {
        Err(Fault::NotStarted(why)) => why,
        Err(other) => panic!("{path}: {other}"),
        Ok(_) => panic!("{path} was started"),
    }
}

#[test]
fn a_file_that_is_no_program_is_refused_with_the_cure() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(path("text"), "hello").unwrap();
    fs::write(path("lost"), "#!/no/such/shell\n").unwrap();
    rustix::fs::chmod(path("lost"), rustix::fs::Mode::RWXU).unwrap();
    for (name, says) in [("none", "there is no program"), ("text", "chmod +x"), ("lost", "first line")] {
        let why = refusal(&path(name), &[]);
        assert!(why.contains(says) && why.contains(&path(name)), "{why}");
    }
    assert!(refusal("no-such-program-anywhere", &[]).contains("write its path"));
    assert!(refusal("Cargo.toml", &[]).contains("write ./Cargo.toml"), "tests run in the folder of their crate");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_is_held_to_its_cores_from_its_first_instruction() {
    use crate::programs::common::AMPLE;
    use rustix::thread::{CpuSet, sched_getaffinity};

    let usual = sched_getaffinity(None).unwrap();
    let core = (0..CpuSet::MAX_CPU).rev().find(|&core| usual.is_set(core)).unwrap();
    let script =
        "read x; while read name value; do case $name in Cpus_allowed_list:) echo $value; esac; done </proc/$$/status";
    let mut bot = Bot::start(&Launch { program: &program(&["sh", "-c", script]), cores: &[core], time: None }).unwrap();
    assert_eq!(bot.ask("go", AMPLE).unwrap().0, core.to_string());
    bot.finish(AMPLE);
    assert!(sched_getaffinity(None).unwrap() == usual, "the process that starts it is not held to them");

    for core in [CpuSet::MAX_CPU - 1, CpuSet::MAX_CPU, usize::MAX] {
        let why = refusal("cat", &[core]);
        assert!(why.contains("name cores that are there"), "{why}");
    }
}
