//! Nim for two or three: take any number of stones from one heap; the player who takes the last stone of all wins.
//!
//! For two players every position is solved: the player to move loses exactly if the sizes of the heaps, added in
//! binary without carrying, give 0 (Bouton 1901). For three there is no such rule, because a player who cannot win may
//! still choose the winner.

use boughs::{Action, Game, Rewards, Rng, Turn, TurnOrder};

use crate::{NamedGame, Options};

const MOST_HEAPS: usize = 8;
const MOST_STONES: u8 = 30;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nim {
    heaps: [u8; MOST_HEAPS],
    stones: u8,
    players: u8,
    player: u8,
}

/// A number of stones from one heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    heap: u8,
    stones: u8,
}

impl Action for Take {
    #[inline]
    fn code(self) -> u32 {
        u32::from(self.heap) << 8 | u32::from(self.stones)
    }
    #[inline]
    fn from_code(code: u32) -> Take {
        Take { heap: (code >> 8) as u8, stones: code as u8 }
    }
}

impl Nim {
    /// The start of a game with these heaps. `None` unless there are 1 to 8 heaps of 1 to 30 stones and two or three
    /// players.
    pub fn new(heaps: &[u8], players: usize) -> Option<Nim> {
        let fits = (1..=MOST_HEAPS).contains(&heaps.len())
            && heaps.iter().all(|heap| (1..=MOST_STONES).contains(heap))
            && (2..=3).contains(&players);
        fits.then(|| {
            let mut nim = Nim { heaps: [0; _], stones: heaps.iter().sum(), players: players as u8, player: 0 };
            nim.heaps[..heaps.len()].copy_from_slice(heaps);
            nim
        })
    }

    /// Reads the heaps of a spec: `3-4-5`.
    fn heaps_of(text: &str) -> Option<Vec<u8>> {
        text.split('-').map(|heap| heap.parse().ok()).collect()
    }
}

impl Game for Nim {
    type Action = Take;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    const MAX_PLIES: u32 = MOST_HEAPS as u32 * MOST_STONES as u32;
    const ACTIONS_RECUR: bool = false;

    #[inline]
    fn players(&self) -> usize {
        usize::from(self.players)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.stones == 0 { Turn::Over } else { Turn::Player(usize::from(self.player)) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Take>) {
        for (heap, &most) in (0..).zip(&self.heaps) {
            out.extend((1..=most).map(|stones| Take { heap, stones }));
        }
    }

    #[inline]
    fn apply(&mut self, take: Take) {
        self.heaps[usize::from(take.heap)] -= take.stones;
        self.stones -= take.stones;
        self.player = if self.player + 1 == self.players { 0 } else { self.player + 1 };
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        let next = (player + 1) % self.players();
        f64::from(u8::from(next == usize::from(self.player)))
    }

    /// Picks a stone at random. There are as many actions as stones, because each stone is the last one that some
    /// action takes.
    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Take>) -> Option<Take> {
        let mut stone = rng.below(u32::from(self.stones)) as u8;
        for (heap, &stones) in (0..).zip(&self.heaps) {
            if stone < stones {
                return Some(Take { heap, stones: stone + 1 });
            }
            stone -= stones;
        }
        None
    }

    fn action_text(&self, take: Take) -> String {
        format!("{}{}", char::from(b'a' + take.heap), take.stones)
    }

    fn board(&self) -> String {
        let used = self.heaps.iter().rposition(|&stones| stones > 0).map_or(1, |last| last + 1);
        let heap = |(letter, &stones): (char, &u8)| format!("{letter} {}\n", "o".repeat(usize::from(stones)));
        ('a'..).zip(&self.heaps[..used]).map(heap).collect()
    }
}

