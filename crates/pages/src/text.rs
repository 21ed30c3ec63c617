//! Numbers and names as pages write them.

use std::time::Duration;

use boughs_arena::statistics::{Estimate, elo_words};
use boughs_arena::{Ending, Fault, Record};

/// The short name of a contestant: A, B and so on.
pub(crate) fn letter(contestant: usize) -> String {
    match u8::try_from(contestant) {
        Ok(place @ 0..26) => char::from(b'A' + place).to_string(),
        _ => format!("No. {}", contestant + 1),
    }
}

/// Writes a count with its digits in groups of three.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Groups the digits of every number of a text by three; the numbers have no decimals.
pub(crate) fn grouped_within(text: &str) -> String {
    let mut grouped = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        grouped.push(c);
        let follow = rest.as_str().chars().take_while(char::is_ascii_digit).count();
        if c.is_ascii_digit() && follow > 0 && follow % 3 == 0 {
            grouped.push(',');
        }
    }
    grouped
}

/// Writes a number with at most this many digits after the point, and those before it in groups of three.
pub(crate) fn short(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = match whole.parse() {
        Ok(count) => grouped(count),
        // A negative number, or no number.
        Err(_) => whole.to_string(),
    };
    match fraction.trim_end_matches('0') {
        "" => whole,
        fraction => format!("{whole}.{fraction}"),
    }
}

/// The text with spaces at which no line breaks.
pub(crate) fn unbroken(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// Writes the reward of a player.
pub(crate) fn reward(reward: f64) -> String {
    if reward.is_finite() { short(reward, 3) } else { "no number".to_string() }
}

/// Writes a share in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A time in milliseconds.
pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Writes an Elo difference with its error and its interval, which need not be symmetric.
pub(crate) fn elo(estimate: Estimate) -> String {
    match estimate {
        Estimate::Between { low, high, .. } => format!("{estimate:+.1} ({low:+.1} to {high:+.1})"),
        _ => elo_words(estimate),
    }
}

/// Writes the ending of a game.
pub(crate) fn ending(record: &Record) -> String {
    match &record.ending {
        Ending::Over => "by its rules".to_string(),
        Ending::Cut => "cut at its greatest length".to_string(),
        Ending::Forfeit(faults) => {
            let lost = |(seat, fault): &(usize, Fault)| {
                let fault = fault.with_last_words(record.notes.get(*seat).map_or("", String::as_str));
                match record.seats.get(*seat) {
                    Some(&contestant) => format!("{} {fault}", letter(contestant)),
                    None => format!("seat {} {fault}", seat + 1),
                }
            };
            faults.iter().map(lost).collect::<Vec<_>>().join("; ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        for (count, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(count), text);
        }
        assert_eq!(grouped_within("1234567 ± 890"), "1,234,567 ± 890");
        assert_eq!(grouped_within("123"), "123");
    }

    #[test]
    fn numbers_have_no_zeros_at_the_end() {
        for (number, text) in [(1.0, "1"), (0.5, "0.5"), (100.0, "100"), (-3.25, "-3.25"), (0.33333, "0.333")] {
            assert_eq!(reward(number), text);
        }
        assert_eq!(reward(f64::NAN), "no number");
        assert_eq!([short(120.0, 0), short(15_712.34, 1), short(1e6, 3)], ["120", "15,712.3", "1,000,000"]);
    }

    #[test]
    fn contestants_have_letters_as_long_as_there_are_any() {
        assert_eq!([0, 25, 26, 1_000].map(letter), ["A", "Z", "No. 27", "No. 1001"]);
    }
}
