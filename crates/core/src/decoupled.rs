//! The search of games in which players do not see everything: decoupled UCT and information-set MCTS.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::mem::size_of;

use crate::budget::Pacer;
use crate::children::{lead, rank, Child, WAY};
use crate::policy::Selection;
use crate::tree::Node;
use crate::{Budget, FinalMove, Game, Leaf, LeafEvaluator, Light, Rng, Settings, Turn};

/// A search of a game with simultaneous choices or hidden information, on the thread that calls it.
///
/// A node is what a player knows ([`Game::information`]), so a choice does not depend on what its player cannot see.
/// Where players choose at the same time, this is decoupled UCT: each player has a policy of their own, and the work
/// grows with the sum of the numbers of actions, not with their product. Where something is hidden, it is MO-ISMCTS
/// (Cowling, Powley and Whitehouse 2012): each playout begins in a determinization.
///
/// Where the best strategy is a mixed one, as in rock paper scissors, playouts by UCB1 go round in circles, and means
/// are not the value of the game.
///
/// ```
/// use boughs_core::{Budget, DecoupledSearch, Game, Information, Rewards, Rng, Settings, Turn};
///
/// /// Both players show one to three fingers at once, and more fingers win.
/// #[derive(Clone, Default)]
/// struct Fingers { shown: Vec<u8> }
///
/// impl Game for Fingers {
///     type Action = u8;
///     const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
///     const INFORMATION: Information = Information::Simultaneous;
///     fn turn(&self) -> Turn {
///         if self.shown.len() == 2 { Turn::Over } else { Turn::Player(self.shown.len()) }
///     }
///     fn actions(&self, out: &mut Vec<u8>) {
///         out.extend(1..=3);
///     }
///     fn apply(&mut self, fingers: u8) {
///         self.shown.push(fingers);
///     }
///     fn reward(&self, player: usize) -> f64 {
///         let (own, other) = (self.shown[player], self.shown[1 - player]);
///         if own == other { 0.5 } else { f64::from(u8::from(own > other)) }
///     }
///     fn determinize(&mut self, _: usize, _: &mut Rng) {
///         self.shown.clear(); // no choice is made before all are
///     }
/// }
///
/// let mut search = DecoupledSearch::new(Fingers::default(), Settings::DEFAULT);
/// assert_eq!(search.choose(Budget::iterations(3_000)), Some(3));
/// ```
pub struct DecoupledSearch<G: Game, E = Light> {
    position: G,
    settings: Settings,
    evaluator: E,
    selection: Selection,
    /// The information sets in the order in which they were met, and their places by their keys.
    sets: Vec<InformationSet>,
    places: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    /// The actions of all information sets.
    nodes: Vec<Node<G::Action>>,
    most_sets: usize,
    most_nodes: usize,
    /// The choices of the iteration, each with its player.
    path: Vec<(usize, u8)>,
    rng: Rng,
    actions: Vec<G::Action>,
    priors: Vec<f32>,
    /// The number of this search.
    search: u32,
    playouts: u64,
}

/// An information set: what a player knows.
#[derive(Clone, Copy)]
struct InformationSet {
    key: u64,
    /// The place of its first action, and the number of these.
    first: u32,
    count: u32,
    visits: u32,
    /// The last search that came here.
    search: u32,
}

/// The hash of a key is the key: games give good hashes.
#[derive(Clone, Copy, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The key of what a player knows, also where a game gives small numbers, or numbers with the player in some bits.
fn key<G: Game>(position: &G, player: usize) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    (position.information(player) ^ (player as u64).wrapping_mul(GOLDEN)).wrapping_mul(GOLDEN).rotate_left(32)
}

impl<G: Game> DecoupledSearch<G> {
    /// A search with light playouts.
    pub fn new(position: G, settings: Settings) -> DecoupledSearch<G> {
        DecoupledSearch::with(position, settings, Light)
    }
}