impl NamedGame for Nim {
    const NAME: &'static str = "nim";
    const SUMMARY: &'static str =
        "Nim for two or three: take stones from one heap; the player who takes the last one wins.";
    const NOTATION: &'static str = "a move is the letter of a heap and how many stones are taken from it: b3 a1";
    const OPTIONS: &'static str =
        "heaps=1 to 8 numbers of 1..30 with - between them (default 3-4-5), players=2..3 (default 3)";
    const BENCH: [&'static str; 3] = ["", "c1", "c1 b2"];

    fn start(options: &mut Options) -> Result<Nim, String> {
        let heaps = options.text("heaps")?.unwrap_or_else(|| "3-4-5".to_string());
        let players = options.number("players", 2..=3, 3)?;
        Nim::heaps_of(&heaps).and_then(|heaps| Nim::new(&heaps, players as usize)).ok_or_else(|| {
            format!("heaps must be 1 to {MOST_HEAPS} numbers from 1 to {MOST_STONES} as in 3-4-5, not '{heaps}'")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::play_moves;

    fn nexts(nim: &Nim) -> impl Iterator<Item = Nim> {
        let mut actions = Vec::new();
        nim.actions(&mut actions);
        actions.into_iter().map(|take| {
            let mut next = *nim;
            next.apply(take);
            next
        })
    }

    /// Returns true if `hero` can win against all others together, found by trying everything.
    fn can_force(nim: &Nim, hero: usize) -> bool {
        match nim.turn() {
            Turn::Player(player) if player == hero => nexts(nim).any(|next| can_force(&next, hero)),
            Turn::Player(_) => nexts(nim).all(|next| can_force(&next, hero)),
            _ => nim.reward(hero) == 1.0,
        }
    }

    /// The players who may win if every player plays only for a win of their own (max^n: Luckhardt and Irani 1986), one
    /// bit each. If several moves are equally good for a player, any of them may be played.
    fn may_win(nim: &Nim) -> u8 {
        let Turn::Player(player) = nim.turn() else {
            return (0..nim.players())
                .filter(|&player| nim.reward(player) == 1.0)
                .fold(0, |all, player| all | 1 << player);
        };
        let outcomes: Vec<u8> = nexts(nim).map(|next| may_win(&next)).collect();
        let own = 1 << player;
        match outcomes.contains(&own) {
            true => own,
            false => outcomes.iter().fold(0, |all, winners| all | winners),
        }
    }

    /// All games with one to `heaps` heaps of at most `stones`, smaller heaps first.
    fn games(heaps: usize, stones: u8, players: usize) -> Vec<Nim> {
        let mut lists: Vec<Vec<u8>> = vec![vec![]];
        // Each list is extended by heaps at least as large as its last one.
        let mut next = 0;
        while let Some(list) = lists.get(next).cloned() {
            let least = list.last().copied().unwrap_or(1);
            if list.len() < heaps {
                lists.extend((least..=stones).map(|heap| [&list[..], &[heap]].concat()));
            }
            next += 1;
        }
        lists[1..].iter().map(|heaps| Nim::new(heaps, players).expect("a game")).collect()
    }

    #[test]
    fn of_two_players_the_first_wins_exactly_where_the_heaps_do_not_cancel() {
        let games = games(3, 4, 2);
        assert_eq!(games.len(), 34);
        for nim in games {
            let cancels = nim.heaps.iter().fold(0, |sum, heap| sum ^ heap) == 0;
            assert_eq!((can_force(&nim, 0), can_force(&nim, 1)), (!cancels, cancels), "{:?}", nim.heaps);
        }
    }

    #[test]
    fn of_three_players_the_order_decides_where_all_heaps_are_single_stones() {
        for heaps in 1..=8 {
            let nim = Nim::new(&vec![1; heaps], 3).expect("a game");
            let winners: Vec<usize> = (0..3).filter(|&player| can_force(&nim, player)).collect();
            assert_eq!(winners, [(heaps - 1) % 3], "{heaps} heaps");
        }
    }

    #[test]
    fn of_three_players_one_can_beat_the_others_only_where_all_heaps_but_one_are_single_stones() {
        let mut forced = Vec::new();
        for nim in games(3, 3, 3).into_iter().chain(games(4, 2, 3).into_iter().filter(|nim| nim.heaps[3] > 0)) {
            let winners: Vec<usize> = (0..3).filter(|&player| can_force(&nim, player)).collect();
            let heaps: Vec<u8> = nim.heaps.into_iter().filter(|&heap| heap > 0).collect();
            if let [winner] = winners[..] {
                assert_eq!(may_win(&nim), 1 << winner, "{heaps:?}");
                forced.push((heaps, winner));
            } else {
                assert!(winners.is_empty(), "{heaps:?}: {winners:?}");
            }
        }
        forced.sort();
        let known = [
            (vec![1], 0),
            (vec![1, 1], 1),
            (vec![1, 1, 1], 2),
            (vec![1, 1, 1, 1], 0),
            (vec![1, 1, 1, 2], 0),
            (vec![1, 1, 2], 0),
            (vec![1, 1, 3], 0),
            (vec![2], 0),
            (vec![3], 0),
        ];
        assert_eq!(forced, known);
    }

    #[test]
    fn who_cannot_win_decides_who_does() {
        // From heaps of one and two stones the first player can take either heap, or one stone of two.
        let nim = Nim::new(&[1, 2], 3).expect("a game");
        assert_eq!(may_win(&nim), 0b110);
    }

    #[test]
    fn every_number_of_stones_can_be_taken_from_every_heap() {
        let mut nim = Nim::new(&[2, 3], 2).expect("a game");
        let error = play_moves(&mut nim, "a3").expect_err("there are two stones");
        assert_eq!(error.to_string(), "move 1, column 1: 'a3' is not a legal move here; legal are a1 a2 b1 b2 b3");
        play_moves(&mut nim, "b3a1").expect("three of three and one of two");
        assert_eq!((nim.turn(), nim.board()), (Turn::Player(0), "a o\n".to_string()));
    }
}
