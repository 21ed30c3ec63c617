//! The orders of the rank 0 to the others, as JSON.

use std::time::Duration;

use boughs_agents::ranks::Terms;
use serde::{Deserialize, Serialize};

use super::route::Leg;

/// An order to all other ranks.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Order {
    /// Search together.
    Search {
        /// The way to the position from where the last search was.
        leg: Leg,
        /// See [`Terms`].
        playouts: Option<u64>,
        microseconds: Option<u64>,
        early_stop: bool,
    },
    /// The job is done.
    Quit,
}

impl Order {
    pub(super) fn search(leg: Leg, terms: &Terms) -> Order {
        let Terms { playouts, time, early_stop } = *terms;
        let microseconds = time.map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        Order::Search { leg, playouts, microseconds, early_stop }
    }

    /// The terms of a search.
    pub(super) fn terms(playouts: Option<u64>, microseconds: Option<u64>, early_stop: bool) -> Terms {
        Terms { playouts, time: microseconds.map(Duration::from_micros), early_stop }
    }

    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).expect("an order is plain data")
    }
}