impl<G: Game, E: LeafEvaluator<G>> DecoupledSearch<G, E> {
    /// A search that values leaves by playouts of one's own, or by another evaluator.
    pub fn with(position: G, settings: Settings, evaluator: E) -> DecoupledSearch<G, E> {
        // Half of the memory is for information sets. Seven of eight places of a hash table are used.
        let bytes_a_set = size_of::<InformationSet>() + (size_of::<(u64, u32)>() + 1) * 8 / 7;
        let places = (settings.memory / 2 / bytes_a_set).min(u32::MAX as usize / 2);
        let most_sets = if places < 8 { 0 } else { (places + 1).next_power_of_two() / 2 / 8 * 7 };
        let most_nodes = (settings.memory / 2 / size_of::<Node<G::Action>>()).min(u32::MAX as usize);
        DecoupledSearch {
            evaluator,
            selection: Selection::new(&settings, G::REWARDS.bounds),
            sets: Vec::with_capacity(most_sets),
            places: HashMap::with_capacity_and_hasher(most_sets, BuildHasherDefault::default()),
            nodes: Vec::with_capacity(most_nodes),
            most_sets,
            most_nodes,
            path: Vec::with_capacity(WAY),
            rng: Rng::new(settings.seed, 0),
            actions: Vec::with_capacity(WAY),
            priors: Vec::with_capacity(WAY),
            search: 0,
            playouts: 0,
            position,
            settings,
        }
    }

    /// Searches until the budget is spent, and returns the action to play. `None` if no player acts, or there was no
    /// time for a playout.
    pub fn choose(&mut self, budget: Budget) -> Option<G::Action> {
        self.run(budget);
        self.ranked().first().map(|child| child.action)
    }

    /// Searches until the budget is spent.
    pub fn run(&mut self, budget: Budget) {
        self.search += 1;
        let mut pacer = Pacer::new(budget);
        if let Some((observer, root)) = self.root(&budget) {
            while pacer.goes_on(|to_come| self.is_decided(root, to_come)) {
                self.iterate(observer, &budget);
            }
        }
        self.playouts = pacer.done();
    }

    /// The player who acts, and what this player knows, expanded. `None` if no player acts.
    fn root(&mut self, budget: &Budget) -> Option<(usize, usize)> {
        let player = self.position.turn().player()?;
        let key = key(&self.position, player);
        let known = self.places.get(&key).map(|&place| place as usize);
        let position = self.position.clone();
        Some((player, known.or_else(|| self.expand(key, &position, budget))?))
    }

    /// One iteration: the four steps of Monte Carlo Tree Search.
    fn iterate(&mut self, observer: usize, budget: &Budget) {
        let mut position = self.position.clone();
        position.determinize(observer, &mut self.rng);
        self.path.clear();

        // Selection, and expansion of one information set of each player at most.
        let mut expanded = 0;
        while let Some(action) = self.select(&position, observer, &mut expanded, budget) {
            position.apply(action);
        }

        // Simulation: a playout, or an evaluator, values the leaf.
        let leaf = Leaf { position: &mut position, rng: &mut self.rng, scratch: &mut self.actions, budget };
        let values = self.evaluator.evaluate(leaf);
        self.selection.see(&values, self.position.players());

        // Backpropagation: each choice on the way learns the reward of its player.
        for &(node, player) in &self.path {
            self.nodes[node].add(values[usize::from(player)], self.selection.is_ucb());
        }
    }

    /// The action by which the iteration goes on. `None` at a leaf.
    fn select(&mut self, position: &G, observer: usize, expanded: &mut u32, budget: &Budget) -> Option<G::Action> {
        let player = match position.turn() {
            Turn::Over => return None,
            Turn::Chance => return position.chance(&mut self.rng, &mut self.actions),
            Turn::Player(player) => player,
        };
        let key = key(position, player);
        let place = match self.places.get(&key) {
            Some(&place) => place as usize,
            None if self.may_expand(player, *expanded) => {
                *expanded |= 1 << player;
                self.expand(key, position, budget)?
            }
            // The actions of others before the decision that is searched only have to be likely.
            None if self.path.iter().all(|step| usize::from(step.1) != observer) => {
                return position.random_action(&mut self.rng, &mut self.actions);
            }
            None => return None,
        };
        let InformationSet { first, count, visits, .. } = self.sets[place];
        self.sets[place].visits += 1;
        self.sets[place].search = self.search;
        // Of equals another one is the first each time. Players who took the same ones would go through their actions
        // in step, and never meet other pairs of them.
        let turned = self.rng.below(count);
        let (before, after) = self.nodes[first as usize..(first + count) as usize].split_at(turned as usize);
        let best = self.selection.best(visits, after.iter().chain(before)) as u32;
        let node = (first + (turned + best) % count) as usize;
        self.path.push((node, player as u8));
        Some(self.nodes[node].action)
    }

