//! Programs that come and go leave no thread, file or process behind. This test stands alone, because it counts what
//! belongs to the whole process.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use std::fs;
use std::time::{Duration, Instant};

use boughs_arena::{Bot, Contestant, Launch};

const AMPLE: Duration = Duration::from_secs(120);

/// Counts the threads, open files and children of this process, zombies included.
fn held() -> [usize; 3] {
    let count = |folder: &str| fs::read_dir(folder).unwrap().count();
    let parent = format!("PPid:\t{}\n", std::process::id());
    let is_child =
        |entry: fs::DirEntry| fs::read_to_string(entry.path().join("status")).is_ok_and(|it| it.contains(&parent));
    let children = fs::read_dir("/proc").unwrap().flatten().map(is_child).filter(|&it| it).count();
    [count("/proc/self/task"), count("/proc/self/fd"), children]
}

#[test]
fn two_hundred_programs_leave_nothing_behind() {
    let scripts = [
        "read x; echo a",
        "sleep 1000 & read x; echo a; cat",
        "read x; echo a; sleep 1000",
        "while :; do echo a; done",
    ];
    let before = held();
    for number in 0..200 {
        let command = format!("cmd:sh -c '{}'", scripts[number % scripts.len()]);
        let Ok(Contestant::Program(program)) = command.parse() else { panic!("{command} is a program") };
        let mut bot = Bot::start(&Launch { program: &program, cores: &[], time: None }).unwrap();
        let _ = bot.ask("go", AMPLE);
        match number % 3 {
            0 => drop(bot),
            _ => drop(bot.finish(Duration::from_millis(1))),
        }
    }
    let ended = Instant::now();
    while held() != before {
        assert!(
            ended.elapsed() < AMPLE,
            "threads, files and children: {:?} before, {before:?} now {:?}",
            before,
            held()
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}
