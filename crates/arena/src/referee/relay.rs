//! A player between a referee and the program that plays: passes all lines on, measures each answer, and tells the
//! arena of a program that does not start. Its standard error is the program's.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::Clock;
use crate::program::{running_program, why_not_started};

/// The first word of a command line that asks for a [`relay`]: the running program is started with it.
pub const RELAY: &str = "relay";

/// The file of all answers in the folder of the relays of a game.
pub(super) fn answers(folder: &Path) -> PathBuf {
    folder.join("answers")
}

/// The file with the reason why the program of a seat cannot be started.
pub(super) fn missing(folder: &Path, seat: usize) -> PathBuf {
    folder.join(format!("missing{}", seat + 1))
}

/// The file with the exit status of a program that ended by itself before its first answer.
pub(super) fn silent(folder: &Path, seat: usize) -> PathBuf {
    folder.join(format!("silent{}", seat + 1))
}

/// Runs the program of a seat, passes its standard input and output on, and adds each line of its output to the file
/// `answers` in a folder, with the seat before it and the time that it took, in nanoseconds. The time of an answer
/// begins with the last input before it; a further line of the same answer has the time 0. Two other files of the
/// folder tell of a program that cannot be started, and of one that ends before its first answer.
///
/// # Errors
/// If the program cannot be started, or its lines cannot be passed on.
pub fn relay(folder: &Path, seat: usize, words: &[String]) -> io::Result<ExitStatus> {
    let mut file = OpenOptions::new().create(true).append(true).open(answers(folder))?;
    let (name, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let spawn = |name: &Path| Command::new(name).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let started = spawn(name.as_ref()).or_else(|error| match running_program(name) {
        Some(running) if error.kind() == io::ErrorKind::NotFound => spawn(&running),
        _ => Err(error),
    });
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            std::fs::write(missing(folder, seat), why_not_started(name, &error))?;
            return Err(error);
        }
    };
    let asked = Arc::new(Mutex::new(None::<Instant>));
    let is_let_go = Arc::new(AtomicBool::new(false));
    if let Some(mut input) = child.stdin.take() {
        let (asked, is_let_go) = (asked.clone(), is_let_go.clone());
        // This thread may wait for the referee when the program ends, and ends with the process then.
        thread::spawn(move || {
            let (mut from, mut bytes) = (io::stdin().lock(), [0; 1 << 16]);
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                *asked.lock() = Some(Instant::now());
                if input.write_all(&bytes[..count]).is_err() {
                    return;
                }
            }
            // Before the program sees the end of its input.
            is_let_go.store(true, Relaxed);
        });
    }
    let passed = child.stdout.take().map_or(Ok(0), |output| pass_on(output, seat, &asked, &mut file));
    if passed.is_err() {
        // The referee is gone, and the program would wait for it. One that has ended already need not be killed.
        _ = child.kill();
    }
    let status = child.wait()?;
    if passed? == 0 && !is_let_go.load(Relaxed) {
        std::fs::write(silent(folder, seat), status.to_string())?;
    }
    Ok(status)
}

/// Passes the lines of a program on until there are no more, and adds them to the file. Returns their number.
fn pass_on(output: impl Read, seat: usize, asked: &Mutex<Option<Instant>>, answers: &mut File) -> io::Result<u64> {
    let (mut output, mut line, mut to) = (BufReader::new(output), Vec::new(), io::stdout().lock());
    let mut count = 0;
    while output.read_until(b'\n', &mut line)? > 0 {
        let took = asked.lock().take().map_or(0, |begun| begun.elapsed().as_nanos());
        // In the file before the referee has it, so that the answers of all seats are in their order. One write keeps a
        // line whole.
        let text = String::from_utf8_lossy(&line);
        answers.write_all(format!("{seat} {took} {}\n", text.trim_end_matches(['\n', '\r'])).as_bytes())?;
        to.write_all(&line)?;
        to.flush()?;
        line.clear();
        count += 1;
    }
    Ok(count)
}

/// The answers in a file of relays: the lines of all seats in order, and the time of each seat.
pub(super) fn answers_of(file: &Path, seats: usize) -> (Vec<String>, Vec<Clock>) {
    // Relays that were never started have no file.
    let text = std::fs::read(file).unwrap_or_default();
    let (mut lines, mut clocks) = (Vec::new(), vec![Clock::default(); seats]);
    for line in String::from_utf8_lossy(&text).lines() {
        let mut words = line.splitn(3, ' ');
        let mut number = || words.next().and_then(|word| word.parse().ok());
        if let (Some(seat), Some(took)) = (number(), number())
            && let Some(clock) = clocks.get_mut(seat as usize)
        {
            if took > 0 {
                clock.add(Duration::from_nanos(took), 0);
            }
            lines.push(words.next().unwrap_or_default().to_string());
        }
    }
    (lines, clocks)
}
