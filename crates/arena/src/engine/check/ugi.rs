//! The steps of an engine that speaks UGI or UAI.

use std::time::{Duration, Instant};

use boughs::{Session, Turn};

use super::{AT_ONCE, QUICKLY, Stepped, Trouble, Try, Walk, unanswered};
use crate::Fault;
use crate::engine::ugi::{client_name, own_name};
use crate::engine::{EngineProtocol, only_a_pass};
use crate::program::plain;

/// All steps, in their order.
pub(super) const STEPS: &[Try] = &[
    ("tells its name, its options and that it is there", introduce),
    ("answers isready with readyok", ready),
    ("goes on after a command that it does not know", unknown),
    ("goes on after characters that no command has", garbage),
    ("takes the default of each of its options", options),
    ("finds a legal move in a time", in_a_time),
    ("finds a legal move by a number of playouts", by_nodes),
    ("finds a legal move by the clocks of both players", by_clocks),
    ("expects legal moves", expects),
    ("stops when it is told to", stops),
    ("answers isready while it searches", ready_meanwhile),
    ("finds legal moves in a game against itself", game),
    ("finds each of them in its time", |walk| walk.keeps_its_time()),
    ("tells whose turn it is and who has won", queries),
    ("begins again at newgame", again),
    ("ends at quit", quit),
];

fn begins_with(line: &str, word: &str) -> bool {
    line.split_whitespace().next() == Some(word)
}

impl Walk<'_> {
    /// Says lines, and waits for a line that begins with a word. Returns all lines until then.
    fn hear(&mut self, says: &str, word: &str, allowed: Duration) -> Result<Vec<String>, Trouble> {
        let mut lines = Vec::new();
        let answered = self.bot()?.ask_until(says, allowed, |line| {
            lines.push(line.to_string());
            begins_with(line, word)
        });
        match answered {
            Ok(_) => Ok(lines),
            Err(fault) => Err(unanswered(fault, says, &lines, &format!("and no '{word}'"))),
        }
    }

    /// Waits until the engine is ready for more.
    fn is_ready(&mut self, says: &str) -> Stepped {
        self.hear(&format!("{says}isready"), "readyok", QUICKLY).map(|_| ())
    }

    /// Searches a position after some moves. Returns the move, and the lines about it.
    fn search(&mut self, position: &dyn Session, moves: &[String], limit: &str) -> Result<(u32, Vec<String>), Trouble> {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let allowed = self.allowed();
        let lines = self.hear(&format!("position startpos{moves}\ngo {limit}"), "bestmove", allowed)?;
        let said = lines.last().and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default();
        match position.find_move(own_name(self.protocol, said)) {
            Some(action) => Ok((action, lines)),
            None => Trouble::failed(format!("'{}' is not legal here:\n{}", plain::shown(said), position.board())),
        }
    }

    /// Searches the start.
    fn search_start(&mut self, limit: &str) -> Result<(u32, Vec<String>), Trouble> {
        let position = self.start.position.clone();
        self.search(&*position, &[], limit)
    }

    fn move_time(&self) -> String {
        format!("movetime {}", self.check.time.as_millis().max(1))
    }
}

fn introduce(walk: &mut Walk<'_>) -> Stepped {
    let name = walk.protocol.name();
    let lines = walk.hear(name, &format!("{name}ok"), QUICKLY)?;
    let has_name = lines.iter().any(|line| line.starts_with("id name "));
    if has_name { Ok(()) } else { Trouble::failed("there is no line 'id name ...'") }
}

fn ready(walk: &mut Walk<'_>) -> Stepped {
    walk.is_ready("")
}

fn unknown(walk: &mut Walk<'_>) -> Stepped {
    walk.is_ready("boughs-no-such-command 1 2\n\n")
}

fn garbage(walk: &mut Walk<'_>) -> Stepped {
    walk.is_ready("\u{1}\u{7f}\u{fffd} \u{2}\n")
}

fn options(walk: &mut Walk<'_>) -> Stepped {
    let name = walk.protocol.name();
    let lines = walk.hear(name, &format!("{name}ok"), QUICKLY)?;
    let defaults: Vec<String> = lines
        .iter()
        .filter_map(|line| {
            let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
            let (_, default) = rest.split_once(" default ")?;
            let default = [" min ", " max ", " var "]
                .iter()
                .fold(default, |text, next| text.split_once(next).map_or(text, |(before, _)| before));
            Some(format!("setoption name {name} value {default}\n"))
        })
        .collect();
    if defaults.is_empty() {
        return Trouble::skipped("it has no options with a default");
    }
    walk.is_ready(&defaults.concat())?;
    walk.search_start("nodes 1").map(|_| ())
}

fn in_a_time(walk: &mut Walk<'_>) -> Stepped {
    let limit = walk.move_time();
    walk.search_start(&limit).map(|_| ())
}

fn by_nodes(walk: &mut Walk<'_>) -> Stepped {
    walk.search_start("nodes 100").map(|_| ())
}