    /// Returns true if a player may have a new information set: one on a way down, and only if the player's choice
    /// before it was visited often enough.
    fn may_expand(&self, player: usize, expanded: u32) -> bool {
        let before = self.path.iter().rev().find(|step| usize::from(step.1) == player);
        let is_often = before.map_or(true, |step| self.nodes[step.0].visits + 1 >= self.settings.expand_at);
        expanded >> player & 1 == 0
            && (E::HAS_PRIORS || is_often)
            && self.sets.len() < self.most_sets
            && self.path.len() < G::MAX_PLIES as usize
    }

    /// Adds an information set with its actions, and returns its place. `None` if it has none, or there is no room for
    /// them.
    fn expand(&mut self, key: u64, position: &G, budget: &Budget) -> Option<usize> {
        self.actions.clear();
        position.actions(&mut self.actions);
        let (place, first, count) = (self.sets.len(), self.nodes.len(), self.actions.len());
        let has_room = place < self.most_sets && first + count <= self.most_nodes;
        if count == 0 || !has_room || !self.evaluator.expands(position) {
            return None;
        }
        self.priors.clear();
        if E::HAS_PRIORS {
            self.evaluator.priors(position, &self.actions, &mut self.rng, budget, &mut self.priors);
        }
        self.nodes.extend(self.selection.children(&self.actions, &self.priors));
        self.places.insert(key, place as u32);
        let (first, count) = (first as u32, count as u32);
        self.sets.push(InformationSet { key, first, count, visits: 0, search: self.search });
        Some(place)
    }

    /// Returns true if no playout to come can change the action to play.
    fn is_decided(&self, root: usize, to_come: u64) -> bool {
        let children = self.actions_of(root);
        let by_lead = self.settings.final_move == FinalMove::MostPlayouts;
        children.len() == 1 || by_lead && lead(children.iter().map(|child| child.visits)) > to_come
    }

    fn actions_of(&self, place: usize) -> &[Node<G::Action>] {
        let InformationSet { first, count, .. } = self.sets[place];
        &self.nodes[first as usize..(first + count) as usize]
    }

    /// The actions of the player who acts that have a playout, the one to play first. A forced action needs none.
    pub fn ranked(&self) -> Vec<Child<G::Action>> {
        let acts = self.position.turn().player();
        let place = acts.and_then(|player| self.places.get(&key(&self.position, player)));
        let children = place.map_or(&[][..], |&place| self.actions_of(place as usize)).iter();
        let child = |&Node { action, visits, mean, .. }: &Node<_>| Child { action, visits, mean };
        rank(children.map(child), self.settings.final_move)
    }

    /// Plays an action. What the search knows of later choices stays known.
    pub fn advance(&mut self, action: G::Action) {
        self.position.apply(action);
        if self.sets.len() > self.most_sets / 2 || self.nodes.len() > self.most_nodes / 2 {
            self.forget_others();
        }
    }

    /// Sets another position and forgets everything.
    pub fn reset(&mut self, position: G) {
        self.position = position;
        self.sets.clear();
        self.places.clear();
        self.nodes.clear();
        self.selection.forget();
    }

    /// Begins another game with this seed, as a new search would.
    pub fn begin(&mut self, position: G, seed: u64) {
        self.reset(position);
        self.rng = Rng::new(seed, 0);
        self.search = 0;
    }

    /// Forgets the information sets that the last search did not come to. The others slide together.
    fn forget_others(&mut self) {
        self.places.clear();
        let (mut to_set, mut to_node) = (0, 0);
        for from in 0..self.sets.len() {
            let InformationSet { key, first, count, search, .. } = self.sets[from];
            if search == self.search {
                self.nodes.copy_within(first as usize..(first + count) as usize, to_node);
                self.sets[to_set] = InformationSet { first: to_node as u32, ..self.sets[from] };
                self.places.insert(key, to_set as u32);
                to_set += 1;
                to_node += count as usize;
            }
        }
        self.sets.truncate(to_set);
        self.nodes.truncate(to_node);
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The evaluator of leaves.
    pub fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// The playouts of the last search.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<G::Action>>()
            + self.sets.len() * (size_of::<InformationSet>() + (size_of::<(u64, u32)>() + 1) * 8 / 7)
    }
}
