//! The values of keys to try, and the candidates drawn from them.

use std::fmt;
use std::str::FromStr;

use boughs::Rng;
use boughs_agents::AgentSpec;

use crate::ArenaError;

/// A key of an agent and the values to try, as in `c=0.3..2.0`, `c=0.1..10:log`, `batch=8..64` or
/// `playout=light|decisive`.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    key: String,
    values: Values,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    Range { low: f64, high: f64, is_whole: bool, is_log: bool },
    Choices(Vec<String>),
}

impl FromStr for Param {
    type Err = ArenaError;

    fn from_str(text: &str) -> Result<Param, ArenaError> {
        let wrong = || {
            ArenaError::new(format!(
                "'{text}' names no values to try; write one as c=0.3..2.0, c=0.1..10:log or playout=light|decisive"
            ))
        };
        let (key, values) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(wrong)?;
        let key = key.to_string();
        let Some((low, high)) = values.split_once("..") else {
            let choices: Vec<String> = values.split('|').map(str::to_string).collect();
            return match choices.len() > 1 && choices.iter().all(|choice| !choice.is_empty()) {
                true => Ok(Param { key, values: Values::Choices(choices) }),
                false => Err(wrong()),
            };
        };
        let (high, is_log) = high.strip_suffix(":log").map_or((high, false), |high| (high, true));
        let is_whole = [low, high].iter().all(|end| end.parse::<u32>().is_ok());
        let [low, high] = [low, high].map(|end| end.parse::<f64>().ok().filter(|end| end.is_finite()));
        let (Some(low), Some(high)) = (low, high) else { return Err(wrong()) };
        if low >= high || (is_log && low <= 0.0) {
            return Err(ArenaError::new(format!(
                "'{text}' has no values; a range goes from a lower number to a higher one, with :log above 0"
            )));
        }
        Ok(Param { key, values: Values::Range { low, high, is_whole, is_log } })
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.values {
            Values::Range { low, high, is_log, .. } => {
                write!(f, "{}={low}..{high}{}", self.key, if *is_log { ":log" } else { "" })
            }
            Values::Choices(choices) => write!(f, "{}={}", self.key, choices.join("|")),
        }
    }
}

impl Param {
    /// The value at a place in 0..1 of the range.
    fn at(&self, place: f64) -> String {
        match &self.values {
            Values::Choices(choices) => {
                choices[((place * choices.len() as f64) as usize).min(choices.len() - 1)].clone()
            }
            &Values::Range { low, high, is_whole, is_log } => {
                let value = match is_log {
                    true => low * (high / low).powf(place),
                    false => low + (high - low) * place,
                };
                // Three digits are more than any match can tell apart.
                let digits = (2 - value.abs().max(1e-6).log10().floor() as i32).clamp(0, 9) as usize;
                if is_whole { format!("{}", value.round()) } else { trimmed(format!("{value:.digits$}")) }
            }
        }
    }
}

/// Drops zeros at the end of a fraction.
fn trimmed(number: String) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').to_string() } else { number }
}

/// Draws candidates over the ranges. Of each parameter, one value comes from each of `count` equal parts of its range.
///
/// # Errors
/// If the agent has no such key or does not take such a value.
pub fn candidates(base: &AgentSpec, params: &[Param], count: usize, seed: u64) -> Result<Vec<AgentSpec>, ArenaError> {
    let mut drawn = vec![base.clone(); count];
    for (stream, param) in params.iter().enumerate() {
        let mut rng = Rng::new(seed, stream as u64);
        let mut parts: Vec<usize> = (0..count).collect();
        rng.shuffle(&mut parts);
        for (candidate, part) in drawn.iter_mut().zip(parts) {
            let place = (part as f64 + rng.unit()) / count as f64;
            candidate
                .set(&param.key, &param.at(place))
                .map_err(|error| ArenaError::new(format!("--param {param}: {error}")))?;
        }
    }
    let mut different: Vec<AgentSpec> = Vec::new();
    for mut candidate in drawn {
        // A value may be for the values of other keys alone, as that of epsilon is for playouts that learn.
        candidate.leave_out_idle();
        if candidate != *base && !different.contains(&candidate) {
            different.push(candidate);
        }
    }
    Ok(different)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn params_are_written_as_they_are_read() {
        for text in ["c=0.3..2", "c=0.1..10:log", "batch=8..64", "playout=light|decisive"] {
            assert_eq!(text.parse::<Param>().map(|param| param.to_string()), Ok(text.to_string()));
        }
        for text in ["", "c", "c=", "c=1", "c=2..1", "c=0..1:log", "c=a..b", "=1..2", "c=1..inf", "x=a||b"] {
            let error = text.parse::<Param>().expect_err(text).to_string();
            assert!(error.contains(';'), "{error}");
        }
    }

    #[test]
    fn candidates_cover_the_range_and_differ() {
        let base = "mcts".parse().unwrap();
        let params = ["c=0.1..10:log".parse().unwrap(), "batch=1..8".parse().unwrap()];
        let drawn = candidates(&base, &params, 16, 3).unwrap();
        assert!(drawn.len() >= 15, "{}", drawn.len());
        let c = |agent: &AgentSpec| agent.settings().map_or(f64::NAN, |settings| settings.exploration);
        let low = drawn.iter().filter(|agent| c(agent) < 1.0).count();
        assert!((7..=9).contains(&low), "half of them below the middle of the logarithms: {low}");
        assert_eq!(drawn, candidates(&base, &params, 16, 3).unwrap());
        assert_ne!(drawn, candidates(&base, &params, 16, 4).unwrap());
        assert!(candidates(&base, &["colour=1..2".parse().unwrap()], 2, 1).is_err());
    }

    #[test]
    fn a_key_that_changes_nothing_is_not_tried() {
        let params = ["learn=off|mast".parse().unwrap(), "epsilon=0.1..0.5".parse().unwrap()];
        let drawn = candidates(&"mcts".parse().unwrap(), &params, 8, 1).unwrap();
        assert_eq!(drawn.len(), 4, "those that learn");
        assert!(drawn.iter().all(|agent| agent.to_string().starts_with("mcts:learn=mast,epsilon=")), "{drawn:?}");
        let base = "mcts:policy=gumbel,eval=on".parse().unwrap();
        assert_eq!(candidates(&base, &["c=0.1..2".parse().unwrap()], 8, 1).unwrap(), []);
    }

    #[test]
    fn values_have_three_digits() {
        let at = |text: &str, place| text.parse::<Param>().unwrap().at(place);
        assert_eq!([at("c=0.0..1.0", 1.0 / 3.0), at("c=0.0..2000.0", 0.33333)], ["0.333", "667"]);
        assert_eq!([at("x=a|b|c", 0.0), at("x=a|b|c", 0.5), at("x=a|b|c", 1.0)], ["a", "b", "c"]);
    }
}
