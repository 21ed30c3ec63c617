//! Readers of values: numbers within bounds, and times.

use std::num::{IntErrorKind, ParseIntError};
use std::time::Duration;

use boughs::MAX_THREADS;

/// Reads a number of threads; 0 stands for all cores.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|threads| *threads <= MAX_THREADS);
    number.ok_or_else(|| format!("should be a whole number from 0 to {MAX_THREADS}"))
}

/// Reads a number of threads, at least one.
pub(crate) fn some_threads(text: &str) -> Result<usize, String> {
    let number = threads(text).ok().filter(|threads| *threads > 0);
    number.ok_or_else(|| format!("should be a whole number from 1 to {MAX_THREADS}"))
}

/// Reads a number of logical workers: playouts that one thread has in flight.
pub(crate) fn some_workers(text: &str) -> Result<u32, String> {
    const MOST: u32 = 65_536;
    let number = text.parse().ok().filter(|workers| (1..=MOST).contains(workers));
    number.ok_or_else(|| format!("should be a whole number from 1 to {MOST}"))
}

/// Makes a reader of values with commas between them, which names every one that is at fault.
pub(crate) fn list<T: Send + Sync + 'static>(
    read: impl Fn(&str) -> Result<T, String> + Clone,
) -> impl Fn(&str) -> Result<Vec<T>, String> + Clone {
    move |text| {
        let words: Vec<&str> = text.split(',').collect();
        let fault = |word: &str| Some(format!("'{word}' {}", read(word).err()?));
        let faults: Vec<String> = words.iter().filter_map(|word| fault(word)).collect();
        // The one word of a list stands in the message already.
        if words.len() == 1 || faults.is_empty() {
            words.into_iter().map(&read).collect()
        } else {
            Err(faults.join(", and "))
        }
    }
}

/// Makes a reader of whole numbers from `least` on.
pub(crate) fn whole<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: std::str::FromStr<Err = ParseIntError> + PartialOrd + std::fmt::Display + Copy + Send + Sync + 'static,
{
    move |text| match text.parse() {
        Ok(number) if number >= least => Ok(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Err("is too large a number".to_string()),
        _ => Err(format!("should be a whole number, {least} or more")),
    }
}

/// Makes a reader of whole numbers from `least` to `most`.
pub(crate) fn whole_within(least: u64, most: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| match whole(least)(text) {
        Ok(number) if number > most => Err(format!("should be at most {most}")),
        read => read,
    }
}

/// Makes a reader of numbers from `least` to `most`.
pub(crate) fn number_within(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("should be a number from {least} to {most}")),
    }
}

/// Reads a time such as `2s`, `500ms` or `1.5s`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    // `ms` also ends in `s`, so it comes first.
    const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("min", 60.0), ("s", 1.0), ("h", 3600.0)];
    let wrong = || "should be a time with its unit (ms, s, min or h), such as 500ms or 1.5s".to_string();
    let split = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = split.ok_or_else(wrong)?;
    let number: f64 = number.parse().map_err(|_| wrong())?;
    if !number.is_finite() || number < 0.0 {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "is more time than there is".to_string())
}

/// Reads a number of milliseconds without a unit.
pub(crate) fn milliseconds_of(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.trim().parse::<f64>().ok()? / 1e3).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in
            [("2s", 2.0), ("500ms", 0.5), ("1.5s", 1.5), ("0s", 0.0), ("2min", 120.0), ("1h", 3600.0)]
        {
            assert_eq!(duration(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "s", "2", "ms", "-1s", "nans", "infs", "2 years", "é", "1e400s", "sms"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert_eq!(duration("1e300s"), Err("is more time than there is".to_string()));
    }

    #[test]
    fn every_fault_of_a_list_is_named() {
        let read = list(some_threads);
        assert_eq!(read("2,1"), Ok(vec![2, 1]));
        assert_eq!(read("0"), some_threads("0").map(|number| vec![number]));
        let fault = read("0,2,x").expect_err("two faults");
        assert!(fault.starts_with("'0' should be") && fault.contains(", and 'x' should be"), "{fault}");
    }

    #[test]
    fn whole_numbers_have_a_least_value() {
        let read = whole(1u32);
        assert_eq!((read("1"), read("4294967295")), (Ok(1), Ok(u32::MAX)));
        assert_eq!(read("4294967296"), Err("is too large a number".to_string()));
        assert_eq!((whole_within(1, 9)("9"), whole_within(1, 9)("10").is_err()), (Ok(9), true));
        for text in ["0", "-1", "", "x", "1.5", "1e3"] {
            assert_eq!(read(text), Err("should be a whole number, 1 or more".to_string()), "{text}");
        }
    }

    #[test]
    fn threads_are_bounded() {
        assert_eq!(threads("0"), Ok(0));
        assert_eq!(threads("1024"), Ok(1024));
        assert_eq!((some_threads("1"), some_threads("0").is_err()), (Ok(1), true));
        for text in ["1025", "-1", "", "two", "99999999999999999999999"] {
            assert!(threads(text).is_err(), "{text}");
        }
    }
}
