//! Tests of the whole page.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::statistics::{Anchor, CrossTable, Outcome};
use boughs_arena::{Clock, Ending, EventKey, Fault, Limit, Record, Store, StoredGame};
use data_encoding::BASE64;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::*;

const COMMAND: &str = "boughs match connect4 mcts mcts:c=0.5";

/// Markup and an end of a script, which must not become a part of the page.
const NASTY: &str = "</script><img src=x onerror=alert(1)><!--<script>&amp;\"'\u{2028}";

/// A game of A against B with these moves.
pub(super) fn kept(number: u64, moves: &[&str]) -> StoredGame {
    let record = Record {
        number,
        round: number / 2,
        seats: if number.is_multiple_of(2) { vec![0, 1] } else { vec![1, 0] },
        seed: 1,
        opening: vec![],
        moves: moves.iter().map(ToString::to_string).collect(),
        rewards: vec![1.0, 0.0],
        ending: Ending::Over,
        clocks: vec![Clock::default(); 2],
        notes: vec![String::new(); 2],
        columns: vec![BTreeMap::new(); 2],
        began: 0.0,
        took: Duration::from_millis(1),
    };
    StoredGame { record, replay: format!("{COMMAND} --only {number}"), version: "0".into() }
}

fn conditions(game: &str, contestants: &[&str]) -> Conditions {
    let all = contestants.len();
    Conditions {
        game: game.into(),
        contestants: contestants.iter().map(|text| text.parse().unwrap()).collect(),
        pairings: (0..all).flat_map(|b| (0..b).map(move |a| [a, b])).collect(),
        limit: Limit::Playouts(50),
        grace: Duration::from_millis(20),
        openings: Openings::Random(2, 4),
        seed: 1,
    }
}

/// Calls `make` with a contest whose store has these games.
fn with<T>(conditions: Conditions, games: &[StoredGame], make: impl FnOnce(&Contest<'_>) -> T) -> T {
    let mut store = Store::in_memory().unwrap();
    let key = EventKey { kind: "match".into(), conditions: conditions.text(), command: String::new() };
    let event = store.event(&key).unwrap();
    for kept in games {
        let planned = conditions.planned(kept.record.number, kept.record.seats.len());
        let record = Record { round: planned.round, ..kept.record.clone() };
        store.add(event, &record, &kept.replay).unwrap();
    }
    make(&Contest::new(conditions).unwrap().keep_in(&mut store, "match", COMMAND, |_, _| String::new()).unwrap())
}

fn html(page: &ContestPage<'_>) -> String {
    let mut html = Vec::new();
    page.write(&mut html).unwrap();
    String::from_utf8(html).unwrap()
}

/// The cells of the last row that has this text, after it.
fn cells_of<'a>(html: &'a str, text: &str) -> Vec<&'a str> {
    let (_, row) = html.rsplit_once(text).expect(text);
    let row = row.split_once("</tr>").expect("the end of a row").0;
    row.split("</td>").filter_map(|cell| Some(cell.split_once("<td")?.1.split_once('>')?.1)).collect()
}

/// The plain page of a contest.
fn page_of(conditions: Conditions, games: &[StoredGame]) -> String {
    with(conditions, games, |contest| html(&ContestPage::of(contest, COMMAND)))
}

