//! All that a page gets is a function of what its seat knows.

use std::net::SocketAddr;

use boughs::{Rng, Session, Turn};
use boughs_agents::AgentSpec;
use boughs_games::start;
use serde_json::{Value, json};

use crate::client::{Page, ask, settings, start as serve};

/// Two histories of a game that a seat cannot tell from each other, as texts of moves.
struct Pair {
    viewer: usize,
    moves: [Vec<String>; 2],
    /// True if the viewer acts after both.
    acts: bool,
}

/// The most moves of a history, but for what chance does then.
const LONGEST: u32 = 24;

/// The texts of actions from a start, and the position after them; `None` if one is illegal.
fn played(start: &dyn Session, actions: &[u32]) -> Option<(Vec<String>, Box<dyn Session>)> {
    let mut position = start.clone_session();
    let mut texts = Vec::new();
    for &action in actions {
        texts.push(position.legal_moves().into_iter().find(|&(legal, _)| legal == action)?.1);
        position.apply(action);
    }
    Some((texts, position))
}

/// Changes one action of a history that is not the viewer's own, or swaps two outcomes of chance.
fn changed(start: &dyn Session, history: &[u32], viewer: usize, rng: &mut Rng) -> Option<Vec<u32>> {
    let mut changed = history.to_vec();
    // A choice that is made at the same time is the last one.
    let at = if rng.below(2) == 0 { history.len() - 1 } else { rng.below(history.len() as u32) as usize };
    let (_, before) = played(start, &history[..at])?;
    match before.turn() {
        Turn::Player(player) if player == viewer => return None,
        Turn::Chance if rng.below(2) == 0 => changed.swap(at, rng.below(history.len() as u32) as usize),
        _ => {
            let legal = before.legal_moves();
            changed[at] = legal[rng.below(legal.len() as u32) as usize].0;
        }
    }
    (changed != history).then_some(changed)
}

/// Pairs of a game, of several lengths. In half of them, if there are so many, the viewer acts.
fn pairs(game: &str, most: usize) -> Vec<Pair> {
    let start = start(game).unwrap().position;
    let mut rng = Rng::new(7, 0);
    let mut found: Vec<Pair> = Vec::new();
    for _ in 0..300 {
        let (mut position, mut history) = (start.clone(), Vec::new());
        let plies = 1 + rng.below(LONGEST) as usize;
        while matches!(position.turn(), Turn::Chance) || history.len() < plies && position.turn() != Turn::Over {
            let step = match position.turn() {
                Turn::Chance => position.chance(&mut rng),
                _ => position.random_action(&mut rng),
            };
            position.apply(step.unwrap());
            history.push(step.unwrap());
        }
        let viewer = rng.below(position.players() as u32) as usize;
        let acts = position.turn() == Turn::Player(viewer);
        let is_wanted = found.len() < most && found.iter().filter(|pair| pair.acts == acts).count() < most.div_ceil(2);
        if position.turn() == Turn::Over || history.is_empty() || !is_wanted {
            continue;
        }
        let other = (0..8).find_map(|_| {
            let (texts, end) = played(&*start, &changed(&*start, &history, viewer, &mut rng)?)?;
            let is_same = end.turn() == position.turn() && end.information(viewer) == position.information(viewer);
            is_same.then_some(texts)
        });
        if let Some(other) = other {
            found.push(Pair { viewer, moves: [played(&*start, &history).unwrap().0, other], acts });
        }
    }
    found
}

/// An answer without its times and the random numbers of its marks.
fn told(mut value: Value) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|name, _| !["seconds", "perSecond", "busy"].contains(&name.as_str()));
                members.values_mut().for_each(strip);
            }
            Value::Array(members) => members.iter_mut().for_each(strip),
            Value::String(text) if text.starts_with('?') => *text = format!("a mark of {} letters", text.len()),
            _ => {}
        }
    }
    strip(&mut value);
    value.to_string()
}

/// All that a page gets to hear of a position.
fn all_news(address: SocketAddr, page: &mut Page, game: &str, moves: &[String], viewer: usize) -> Vec<String> {
    let place = json!({ "game": game, "moves": moves, "viewer": viewer });
    let mut news: Vec<String> =
        ["/api/position", "/api/draw"].map(|path| told(ask(address, path, &place).json())).into();
    let legal = start(game).unwrap().position.legal_moves().into_iter().next().map(|(_, text)| text);
    let line = json!({ "place": place, "line": [legal, "wait"] });
    news.push(told(ask(address, "/api/line", &line).json()));
    let mut wrong = moves.to_vec();
    wrong.push("zz".to_string());
    news.push(told(ask(address, "/api/position", &json!({ "game": game, "moves": wrong, "viewer": viewer })).json()));
    let general =
        AgentSpec::list().into_iter().filter(|agent| agent.game.is_none()).map(|agent| agent.name.to_string());
    let more = ["", "mcts:tree=single", "mcts:tree=multi", "mcts:tree=open", "mcts:policy=rm"].map(String::from);
    for agent in general.chain(more) {
        let search = json!({ "place": place, "agent": agent, "iterations": 60, "time": 5_000 });
        page.order("search", &json!({ "search": search }));
        let end = page.until(|message| {
            message.get("fault").is_some() || ["ended", "failed"].iter().any(|state| message["state"] == *state)
        });
        news.push(format!("{agent}: {}", told(end)));
        for all in [true, false] {
            page.order("tree", &json!({ "tree": { "path": [], "depth": 10, "all": all } }));
            let part = page.until(|message| message.get("part").is_some() || message["order"] == "tree");
            news.push(format!("{agent}, tree: {}", told(part)));
        }
        let mut alone = search;
        alone["alone"] = json!(true);
        page.order("step", &json!({ "search": alone, "count": 3 }));
        let step = page.until(|message| message.get("step").is_some() || message["order"] == "step");
        news.push(format!("{agent}, step: {}", told(step)));
        page.order("leave", &json!({}));
    }
    news
}

/// Compares all that pages get of positions that their seat cannot tell from each other.
fn check(game: &str) {
    let address = serve(settings());
    let mut page = Page::open(address);
    let pairs = pairs(game, 8);
    assert!(pairs.len() >= 4 && pairs.iter().any(|pair| pair.acts), "{game}: {} pairs", pairs.len());
    for Pair { viewer, moves, .. } in pairs {
        let [one, other] = moves.each_ref().map(|moves| all_news(address, &mut page, game, moves, viewer));
        for (one, other) in one.iter().zip(&other) {
            assert_eq!(one, other, "{game}, seat {viewer}: {moves:?}");
        }
    }
}

#[test]
fn a_page_tells_no_choice_that_is_made_at_the_same_time() {
    ["matrix:game=biased", "goofspiel:cards=5", "goofspiel:cards=4,order=descending", "photosynthesis"]
        .into_iter()
        .for_each(check);
}

#[test]
fn a_page_tells_no_hidden_card() {
    ["kuhn", "whist:hand=4", "green-circle"].into_iter().for_each(check);
}
