//! Runs a bot and writes its lines as a recording, which `boughs export --recording` takes.
//!
//! `record FILE BOT [ARGUMENT ..]` stands between a referee and a bot, so it is a side of a match, as in
//! `boughs match photosynthesis 'cmd:record turns.txt ./bot' random`. Each game is added at the end of the file.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The file of the recording, in which questions and answers stand in the order in which they pass.
#[derive(Clone)]
struct Recording(Arc<Mutex<File>>);

impl Recording {
    fn add(&self, line: &str) -> io::Result<()> {
        writeln!(self.0.lock().unwrap_or_else(PoisonError::into_inner), "{line}")
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let (Some(file), Some(bot)) = (words.next(), words.next()) else {
        return Err("name the file to write and the bot to run: record FILE BOT [ARGUMENT ..]".into());
    };
    let recording = Recording(Arc::new(Mutex::new(OpenOptions::new().create(true).append(true).open(file)?)));
    recording.add("")?;
    let mut bot = Command::new(bot).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut questions), Some(answers)) = (bot.stdin.take(), bot.stdout.take()) else {
        return Err("the bot has no pipes".into());
    };
    let asked = recording.clone();
    // The thread ends with the process, for the referee may leave its end open.
    thread::spawn(move || -> io::Result<()> {
        for line in io::stdin().lines() {
            let line = line?;
            asked.add(&format!("> {line}"))?;
            writeln!(questions, "{line}")?;
        }
        Ok(())
    });
    for line in BufReader::new(answers).lines() {
        recording.add("<")?;
        writeln!(io::stdout(), "{}", line?)?;
    }
    bot.wait()?;
    Ok(())
}
