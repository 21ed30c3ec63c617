//! Maps of Photosynthesis as the official referee makes them from seeds.

use boughs_games::photosynthesis::{Cell, Map};

use crate::{Difference, Found};

/// Checks maps, each of which is a line: seed, richness of all cells in their order, and the first tree of player 0,
/// that of player 1 opposite, and the second of each.
pub(crate) fn check() -> Box<dyn crate::Check> {
    Box::new(Check)
}

struct Check;

impl crate::Check for Check {
    fn line(&mut self, number: usize, text: &str, found: &mut Found) -> Result<(), String> {
        let fields: Vec<&str> = text.trim().split(',').collect();
        if number == 1 && fields[0] == "seed" {
            return Ok(());
        }
        let [seed, richness, trees @ ..] = &fields[..] else { return Err("a seed and a map are missing".to_string()) };
        let seed: i64 = seed.parse().map_err(|_| format!("'{seed}' is no seed"))?;
        let trees: Option<Vec<Cell>> = trees.iter().map(|tree| tree.parse().ok().and_then(Cell::new)).collect();
        let Some([one, opposite, other, last]) = trees.as_deref() else {
            return Err("there should be four trees".to_string());
        };
        let recorded = (richness.to_string(), [one.bit() | other.bit(), opposite.bit() | last.bit()]);
        let map = Map::from_seed(seed);
        let ours: (String, _) = (Cell::all().map(|cell| map.ground.richness(cell).to_string()).collect(), map.trees);
        if recorded == ours {
            found.right.games += 1;
            found.right.steps += 1;
        } else {
            let what = match recorded.0 == ours.0 {
                true => "its trees stand on other cells".to_string(),
                false => format!("its cells are recorded as {richness}, but come out as {}", ours.0),
            };
            found.games.push(Difference { line: number, game: format!("the map of seed {seed}"), what });
        }
        Ok(())
    }
}
