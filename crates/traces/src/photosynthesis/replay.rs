//! Replay of a recorded game by the rules.

use boughs_games::photosynthesis::protocol::read_answer;
use boughs_games::photosynthesis::{Answer, Cell, Outcome, Position, Referee, in_spiral};

use super::super::same;
use super::trace::{Day, End, Event, Trace, Tree, Turn};

/// The recorded answer of a player who did not answer in time.
const LATE: &str = "<timeout>";

/// A game that is being replayed.
struct Replay {
    referee: Referee,
    turns: u32,
    asked: u32,
}

/// Replays a game to its end. Returns the number of its turns, or the first difference.
pub(super) fn replay(trace: &Trace) -> Result<u32, String> {
    let seed: i64 = trace.seed.parse().map_err(|_| format!("the seed '{}' is not a number", trace.seed))?;
    same("v", &trace.v, &1)?;
    same("league", &trace.league, &3)?;
    let referee = Referee::new(seed).with_nutrients(trace.start_nutrients);
    let mut replay = Replay { referee, turns: 0, asked: 0 };
    replay.check_map(trace)?;
    for event in &trace.events {
        match event {
            Event::Day(day) => replay.check_day(day).map_err(|what| format!("day {}: {what}", day.day))?,
            Event::Turn(turn) => replay.play(turn).map_err(|what| format!("turn {}: {what}", turn.t))?,
        }
    }
    replay.check_end(&trace.end).map_err(|what| format!("end: {what}"))?;
    Ok(replay.turns)
}

impl Replay {
    fn position(&self) -> &Position {
        self.referee.position()
    }

    fn check_map(&self, trace: &Trace) -> Result<(), String> {
        let ground = self.position().ground();
        let cells: Vec<_> = Cell::all()
            .map(|cell| {
                let around = [0, 1, 2, 3, 4, 5].map(|side| cell.neighbour(side).map_or(-1, |next| next.index() as i32));
                (cell.index(), ground.richness(cell), around)
            })
            .collect();
        same("cells", &trace.cells, &cells)?;
        same("initial_trees", &trace.initial_trees, &trees(self.position()))
    }

    fn check_day(&self, day: &Day) -> Result<(), String> {
        let position = self.position();
        same("day", &day.day, &position.day())?;
        same("sun_dir", &day.sun_dir, &position.sun_direction())?;
        let levels = position.shadows(position.sun_direction());
        let shadows: Vec<[u32; 2]> = in_spiral(levels[1])
            .map(|cell| [cell.index(), levels.iter().filter(|&level| level & cell.bit() != 0).count() as u32])
            .collect();
        same("shadows", &day.shadows, &shadows)?;
        same("gain", &day.gain, &position.income(position.sun_direction()))?;
        same("sun", &day.sun, &[0, 1].map(|player| position.sun(player)))
    }

    fn play(&mut self, turn: &Turn) -> Result<(), String> {
        let position = *self.position();
        same("t", &turn.t, &self.turns)?;
        same("whether the game goes on", &true, &!position.is_over())?;
        same("day", &turn.day, &position.day())?;
        same("nut", &turn.nut, &position.nutrients())?;
        same("sun", &turn.sun, &[0, 1].map(|player| position.sun(player)))?;
        same("score", &turn.score, &[0, 1].map(|player| position.score(player)))?;
        same("wait", &turn.wait, &[0, 1].map(|player| u8::from(position.is_asleep(player))))?;
        same("trees", &turn.trees, &trees(&position))?;
        let lists = self.referee.lists();
        let lists = lists.map(|list| list.map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>()));
        for (player, (recorded, ours)) in turn.legal.iter().zip(&lists).enumerate() {
            same_list(recorded.as_deref(), ours.as_deref())
                .map_err(|what| format!("legal of player {player}: {what}"))?;
        }
        let answers = [0, 1].map(|player| turn.act[player].as_deref().map(answer));
        let outcomes = self.referee.resolve(answers);
        same("res", &turn.res, &outcomes.map(|outcome| outcome.map(|outcome| word(outcome).to_string())))?;
        self.turns += 1;
        self.asked += answers.iter().flatten().count() as u32;
        Ok(())
    }

    fn check_end(&self, end: &End) -> Result<(), String> {
        let position = self.position();
        same("whether the game is over", &true, &position.is_over())?;
        same("trees", &end.trees, &trees(position))?;
        same("nut", &end.nut, &position.nutrients())?;
        same("days_played", &end.days_played, &position.day())?;
        same("sun", &end.sun, &[0, 1].map(|player| position.sun(player)))?;
        same("active", &end.active, &[0, 1].map(|player| u8::from(!position.is_disqualified(player))))?;
        same("score_before_end", &end.score_before_end, &[0, 1].map(|player| position.score(player)))?;
        same("tree_count", &end.tree_count, &[0, 1].map(|player| position.trees(player).count_ones()))?;
        let [first, second] = position.final_scores();
        same("score", &end.score, &[first, second])?;
        let winner = match first.cmp(&second) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => -1,
        };
        same("winner", &end.winner, &winner)?;
        same("turns", &end.turns, &self.turns)?;
        same("player_turns", &end.player_turns, &self.asked)
    }
}

/// Compares sets of legal actions. The error tells the missing and the surplus ones.
fn same_list(recorded: Option<&[String]>, ours: Option<&[String]>) -> Result<(), String> {
    if recorded == ours {
        return Ok(());
    }
    let (Some(recorded), Some(ours)) = (recorded, ours) else {
        return Err(format!(
            "the player is {} by the record, and here the other way round",
            asleep(recorded.is_none())
        ));
    };
    let without = |list: &[String], other: &[String]| {
        let rest: Vec<&str> = list.iter().filter(|action| !other.contains(action)).map(String::as_str).collect();
        if rest.is_empty() { "nothing".to_string() } else { rest.join(", ") }
    };
    let (missing, much) = (without(recorded, ours), without(ours, recorded));
    match (missing.as_str(), much.as_str()) {
        ("nothing", "nothing") => Err("the same actions come in another order".to_string()),
        _ => Err(format!("{missing} is missing, {much} is too much")),
    }
}

fn asleep(is_asleep: bool) -> &'static str {
    if is_asleep { "asleep" } else { "awake" }
}

fn trees(position: &Position) -> Vec<Tree> {
    let holds = |set: u64, cell: Cell| u32::from(set & cell.bit() != 0);
    in_spiral(position.trees(0) | position.trees(1))
        .map(|cell| {
            let size = (0..4).map(|size| size * holds(position.of_size(size as usize), cell)).sum();
            [cell.index(), size, holds(position.trees(1), cell), holds(position.dormant(), cell)]
        })
        .collect()
}

fn answer(line: &str) -> Answer {
    if line == LATE { Answer::Fault } else { read_answer(line).answer }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "ok",
        Outcome::Asleep => "wait",
        Outcome::Refused => "illegal",
        Outcome::Clash => "conflict",
        Outcome::Disqualified => "disqualified",
    }
}
