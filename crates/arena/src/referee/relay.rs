//! A player between a referee and the program that plays: passes all lines on, and measures each answer.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::Clock;
use crate::program::running_program;

/// The first word of a command line that asks for a [`relay`]: the running program is started with it.
pub const RELAY: &str = "relay";

/// Runs the program of a seat, passes its standard input and output on, and adds each line of its output to a file,
/// with the seat before it and the time that it took, in nanoseconds. The time of an answer begins with the last input
/// before it; a further line of the same answer has the time 0.
///
/// # Errors
/// If the program cannot be started, or its lines cannot be passed on.
pub fn relay(file: &Path, seat: usize, words: &[String]) -> io::Result<ExitStatus> {
    let mut answers = OpenOptions::new().create(true).append(true).open(file)?;
    let (name, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let spawn = |name: &Path| Command::new(name).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = spawn(name.as_ref()).or_else(|error| match running_program(name) {
        Some(running) if error.kind() == io::ErrorKind::NotFound => spawn(&running),
        _ => Err(error),
    })?;
    let asked = Arc::new(Mutex::new(None::<Instant>));
    if let Some(mut input) = child.stdin.take() {
        let asked = asked.clone();
        // This thread may wait for the referee when the program ends, and ends with the process then.
        thread::spawn(move || {
            let (mut from, mut bytes) = (io::stdin().lock(), [0; 1 << 16]);
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                *asked.lock() = Some(Instant::now());
                if input.write_all(&bytes[..count]).is_err() {
                    return;
                }
            }
        });
    }
    let passed = child.stdout.take().map_or(Ok(()), |output| pass_on(output, seat, &asked, &mut answers));
    if passed.is_err() {
        // The referee is gone, and the program would wait for it. One that has ended already need not be killed.
        _ = child.kill();
    }
    let status = child.wait()?;
    passed.map(|()| status)
}

/// Passes the lines of a program on until there are no more, and adds them to the file.
fn pass_on(output: impl Read, seat: usize, asked: &Mutex<Option<Instant>>, answers: &mut File) -> io::Result<()> {
    let (mut output, mut line, mut to) = (BufReader::new(output), Vec::new(), io::stdout().lock());
    while output.read_until(b'\n', &mut line)? > 0 {
        let took = asked.lock().take().map_or(0, |begun| begun.elapsed().as_nanos());
        // In the file before the referee has it, so that the answers of all seats are in their order. One write keeps a
        // line whole.
        let text = String::from_utf8_lossy(&line);
        answers.write_all(format!("{seat} {took} {}\n", text.trim_end_matches(['\n', '\r'])).as_bytes())?;
        to.write_all(&line)?;
        to.flush()?;
        line.clear();
    }
    Ok(())
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
