//! A child process that is told recorded lines and answers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::recording::{Question, Recording};
use crate::fault::ExportError;
use crate::process::is_stopped;

/// The most time for an answer. A budget of playouts without optimisation takes some.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time between two looks at the signals of the export.
const LOOK: Duration = Duration::from_millis(50);

/// The most time for the end of a program whose input has ended.
const ENDING: Duration = Duration::from_secs(1);

/// A program that answers lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// The path of the program and its arguments.
    pub command: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
}

impl Player {
    /// Plays a recording until this number of answers, no longer than until a time. Each game is played by a new
    /// process.
    pub(super) fn play(&self, recording: &Recording, most: usize, until: Instant) -> Result<Vec<String>, ExportError> {
        let mut answers = Vec::new();
        for game in &recording.games {
            let game = &game[..game.len().min(most - answers.len())];
            if !game.is_empty() {
                self.game(game, &mut answers, until).map_err(|fault| {
                    let place = recording.place(answers.len());
                    ExportError::new(format!("'{}' {fault} at {place}", self.command.join(" ")))
                })?;
            }
        }
        Ok(answers)
    }

    fn game(&self, questions: &[Question], answers: &mut Vec<String>, until: Instant) -> Result<(), String> {
        let mut process = Process::start(self)?;
        for question in questions {
            process.tell(&question.lines);
            let until = until.min(Instant::now() + PATIENCE);
            let answer = loop {
                match process.answers.recv_timeout(LOOK) {
                    Ok(answer) => break answer,
                    Err(RecvTimeoutError::Timeout) if Instant::now() < until && !is_stopped() => {}
                    Err(_) => return Err(process.end()),
                }
            };
            answers.push(answer);
        }
        process.end();
        Ok(())
    }
}

/// A running program. It is killed when this is dropped.
struct Process {
    child: Child,
    answers: Receiver<String>,
    errors: Receiver<String>,
}

impl Process {
    fn start(player: &Player) -> Result<Process, String> {
        let (path, arguments) = player.command.split_first().ok_or("has no command")?;
        let mut command = Command::new(path);
        command
            .args(arguments)
            .env("RUST_BACKTRACE", "0")
            .envs(player.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("does not start: {error}"))?;
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let (to_answers, answers) = mpsc::channel();
        thread::spawn(move || send_lines(output, &to_answers));
        let (to_errors, last) = mpsc::channel();
        thread::spawn(move || _ = to_errors.send(last_words(errors)));
        Ok(Process { child, answers, errors: last })
    }

    /// Writes lines. If the program has ended, its missing answer tells.
    fn tell(&mut self, lines: &str) {
        if let Some(input) = &mut self.child.stdin {
            let _ = input.write_all(lines.as_bytes()).and_then(|()| input.flush());
        }
    }

    /// Ends the program and says why it gave no answer.
    fn end(&mut self) -> String {
        let ended = matches!(self.child.try_wait(), Ok(Some(_)));
        drop(self.child.stdin.take());
        let since = Instant::now();
        while since.elapsed() < ENDING && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.kill();
        let status = self.child.wait();
        let said = self.errors.recv_timeout(ENDING).unwrap_or_default();
        match status {
            Ok(status) if ended || !status.success() => format!("ends with {status} instead of an answer ({said})"),
            _ => format!("gives no answer ({said})"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn send_lines(output: Option<ChildStdout>, lines: &mpsc::Sender<String>) {
    let Some(output) = output else { return };
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// The last two lines of standard error, which say why a program ended: a panic tells its place and then its reason.
fn last_words(errors: Option<ChildStderr>) -> String {
    let Some(errors) = errors else { return String::new() };
    let mut last = [String::new(), String::new()];
    for line in BufReader::new(errors).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).trim().to_string();
        if !line.is_empty() && !line.starts_with("note: ") {
            last.rotate_left(1);
            last[1] = line;
        }
    }
    match last.join(" ").trim() {
        "" => "it says nothing".to_string(),
        words => words.to_string(),
    }
}
