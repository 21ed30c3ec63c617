//! The playouts of the library, by their names.

mod decisive;
mod greedy;

use crate::{End, Game, GameFacts, Heavy, Information, Light, Playout, Rng, SeeMove};
pub use decisive::{AntiDecisive, Decisive};
pub use greedy::Greedy;

/// The playouts of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoutKind {
    /// [`Light`]
    #[default]
    Light,
    /// [`Decisive`]
    Decisive,
    /// [`AntiDecisive`]
    AntiDecisive,
    /// [`Heavy`]
    Heavy,
    /// [`Greedy`]
    Greedy,
}

impl PlayoutKind {
    /// All kinds with their names in a spec.
    pub const ALL: [(&'static str, PlayoutKind); 5] = [
        ("light", PlayoutKind::Light),
        ("decisive", PlayoutKind::Decisive),
        ("anti-decisive", PlayoutKind::AntiDecisive),
        ("heavy", PlayoutKind::Heavy),
        ("greedy", PlayoutKind::Greedy),
    ];

    /// The reason why such playouts do not go with a game, if these facts are one. [`Greedy`] also needs an evaluation.
    pub fn fault(self, facts: &GameFacts) -> Option<&'static str> {
        match self {
            PlayoutKind::Heavy if !facts.heavy_playouts => Some("this game has no knowledge for heavy playouts"),
            PlayoutKind::Greedy if facts.information == Information::Simultaneous => Some(
                "a choice that others do not know yet changes no position, so greedy playouts have nothing to compare",
            ),
            PlayoutKind::Decisive | PlayoutKind::AntiDecisive if facts.rewards.bounds.is_none() => {
                Some("decisive moves win at once, and of scores without bounds none is a win")
            }
            _ => None,
        }
    }

    /// Picks an action.
    pub(crate) fn choose<G: Game>(
        self,
        position: &G,
        rng: &mut Rng,
        scratch: &mut Vec<G::Action>,
    ) -> Option<G::Action> {
        match self {
            PlayoutKind::Light => Light.choose(position, rng, scratch),
            PlayoutKind::Decisive => Decisive.choose(position, rng, scratch),
            PlayoutKind::AntiDecisive => AntiDecisive.choose(position, rng, scratch),
            PlayoutKind::Heavy => Heavy.choose(position, rng, scratch),
            PlayoutKind::Greedy => Greedy::default().choose(position, rng, scratch),
        }
    }

    /// Plays a game to its end.
    pub(crate) fn play<G: Game>(
        self,
        position: &mut G,
        rng: &mut Rng,
        scratch: &mut Vec<G::Action>,
        limit: u32,
        see: Option<SeeMove<'_>>,
    ) -> End {
        match self {
            PlayoutKind::Light => Light.play(position, rng, scratch, limit, see),
            PlayoutKind::Decisive => Decisive.play(position, rng, scratch, limit, see),
            PlayoutKind::AntiDecisive => AntiDecisive.play(position, rng, scratch, limit, see),
            PlayoutKind::Heavy => Heavy.play(position, rng, scratch, limit, see),
            PlayoutKind::Greedy => Greedy::default().play(position, rng, scratch, limit, see),
        }
    }

    /// The playout as an object that a search holds. Epsilon is that of [`Greedy`].
    pub fn build<G: Game>(self, epsilon: f64) -> std::sync::Arc<dyn Playout<G>> {
        match self {
            PlayoutKind::Light => std::sync::Arc::new(Light),
            PlayoutKind::Decisive => std::sync::Arc::new(Decisive),
            PlayoutKind::AntiDecisive => std::sync::Arc::new(AntiDecisive),
            PlayoutKind::Heavy => std::sync::Arc::new(Heavy),
            PlayoutKind::Greedy => std::sync::Arc::new(Greedy { epsilon }),
        }
    }
}
