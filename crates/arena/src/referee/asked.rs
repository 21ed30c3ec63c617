//! The older protocol: the referee says which lines a player gets, and how many it has to answer with.

use std::time::Duration;

use boughs::StopFlag;
use boughs_games::FIRST_ANSWER;

use super::{NoResult, PATIENCE, Played, RefereeTable, remark, reward_of_place, rewards_without, without_result};
use crate::plan::Planned;
use crate::program::{Bot, plain};
use crate::{ArenaError, Clock, Fault, Limit};

/// Time in which a program may end by itself after the game.
const FAREWELL: Duration = Duration::from_millis(200);

/// A line of the referee that is not for a player.
#[derive(Debug, PartialEq, Eq)]
enum Order<'l> {
    /// The lines after this are for a seat.
    Input(usize),
    /// A seat has to answer with so many lines.
    Output(usize, usize),
    /// A seat has made a mistake, and what it was.
    Error(usize, &'l str),
    /// The game is over. The seats in the order of their places; those in one word share a place.
    End(&'l str),
}

/// Reads an order. `None` for a line without `###`.
fn read(line: &str) -> Option<Result<Order<'_>, String>> {
    let rest = line.strip_prefix("###")?;
    let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut words = rest.split_whitespace();
    let mut number = || words.next().and_then(|word| word.parse::<usize>().ok());
    let order = match name {
        "Input" => number().map(Order::Input),
        "Output" => number().and_then(|seat| Some(Order::Output(seat, number()?))),
        "Error" => number().map(|seat| Order::Error(seat, rest.split_once(' ').map_or("", |(_, why)| why))),
        "End" => Some(Order::End(rest)),
        _ => None,
    };
    Some(order.ok_or_else(|| format!("said '{}', which is no order", plain::shown(line))))
}

/// The rewards of an order of seats, as in `0 2 13`, where the seats 1 and 3 share the last place.
fn rewards_of(places: &str, seats: usize) -> Option<Vec<f64>> {
    let mut rewards = vec![None; seats];
    let mut place = 0;
    for word in places.split_whitespace() {
        let shared: Option<Vec<usize>> = word.chars().map(|digit| Some(digit.to_digit(10)? as usize)).collect();
        let shared = shared?;
        let middle = place as f64 + (shared.len() - 1) as f64 / 2.0;
        for &seat in &shared {
            let reward = rewards.get_mut(seat)?;
            if reward.replace(reward_of_place(middle, seats)).is_some() {
                return None;
            }
        }
        place += shared.len();
    }
    rewards.into_iter().collect()
}

/// A seat of the game.
struct Seat {
    bot: Bot,
    /// Lines that wait to be told.
    told: String,
    clock: Clock,
    late: u32,
}

impl Seat {
    /// Asks for an answer, with the lines that wait.
    fn ask(&mut self, lines: usize, limit: Limit, grace: Duration) -> Result<Vec<String>, Fault> {
        let time = match limit {
            Limit::Time(time) if self.clock.moves == 0 => time.max(FIRST_ANSWER),
            Limit::Time(time) => time,
            Limit::Playouts(_) => PATIENCE,
        };
        let told = std::mem::take(&mut self.told);
        let answered = self.bot.ask_lines(&told, lines, time.saturating_add(grace));
        let (answer, took) = answered.map_err(|fault| match fault {
            Fault::Exited(status) if self.clock.moves == 0 => {
                Fault::NotStarted(format!("it ended before its first answer ({status})"))
            }
            other => other,
        })?;
        self.clock.add(took, 0);
        self.late += u32::from(took > time);
        Ok(answer)
    }
}

