//! The referee's side of a game between programs.

use super::action::{Action, Answer};
use super::map::Map;
use super::protocol::{View, ground_text, read_answer};
use super::random::JavaRandom;
use super::referee::lists;
use super::{Photosynthesis, SEED};
use crate::contest_protocol::{ContestReferee, Verdict};

/// Follows a game and writes its questions. The generator that made the map goes on to shuffle the lists of actions.
pub(super) struct OfficialReferee {
    random: JavaRandom,
    /// The legal actions of both players in the turn under way.
    lists: Option<[Option<Vec<Action>>; 2]>,
    /// True for each player who has been told the ground.
    knows_ground: [bool; 2],
}

impl OfficialReferee {
    /// Begins at the start of a game. On the map of a seed, the past at the start is the seed.
    pub(super) fn new(start: &Photosynthesis) -> OfficialReferee {
        let seed = if start.position.has_map() { start.past.cast_signed() } else { SEED };
        OfficialReferee { random: after_map(seed), lists: None, knows_ground: [false; 2] }
    }

    fn lists(&mut self, position: &Photosynthesis) -> &[Option<Vec<Action>>; 2] {
        self.lists.get_or_insert_with(|| lists(&position.position, &mut self.random))
    }
}

/// The generator of a seed after it has made the map.
fn after_map(seed: i64) -> JavaRandom {
    let mut random = JavaRandom::new(seed);
    Map::generate(&mut random);
    random
}

impl ContestReferee<Photosynthesis> for OfficialReferee {
    fn follow(&mut self, position: &Photosynthesis, action: Action) {
        if let Action::Map(seed) = action {
            self.random = after_map(seed.into());
            return;
        }
        // Lists are drawn in every turn, even if no player is told of them.
        self.lists(position);
        if position.closes_turn() {
            self.lists = None;
        }
    }

    fn question(&mut self, position: &Photosynthesis, player: usize) -> String {
        let list = self.lists(position)[player].clone().unwrap_or_default();
        let view = View::of(&position.position, player, &list).to_string();
        match std::mem::replace(&mut self.knows_ground[player], true) {
            true => view,
            false => ground_text(&position.position.ground()) + &view,
        }
    }

    fn judge(&mut self, position: &Photosynthesis, player: usize, answer: &str) -> Verdict<Action> {
        let said = read_answer(answer);
        match said.answer {
            Answer::Act(action) if position.position.is_legal(player, action) => Verdict::done(action, &said.message),
            Answer::Act(_) | Answer::Nowhere => {
                let refused = format!("is put to sleep, because '{}' is not legal there", answer.trim_end());
                Verdict::Refused { action: Action::Wait, remark: refused }
            }
            Answer::Fault => Verdict::Disqualified,
        }
    }

    fn disqualify(&self, _: &Photosynthesis, _: usize) -> Option<Action> {
        Some(Action::Disqualified)
    }

    /// The contest's framework breaks a game off after 300 questions to both players together; here this happens when
    /// the turn is complete.
    fn breaks_off(&self, position: &Photosynthesis, questions: u64) -> bool {
        questions >= 300 && position.chosen.is_none()
    }
}

#[cfg(test)]
mod tests {
    use boughs::{Game, Rng, Turn};

    use super::super::{Answer, Referee};
    use super::*;
    use crate::NamedGame;

    #[test]
    fn programs_hear_what_the_official_referee_says() {
        for seed in [3, 77, 1_000_000] {
            let (mut game, mut referee) = (Photosynthesis::without_map(), Referee::new(seed.into()));
            let mut official = game.referee(Rng::new(1, 1)).expect("a referee");
            let mut rng = Rng::new(5, u64::from(seed));
            official.follow(&game, Action::Map(seed));
            game.apply(Action::Map(seed));
            assert_eq!(game, Photosynthesis::new(seed.into()));
            let mut is_first = [true; 2];
            while game.turn() != Turn::Over {
                let position = *referee.position();
                let lists = referee.lists();
                let mut answers = [None; 2];
                for player in 0..2 {
                    let Some(list) = &lists[player] else { continue };
                    let ground = if std::mem::take(&mut is_first[player]) {
                        ground_text(&position.ground())
                    } else {
                        String::new()
                    };
                    // Players that are agents are not asked.
                    if rng.below(4) > 0 || !ground.is_empty() {
                        let told = official.question(&game, player);
                        assert_eq!(told, ground + &View::of(&position, player, list).to_string());
                    }
                    let action = rng.pick(list).expect("an action");
                    let judged = official.judge(&game, player, &format!("{action} ho"));
                    assert_eq!(judged, Verdict::done(action, "ho"));
                    answers[player] = Some(Answer::Act(action));
                    official.follow(&game, action);
                    game.apply(action);
                }
                referee.resolve(answers);
                assert_eq!(game.position(), referee.position());
            }
        }
    }

    #[test]
    fn after_three_hundred_questions_the_turn_is_completed() {
        let mut game = Photosynthesis::new(1);
        let official = game.referee(Rng::new(1, 1)).expect("a referee");
        assert!(!official.breaks_off(&game, 299) && official.breaks_off(&game, 300));
        game.apply(Action::Wait);
        assert!(!official.breaks_off(&game, 300) && game.chosen().is_some());
    }

    #[test]
    fn what_is_not_legal_is_sleep_and_what_is_no_command_is_the_end() {
        let game = Photosynthesis::new(1);
        let mut official = game.referee(Rng::new(1, 1)).expect("a referee");
        for line in ["GROW 0", "GROW 37", "COMPLETE 1 please"] {
            let Verdict::Refused { action: Action::Wait, remark } = official.judge(&game, 0, line) else {
                panic!("{line}")
            };
            assert!(remark.contains(line), "{remark}");
        }
        assert_eq!(official.judge(&game, 0, "grow 1"), Verdict::Disqualified);
    }

    #[test]
    fn who_is_disqualified_has_lost_when_the_turn_is_complete_and_two_of_them_are_level() {
        let start = Photosynthesis::new(1);
        let official = start.referee(Rng::new(1, 1)).expect("a referee");
        let disqualified = official.disqualify(&start, 0).expect("an action");
        let ended = |actions: [Action; 2]| {
            let mut game = start;
            for action in actions {
                assert_eq!(boughs::notation::find_move(&game, &action.word()), Some(action));
                assert!(game.turn() != Turn::Over);
                game.apply(action);
            }
            assert_eq!(game.turn(), Turn::Over);
            (game.position().final_scores(), [game.reward(0), game.reward(1)])
        };
        // Each tree counts a point, also one planted in the last turn.
        let mut seeds = Vec::new();
        start.position().legal_actions(1, &mut seeds);
        let seed = seeds.into_iter().find(|action| matches!(action, Action::Seed { .. })).expect("a seed");
        assert_eq!(ended([disqualified, seed]), ([-1, 3], [0.0, 1.0]));
        assert_eq!(ended([Action::Wait, disqualified]), ([2, -1], [1.0, 0.0]));
        assert_eq!(ended([disqualified; 2]), ([-1, -1], [0.5, 0.5]));
    }
}