fn by_clocks(walk: &mut Walk<'_>) -> Stepped {
    let time = walk.check.time.saturating_mul(20).as_millis();
    let clocks = match walk.protocol {
        EngineProtocol::Uai => format!("btime {time} wtime {time} binc 0 winc 0"),
        EngineProtocol::Ugi | EngineProtocol::Gtp => format!("p1time {time} p2time {time} p1inc 0 p2inc 0"),
    };
    walk.search_start(&clocks).map(|_| ())
}

fn expects(walk: &mut Walk<'_>) -> Stepped {
    let limit = walk.move_time();
    let (_, lines) = walk.search_start(&limit)?;
    let lines = lines.iter().filter(|line| line.starts_with("info "));
    let variations: Vec<&str> = lines.filter_map(|line| Some(line.split_once(" pv ")?.1)).collect();
    if variations.is_empty() {
        return Trouble::skipped("it says nothing of the moves that it expects");
    }
    for variation in variations {
        let mut position = walk.start.position.clone();
        for text in variation.split_whitespace() {
            match position.find_move(own_name(walk.protocol, text)) {
                Some(action) => position.apply(action),
                None => return Trouble::failed(format!("'{text}' of 'pv {}' is not legal", plain::shown(variation))),
            }
        }
    }
    Ok(())
}

/// Time in which a search has begun, and has ended if it ends by itself at once.
const BEGINNING: Duration = Duration::from_millis(300);

/// The fault of an engine that does not search until it is told to stop.
const EARLY: &str = "it moves before it is told to stop";

/// Begins a search without an end. Returns true if the engine moves by itself.
fn moves_by_itself(walk: &mut Walk<'_>) -> Result<bool, Trouble> {
    let bot = walk.bot()?;
    bot.tell("position startpos\ngo infinite")?;
    let begun = Instant::now();
    while begun.elapsed() < BEGINNING {
        match bot.next_line(BEGINNING.saturating_sub(begun.elapsed())) {
            Ok(line) if begins_with(&line, "bestmove") => return Ok(true),
            // An engine that reads nothing while it searches is found out by the next question.
            Ok(_) | Err(Fault::Late { .. } | Fault::Deaf) => {}
            Err(fault) => return Err(unanswered(fault, "go infinite", &[], "")),
        }
    }
    Ok(false)
}

fn stops(walk: &mut Walk<'_>) -> Stepped {
    if moves_by_itself(walk)? {
        return Trouble::failed(EARLY);
    }
    walk.hear("stop", "bestmove", AT_ONCE).map(|_| ())
}

fn ready_meanwhile(walk: &mut Walk<'_>) -> Stepped {
    let mut is_over = moves_by_itself(walk)?;
    let lines = walk.hear("isready", "readyok", AT_ONCE)?;
    is_over |= lines.iter().any(|line| begins_with(line, "bestmove"));
    if is_over {
        walk.bot()?.tell("stop")?;
        return Trouble::skipped(EARLY);
    }
    walk.hear("stop", "bestmove", AT_ONCE).map(|_| ())
}

fn game(walk: &mut Walk<'_>) -> Stepped {
    let mut position = walk.start.position.clone();
    let (mut moves, limit) = (Vec::new(), walk.move_time());
    let name = walk.protocol.name();
    walk.is_ready(&format!("{name}newgame\n"))?;
    for _ in 0..walk.check.moves {
        if position.turn() == Turn::Over {
            break;
        }
        let action = match only_a_pass(&*position) {
            Some(pass) => pass,
            None => {
                let begun = Instant::now();
                let (action, _) = walk.search(&*position, &moves, &limit)?;
                walk.took(begun.elapsed());
                action
            }
        };
        moves.push(client_name(walk.protocol, &position.action_text(action)));
        position.apply(action);
    }
    Ok(())
}

fn queries(walk: &mut Walk<'_>) -> Stepped {
    if walk.protocol != EngineProtocol::Ugi {
        return Trouble::skipped("UAI has no queries");
    }
    let mut position = walk.start.position.clone();
    let mut moves = Vec::new();
    for action in walk.random_game() {
        moves.push(position.action_text(action));
        position.apply(action);
    }
    let result = match position.reward(0).total_cmp(&position.reward(1)) {
        std::cmp::Ordering::Greater => "p1win",
        std::cmp::Ordering::Less => "p2win",
        std::cmp::Ordering::Equal => "draw",
    };
    let whole = format!("position startpos moves {}\n", moves.join(" "));
    for (before, query, answer) in [
        ("position startpos\n", "p1turn", "true"),
        ("", "gameover", "false"),
        (&*whole, "gameover", "true"),
        ("", "result", result),
    ] {
        let lines = walk.hear(&format!("{before}query {query}"), "response", QUICKLY)?;
        let said = lines.last().map(String::as_str).unwrap_or_default();
        if said.split_whitespace().nth(1) != Some(answer) {
            return Trouble::failed(format!("'query {query}' is answered with '{said}', and not '{answer}'"));
        }
    }
    Ok(())
}

fn again(walk: &mut Walk<'_>) -> Stepped {
    let name = walk.protocol.name();
    walk.is_ready(&format!("{name}newgame\n"))?;
    in_a_time(walk)
}

fn quit(walk: &mut Walk<'_>) -> Stepped {
    walk.bot()?.tell("quit")?;
    walk.ends()
}
