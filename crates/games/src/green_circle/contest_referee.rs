//! The referee's side of a game between programs.

use boughs::Rng;

use super::position::GreenCircle;
use super::protocol::{View, read_answer};
use super::referee::{Luck, OwnLuck, judge, offers, random_steps};
use super::step::Step;
use crate::contest_protocol::{ContestReferee, Verdict};

/// Follows a game and writes its questions. The position knows no order of cards, so hands are told in the order of
/// their kinds.
pub(super) struct OfficialReferee {
    /// The generator that resolves RANDOM.
    luck: OwnLuck,
}

impl OfficialReferee {
    pub(super) fn new(luck: Rng) -> OfficialReferee {
        OfficialReferee { luck: luck.into() }
    }
}

impl ContestReferee<GreenCircle> for OfficialReferee {
    fn follow(&mut self, _: &GreenCircle, _: Step) {}

    fn question(&mut self, position: &GreenCircle, player: usize) -> String {
        let hand: Vec<u8> = position.seat(player).hand.list().collect();
        let offers = offers(position, &hand).iter().map(ToString::to_string).collect();
        View::of(position, player, offers).lines().join("\n") + "\n"
    }

    fn judge(&mut self, position: &GreenCircle, _: usize, answer: &str) -> Verdict<Step> {
        let said = read_answer(answer);
        let step = match judge(position, said.command) {
            Ok(Some(step)) => Some(step),
            Ok(None) => self.luck.pick(&random_steps(position)),
            Err(_) => None,
        };
        step.map_or(Verdict::Disqualified, |step| Verdict::done(step, &said.message(position, step)))
    }
}

#[cfg(test)]
mod tests {
    use boughs::notation::find_move;
    use boughs::{Game, Turn};

    use super::super::{Referee, Setup};
    use super::*;
    use crate::NamedGame;

    #[test]
    fn programs_hear_what_the_official_referee_says_but_for_the_order_of_hands() {
        let (mut game, mut rng) = (GreenCircle::not_dealt(), Rng::new(2, 2));
        let mut official = game.referee(Rng::new(1, 1)).expect("a referee");
        let dealt = find_move(&game, "s77").expect("a deal");
        assert_eq!((dealt, game.turn()), (Step::Deal(77), Turn::Chance));
        game.apply(dealt);
        let told = official.question(&game, 0);
        assert_eq!(game, *Referee::new(&Setup::of_seed(77)).position());
        assert_eq!(told, Referee::new(&Setup::of_seed(77)).view().lines().join("\n") + "\n");
        let mut scratch = Vec::new();
        while game.turn() != Turn::Over {
            if let Turn::Player(player) = game.turn() {
                let told = official.question(&game, player);
                let view = View::read(&mut told.as_bytes()).expect("a view").expect("a view");
                let offer = &view.offers[rng.below(view.offers.len() as u32) as usize];
                let judged = official.judge(&game, player, &format!("{offer} ho  ho"));
                let Verdict::Done { action, remark } = judged else { panic!("{offer}") };
                assert_eq!(
                    (find_move(&game, &action.to_string()), &*remark),
                    (Some(action), "says 'ho  ho'"),
                    "{offer}"
                );
                official.follow(&game, action);
                game.apply(action);
            } else {
                let drawn = game.chance(&mut rng, &mut scratch).expect("cards");
                game.apply(drawn);
            }
        }
    }

    #[test]
    fn what_is_no_step_here_loses_and_what_is_legal_though_not_offered_reads_back() {
        let mut game = GreenCircle::new(&Setup::of_seed(3));
        let mut official = game.referee(Rng::new(1, 1)).expect("a referee");
        for line in ["", "DANCE", "MOVE 8", "WAIT", "GIVE 8"] {
            assert_eq!(official.judge(&game, 0, line), Verdict::Disqualified, "{line}");
        }
        assert!(matches!(official.judge(&game, 0, "RANDOM"), Verdict::Done { action: Step::Move { .. }, .. }));
        game.apply(Step::Move { to: 3, from: 3 });
        let swap = Step::Prioritize { drop: 8, take: 8 };
        assert_eq!(official.judge(&game, 0, "TASK_PRIORITIZATION 8 8 ho"), Verdict::done(swap, "ho"));
        assert_eq!(find_move(&game, "P388"), Some(swap));
        assert_eq!(find_move(&game, "s1"), None);
    }
}