impl RefereeTable<'_> {
    /// Does what the referee asks for, from its first line on.
    pub(super) fn do_what_it_asks(
        &self,
        mut referee: Bot,
        first: String,
        planned: &Planned,
        stop: &StopFlag,
    ) -> Result<Played, NoResult> {
        let mut seats = Vec::new();
        for (seat, &contestant) in planned.seats.iter().enumerate() {
            let crate::Contestant::Program(program) = &self.conditions.contestants[contestant] else {
                return Err(ArenaError::new("a referee plays with programs").into());
            };
            let bot = self.start(program, &self.cores[planned.sides[seat]], stop)?;
            seats.push(Seat { bot, told: String::new(), clock: Clock::default(), late: 0 });
        }
        let mut moves = Vec::new();
        let told = self.follow(&mut referee, first, &mut seats, &mut moves);
        if stop.is_raised() {
            return Err(NoResult::Interrupted);
        }
        let remarks = referee.finish(FAREWELL);
        let (rewards, errors, fault) = match told {
            Ok(Told::End(rewards, errors)) => (rewards, errors, None),
            Ok(Told::Lost(seat, fault)) => (rewards_without(seat, seats.len()), Vec::new(), Some((seat, fault))),
            Err(does) => return Err(self.complaint(&does, Some(&remarks)).into()),
        };
        let (mut clocks, mut notes) = (Vec::new(), Vec::new());
        for Seat { bot, clock, late, .. } in seats {
            let mut own = bot.finish(FAREWELL);
            own.columns.insert("late".to_string(), late.into());
            clocks.push(clock);
            notes.push(own);
        }
        errors.iter().for_each(|(seat, why)| remark(&mut notes[*seat].text, why));
        let says = |why: &str| Fault::Failed(format!("the referee says '{}'", plain::shown(why)));
        let mut faults: Vec<(usize, Fault)> =
            errors.iter().map(|(seat, why)| (*seat, says(why))).chain(fault).collect();
        faults.dedup_by_key(|(seat, _)| *seat);
        Ok(Played { moves, faults, rewards, clocks, notes, said: remarks.text })
    }

    /// Follows the referee to the end of the game, and notes the answers.
    ///
    /// # Errors
    /// What the referee does instead of its part.
    fn follow(
        &self,
        referee: &mut Bot,
        first: String,
        seats: &mut [Seat],
        moves: &mut Vec<String>,
    ) -> Result<Told, String> {
        let (limit, grace) = (self.conditions.limit, self.conditions.grace);
        let (mut line, mut hears, mut errors) = (first, None, Vec::new());
        loop {
            match read(&line) {
                None => {
                    let seat = hears.and_then(|seat: usize| seats.get_mut(seat));
                    let seat = seat.ok_or_else(|| {
                        format!("said '{}' before '###Input' and the number of a seat", plain::shown(&line))
                    })?;
                    seat.told.push_str(&line);
                    seat.told.push('\n');
                }
                Some(order) => match order? {
                    Order::Input(seat) | Order::Output(seat, _) | Order::Error(seat, _) if seat >= seats.len() => {
                        return Err(format!("named seat {seat} of {}, counted from 0", seats.len()));
                    }
                    Order::Input(seat) => {
                        // What waits for an earlier seat can be read while the others play.
                        if let Some(before) = hears.filter(|&before| before != seat) {
                            tell(&mut seats[before]);
                        }
                        hears = Some(seat);
                    }
                    Order::Output(seat, lines) => {
                        hears = None;
                        match seats[seat].ask(lines, limit, grace) {
                            Ok(answer) => {
                                let lines: String = answer.iter().map(|line| format!("{line}\n")).collect();
                                referee.tell(&lines).map_err(|fault| fault.to_string())?;
                                moves.extend(answer);
                            }
                            Err(fault) => return Ok(Told::Lost(seat, fault)),
                        }
                    }
                    Order::Error(seat, why) => errors.push((seat, why.to_string())),
                    Order::End(places) => {
                        let rewards = rewards_of(places, seats.len());
                        let rewards = rewards.ok_or_else(|| {
                            format!("ended with '{}', which is no order of all seats", plain::shown(places))
                        })?;
                        return Ok(Told::End(rewards, errors));
                    }
                },
            }
            line = referee.next_line(PATIENCE).map_err(|fault| without_result(&fault))?;
        }
    }
}

/// Tells a seat what waits. One that does not read is noticed when it is asked.
fn tell(seat: &mut Seat) {
    let told = std::mem::take(&mut seat.told);
    if !told.is_empty() {
        _ = seat.bot.tell(&told);
    }
}

/// The end of a game.
enum Told {
    /// Its rewards, and the mistakes that the referee has named.
    End(Vec<f64>, Vec<(usize, String)>),
    /// A seat lost by a fault that the arena has seen.
    Lost(usize, Fault),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        assert_eq!(read("3 4"), None);
        assert_eq!(read("###Input 1"), Some(Ok(Order::Input(1))));
        assert_eq!(read("###Output 0 5"), Some(Ok(Order::Output(0, 5))));
        assert_eq!(read("###Error 1 no such move"), Some(Ok(Order::Error(1, "no such move"))));
        assert_eq!(read("###End 0 1"), Some(Ok(Order::End("0 1"))));
        for line in ["###Output 1", "###Input x", "###", "###Sing 1"] {
            assert!(matches!(read(line), Some(Err(_))), "{line}");
        }
    }

    #[test]
    fn an_order_of_seats_gives_their_rewards() {
        assert_eq!(rewards_of("1 0", 2), Some(vec![0.0, 1.0]));
        assert_eq!(rewards_of("01", 2), Some(vec![0.5, 0.5]));
        assert_eq!(rewards_of("2 01", 3), Some(vec![0.25, 0.25, 1.0]));
        for places in ["", "0", "0 2", "0 0 1", "0 x", "0 1 2"] {
            assert_eq!(rewards_of(places, 2), None, "{places}");
        }
    }
}
