//! Numbers of a record in a form in which serde reads back what it has written: times in whole nanoseconds, and
//! floating point numbers that JSON does not have as text.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number, or the text of one that JSON has no sign for: `NaN`, `inf`, `-inf`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Exact {
    Number(f64),
    Text(String),
}

impl From<f64> for Exact {
    fn from(value: f64) -> Exact {
        if value.is_finite() { Exact::Number(value) } else { Exact::Text(value.to_string()) }
    }
}

impl Exact {
    fn value<E: serde::de::Error>(self) -> Result<f64, E> {
        match self {
            Exact::Number(value) => Ok(value),
            Exact::Text(text) => text.parse().map_err(|_| E::custom(format!("'{text}' is no number"))),
        }
    }
}

/// Times.
pub(crate) mod nanos {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(time: &Duration, out: S) -> Result<S::Ok, S::Error> {
        u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_nanos)
    }
}

/// Lists of numbers.
pub(crate) mod numbers {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(values: &[f64], out: S) -> Result<S::Ok, S::Error> {
        values.iter().map(|&value| Exact::from(value)).collect::<Vec<_>>().serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        Vec::<Exact>::deserialize(from)?.into_iter().map(Exact::value).collect()
    }
}

/// Numbers by their names.
pub(crate) mod named {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(values: &BTreeMap<String, f64>, out: S) -> Result<S::Ok, S::Error> {
        values.iter().map(|(name, &value)| (name, Exact::from(value))).collect::<BTreeMap<_, _>>().serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
        let values = BTreeMap::<String, Exact>::deserialize(from)?;
        values.into_iter().map(|(name, value)| Ok((name, value.value()?))).collect()
    }
}

/// Lists of numbers by their names.
pub(crate) mod named_lists {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Named(#[serde(with = "super::named")] BTreeMap<String, f64>);

    pub(crate) fn serialize<S: Serializer>(lists: &[BTreeMap<String, f64>], out: S) -> Result<S::Ok, S::Error> {
        lists.iter().map(|list| Named(list.clone())).collect::<Vec<_>>().serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<BTreeMap<String, f64>>, D::Error> {
        Ok(Vec::<Named>::deserialize(from)?.into_iter().map(|named| named.0).collect())
    }
}