/// The data for the script of a page.
fn data(html: &str) -> Value {
    let (_, data) = html.split_once("id=\"games\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn played_games_are_in_the_list_and_in_the_data_with_all_their_boards() {
    let mut store = Store::in_memory().unwrap();
    let contest = Contest::new(conditions("hex:size=5", &["mcts", "mcts:c=0.3"])).unwrap();
    let mut contest = contest.keep_in(&mut store, "match", COMMAND, |_, _| COMMAND.into()).unwrap();
    contest.play(3, 2, &StopFlag::default(), &mut |_| ControlFlow::Continue(())).unwrap();
    let html = html(&ContestPage::of(&contest, COMMAND));
    assert_eq!(html.matches("<tr data-game=").count(), 6);
    let data = data(&html);
    assert_eq!((data["games"].as_array().unwrap().len(), data["shapes"].as_array().unwrap().len()), (6, 1));
    assert_eq!(data["shapes"][0]["hexagons"], true);
    for game in data["games"].as_array().unwrap() {
        let plies = game["plies"].as_array().unwrap();
        assert!(plies.len() >= 9 && (2..=4).contains(&game["opening"].as_u64().unwrap()), "{game}");
        assert!(plies.iter().all(|ply| ply["change"].as_array().unwrap().len() == 1), "a stone is one change: {game}");
    }
    for text in ["Elo of A", "nElo", "LOS", "draw ratio", "in 3 pairs", "2 to 4 random moves", "50 playouts"] {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn the_page_loads_nothing() {
    let html = page_of(conditions("connect4", &["mcts", "flat"]), &[kept(0, &["4"]), kept(1, &["4"])]);
    let loads = html.replace("http://www.w3.org/2000/svg", "");
    for part in ["http:", "https:", " src=", "href=", "url(", "@import", "<link", "fetch("] {
        assert!(!loads.contains(part), "{part}");
    }
    assert!(html.contains("default-src 'none'") && !html.contains("NaN"));
}

#[test]
fn a_file_allows_its_script_by_the_hash_and_a_server_by_a_nonce() {
    let games = [kept(0, &["4"]), kept(1, &["4"])];
    let file = page_of(conditions("connect4", &["mcts", "flat"]), &games).replace("&#39;", "'");
    let script = file.rsplit_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
    let hash = BASE64.encode(&Sha256::digest(script));
    assert!(file.contains(&format!("script-src 'sha256-{hash}'")) && !file.contains("nonce"), "{hash}");
    let served = with(conditions("connect4", &["mcts", "flat"]), &games, |contest| {
        html(&ContestPage { nonce: Some("4f".into()), ..ContestPage::of(contest, COMMAND) })
    });
    assert!(served.contains("<script nonce=\"4f\">") && served.contains("nonce-4f") && !served.contains("sha256"));
}

#[test]
fn no_text_from_outside_becomes_a_tag() {
    let program = format!("cmd:./bot '{}'", NASTY.replace('\'', ""));
    let mut game = kept(0, &["4", "4"]);
    let record = &mut game.record;
    record.notes[0] = NASTY.to_string();
    record.columns[1] = BTreeMap::from([(NASTY.to_string(), 1.0)]);
    record.ending = Ending::Forfeit(vec![(0, Fault::Illegal(NASTY.to_string()))]);
    game.replay = NASTY.to_string();
    let mut odd = kept(1, &[]);
    odd.record.moves = vec![NASTY.replace(' ', "\u{a0}").replace(char::is_whitespace, "")];
    let note = [NASTY.to_string()];
    let html = with(conditions("connect4", &["mcts", &program]), &[game, odd], |contest| {
        html(&ContestPage { title: NASTY.to_string(), command: NASTY, notes: &note, ..ContestPage::of(contest, "") })
    });
    for tag in ["<img", "<!--"] {
        assert!(!html.contains(tag), "{tag}");
    }
    assert_eq!(html.matches("<script").count(), 2, "the data, and the script that shows it");
    assert_eq!(html.matches("</script").count(), 2);
    let data = data(&html);
    assert_eq!(data["games"][0]["notes"][0], NASTY);
    assert_eq!(data["games"][0]["replay"], NASTY);
    assert!(data["contestants"][1][1].as_str().unwrap().contains("<img src=x"));
}

#[test]
fn games_left_out_are_counted_and_the_page_says_how_to_see_them() {
    let games: Vec<StoredGame> = (0..10).map(|number| kept(number, &["4", "4"])).collect();
    let html = with(conditions("connect4", &["mcts", "flat"]), &games, |contest| {
        html(&ContestPage { most_games: 4, ..ContestPage::of(contest, COMMAND) })
    });
    assert_eq!(data(&html)["games"].as_array().unwrap().len(), 4);
    assert!(html.contains("6 games are not on this page") && html.contains(&format!("{COMMAND} --only N")));
}

#[test]
fn a_page_without_games_says_so_and_runs_nothing() {
    let contest = Contest::new(conditions("go", &["mcts", "flat"])).unwrap();
    let html = html(&ContestPage::of(&contest, COMMAND));
    assert!(html.contains("There are no games to look at") && !html.contains("<script") && !html.contains("NaN"));
    assert!(html.contains("unknown (no pair of games is complete)"));
}

#[test]
fn more_than_one_pairing_has_ratings_and_a_cross_table() {
    let conditions = conditions("connect4", &["mcts", "flat", "mcts:c=2"]);
    // Three pairings of two games each: the first seat wins, but B wins both games of the last pairing.
    let seats = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
    let game = |(number, seats): (u64, &[usize; 2])| {
        let mut game = kept(number, &["4", "3"]);
        game.record.seats = seats.to_vec();
        if number == 5 {
            game.record.rewards = vec![0.0, 1.0];
        }
        game
    };
    let games: Vec<StoredGame> = (0..).zip(&seats).map(game).collect();
    let mut table = CrossTable::new(3);
    table.add_pair(1, 2, [Outcome::Win; 2]);
    table.add_pair(0, 1, [Outcome::Win, Outcome::Loss]);
    let ratings = Ratings::of(&table, Anchor::Mean);
    let html = with(conditions, &games, |contest| {
        html(&ContestPage { ratings: Some(&ratings), ..ContestPage::of(contest, COMMAND) })
    });
    let rating = |text: &str| cells_of(&html[..html.find("Cross table").unwrap()], text);
    assert_eq!(rating("<code>mcts</code>").last(), Some(&""), "A is the first");
    assert_eq!(rating("<code>flat</code>").last(), Some(&"1 / 2 against place 1"), "B against A, the one above");
    assert_eq!(rating("<code>mcts:c=2</code>").last(), Some(&"0 / 2 against place 2"), "C against B, the one above");
    assert!(rating("<code>mcts:c=2</code>")[1].starts_with("too few games to tell (it lost every game against"));
    let row = |text: &str| html.lines().flat_map(|line| line.split("<tr>")).filter(|row| row.contains(text)).count();
    assert!(html.contains("Tournament at connect4") && html.contains("Ratings"));
    assert_eq!(row("<td></td><td>1 / 2</td><td>1 / 2</td>"), 1, "A in the cross table");
    assert_eq!(row("<td>1 / 2</td><td></td><td>2 / 2</td>"), 1, "B in the cross table");
    assert_eq!(row("<td>1 / 2</td><td>0 / 2</td><td></td>"), 1, "C in the cross table");
    assert!(!html.contains("NaN"));
}

#[test]
fn the_table_of_a_side_covers_all_its_pairings() {
    let mut games: Vec<StoredGame> = [[0, 1], [1, 0], [0, 2], [2, 0]]
        .iter()
        .zip(0..)
        .map(|(seats, number)| {
            let mut game = kept(number, &["4"]);
            game.record.seats = seats.to_vec();
            game.record.clocks[0].add(Duration::from_millis(2 + number), 1_000);
            let seat = usize::from(number % 2 == 1);
            if number < 3 {
                game.record.columns[seat] = BTreeMap::from([("rollouts".to_string(), number as f64)]);
            }
            game
        })
        .collect();
    games[2].record.ending = Ending::Forfeit(vec![(0, Fault::Flooded)]);
    let mut conditions = conditions("connect4", &["mcts", "flat", "beam"]);
    conditions.pairings = vec![[0, 1], [0, 2]];
    let html = page_of(conditions, &games);
    let cells = ["2", "3.00", "4.00", "1,000", "<span class=\"forfeit\">flooded 1</span>", "1"];
    assert_eq!(cells_of(&html, "<b>A</b></td>"), cells);
    assert!(html.contains("aria-label=\"game 2\">2</button>"), "a number alone names no button");
    assert!(html.contains("A lost games by what it did; in game 2 at move 2 it wrote more than it was asked for."));
}

#[test]
fn two_hundred_games_of_forty_plies_are_less_than_three_megabytes() {
    let moves: Vec<String> = (0..40).map(|ply| format!("{}{}", char::from(b'a' + ply / 11), ply % 11 + 1)).collect();
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let games: Vec<StoredGame> = (0..200).map(|number| kept(number, &moves)).collect();
    let html = page_of(conditions("hex", &["mcts", "flat"]), &games);
    assert_eq!(data(&html)["games"].as_array().unwrap().len(), 200);
    assert!(html.len() < 1 << 20, "{}", html.len());
}
