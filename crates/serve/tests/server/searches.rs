//! Searches of pages: their news, their ends, and their bounds.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use boughs_serve::Settings;
use serde_json::json;

use crate::client::{Page, search, settings, start};

#[test]
fn news_come_ten_times_a_second_and_stop_with_the_report() {
    let address = start(settings());
    let mut page = Page::open(address);
    page.search("connect4", &["4"], "mcts:threads=2");
    page.until_state("running");
    // A busy machine delays some of them.
    let ten_take = |page: &mut Page| {
        let begun = Instant::now();
        (0..10).for_each(|_| drop(page.until_state("running")));
        begun.elapsed()
    };
    assert!((0..100).any(|_| ten_take(&mut page) < Duration::from_millis(1_050)));
    page.order("stop", &json!({}));
    let last = page.until_state("stopped")["report"].clone();
    page.order("tree", &json!({ "tree": { "path": [], "depth": 1, "all": true } }));
    let part = page.until(|message| message.get("part").is_some())["part"]["tree"].clone();
    assert_eq!(part["visits"], last["iterations"]);
    for child in last["children"].as_array().unwrap() {
        let seen = part["children"].as_array().unwrap().iter().find(|seen| seen["text"] == child["text"]).unwrap();
        assert_eq!((&seen["visits"], &seen["inFlight"]), (&child["playouts"], &json!(0)));
        assert!((seen["mean"].as_f64().unwrap() - child["mean"].as_f64().unwrap()).abs() < 1e-9);
    }
}

#[test]
fn many_pages_read_one_search() {
    const PAGES: usize = 200;
    let address = start(Settings { most_searches: 1, ..settings() });
    let read = |address: SocketAddr| {
        let mut page = Page::open(address);
        page.search("connect4", &[], "mcts");
        page.until_state("running");
        for _ in 0..30 {
            page.until_state("running");
        }
    };
    let readers: Vec<_> = (0..PAGES).map(|_| std::thread::spawn(move || read(address))).collect();
    readers.into_iter().for_each(|reader| reader.join().unwrap());
}

#[test]
fn one_search_waits_for_another_and_a_closed_page_ends_its_own() {
    let address = start(Settings { most_searches: 1, ..settings() });
    let (mut first, mut second) = (Page::open(address), Page::open(address));
    first.search("connect4", &[], "mcts");
    first.until_state("running");
    second.search("connect4", &["4"], "mcts");
    let waiting = second.until_state("waiting");
    assert!(waiting["note"].as_str().unwrap().contains("waits for a place"), "{waiting}");
    drop(first);
    second.until_state("running");
}

#[test]
fn trees_of_stopped_searches_make_room() {
    let address = start(Settings { most_searches: 4, most_memory: 64 << 20, ..settings() });
    let (mut first, mut second) = (Page::open(address), Page::open(address));
    first.search("connect4", &[], "mcts:memory=48M");
    first.until_state("running");
    second.search("connect4", &["4"], "mcts:memory=48M");
    second.until_state("waiting");
    first.order("stop", &json!({}));
    // The page may get both news in one.
    let mut told = first.until_state("stopped");
    second.until_state("running");
    if !told["note"].is_string() {
        told = first.until(|message| message["note"].is_string());
    }
    assert!(told["note"].as_str().unwrap().contains("given up"), "{told}");
    let mut third = Page::open(address);
    third.search("connect4", &["5"], "mcts:memory=900M");
    assert!(third.next()["fault"].as_str().unwrap().contains("64M"));
}

#[test]
fn iterations_go_one_by_one() {
    let address = start(settings());
    let mut page = Page::open(address);
    let mut order = search("tictactoe", &["5"], "mcts");
    order["search"]["alone"] = json!(true);
    for number in 1..=30 {
        page.order("step", &order);
        let step = page.until(|message| message.get("step").is_some())["step"].clone();
        assert_eq!(step["tree"]["visits"], number);
        let iteration = &step["iteration"];
        assert_eq!(iteration["rewards"].as_array().unwrap().len(), 2);
        let plies = iteration["path"].as_array().unwrap().len() + iteration["moves"].as_array().unwrap().len();
        assert!((4..=8).contains(&plies), "{iteration}");
    }
    order["count"] = json!(100);
    page.order("step", &order);
    let step = page.until(|message| message.get("step").is_some())["step"].clone();
    assert_eq!(step["tree"]["visits"], 130);
}

#[test]
fn a_seat_gets_no_report_of_what_it_may_not_know() {
    let address = start(settings());
    let mut page = Page::open(address);
    let order = |viewer: Option<usize>| {
        let place = json!({ "game": "kuhn", "moves": ["KQ"], "viewer": viewer });
        json!({ "search": { "place": place, "agent": "mcts", "iterations": 500 } })
    };
    page.order("search", &order(Some(0)));
    assert_eq!(page.until_state("ended")["report"]["children"].as_array().unwrap().len(), 2);
    page.order("search", &order(Some(1)));
    let closed = page.until_state("ended")["report"].clone();
    assert!(closed["isClosed"] == true && closed["best"].is_string(), "{closed}");
    assert_eq!((&closed["children"], &closed["line"]), (&json!([]), &json!([])));
    page.order("tree", &json!({ "tree": { "path": [], "depth": 1 } }));
    assert!(page.next()["fault"].as_str().unwrap().contains("may not know"));
}

#[test]
fn orders_that_cannot_be_met_get_a_sentence() {
    let address = start(settings());
    let mut page = Page::open(address);
    for (order, word) in [
        (search("connect4", &["9"], "mcts"), "9"),
        (search("connect4", &[], "alphabeta"), "alphabeta"),
        (search("connect4", &[], "mcts:c=-1"), "c"),
        (search("tictactoe", &["1", "4", "2", "5", "3"], "mcts"), "no player"),
        (search("connect4", &[], "mcts:evaluator=/etc/passwd"), "evaluator"),
        (json!({}), "no search"),
    ] {
        page.order("search", &order);
        let message = page.next();
        assert!(message["fault"].as_str().unwrap_or_default().contains(word), "{order}: {message}");
    }
    page.order("search", &search("kuhn", &["KQ"], "mcts:tree=plain"));
    let failed = page.until(|message| message["state"] == "failed" || message.get("fault").is_some());
    let told = failed["note"].as_str().or(failed["fault"].as_str()).unwrap();
    assert!(told.contains("tree"), "{told}");
}

#[test]
fn a_page_stops_for_itself_alone() {
    let address = start(settings());
    let (mut first, mut second) = (Page::open(address), Page::open(address));
    for page in [&mut first, &mut second] {
        page.search("connect4", &["3"], "mcts");
        page.until_state("running");
    }
    first.order("stop", &json!({}));
    let stopped = first.until_state("stopped");
    assert!(stopped["report"]["iterations"].as_u64().unwrap() > 0);
    let now = second.next()["report"]["iterations"].as_u64().unwrap();
    second.until(|message| message["report"]["iterations"].as_u64().unwrap() > now);
    // The first one goes on where the search is by now.
    first.search("connect4", &["3"], "mcts");
    first.until(|message| message["state"] == "running" && message["report"]["iterations"].as_u64() > Some(now));
    second.order("stop", &json!({}));
    second.until_state("stopped");
    first.order("stop", &json!({}));
    first.until_state("stopped");
    first.search("connect4", &["3"], "mcts");
    first.until_state("running");
}

#[test]
fn a_search_that_many_pages_ask_for_at_once_stops_when_all_have_left() {
    let address = start(Settings { most_searches: 1, ..settings() });
    let mut pages: Vec<Page> = (0..6).map(|_| Page::open(address)).collect();
    // Nothing is waited for, so most of them ask before the search has begun.
    pages.iter_mut().for_each(|page| page.search("connect4", &["5"], "mcts"));
    pages.iter_mut().for_each(|page| _ = page.until_state("running"));
    pages.iter_mut().for_each(|page| page.order("stop", &json!({})));
    pages.iter_mut().for_each(|page| _ = page.until_state("stopped"));
    // The search has given its place back.
    let mut other = Page::open(address);
    other.search("connect4", &["6"], "mcts");
    other.until_state("running");
}

#[test]
fn a_search_that_has_ended_goes_on_if_it_is_asked_for_again() {
    let address = start(settings());
    let mut page = Page::open(address);
    let mut order = search("connect4", &[], "mcts");
    order["search"]["iterations"] = json!(1_000);
    page.order("search", &order);
    assert_eq!(page.until_state("ended")["report"]["iterations"], 1_000);
    page.order("search", &order);
    // No news of the run before come between.
    let again = page.until(|message| message["state"] != "running");
    assert_eq!(again["state"], "ended");
    assert_eq!((&again["report"]["inherited"], &again["report"]["iterations"]), (&json!(1_000), &json!(1_000)));
}

#[test]
fn pages_that_ask_for_one_limited_search_get_one_result() {
    let address = start(settings());
    let mut order = search("connect4", &["4"], "mcts");
    order["search"]["iterations"] = json!(3_000);
    let mut pages: Vec<Page> = (0..5).map(|_| Page::open(address)).collect();
    pages.iter_mut().for_each(|page| page.order("search", &order));
    for page in &mut pages {
        let report = page.until_state("ended")["report"].clone();
        assert_eq!((&report["iterations"], &report["inherited"]), (&json!(3_000), &json!(0)));
    }
    // One that comes later reads the result.
    let mut late = Page::open(address);
    late.order("search", &order);
    assert_eq!(late.next()["report"]["iterations"], 3_000);
}

#[test]
fn the_fault_of_a_wrong_order_says_which_search_it_is_of() {
    let address = start(settings());
    let mut page = Page::open(address);
    let mut order = search("connect4", &[], "mcts");
    order["search"]["tag"] = json!(7);
    for seed in [json!(-1), json!("1.5"), json!("18446744073709551616"), json!([])] {
        order["search"]["seed"] = seed;
        page.order("search", &order);
        let told = page.next();
        assert!(told["fault"].as_str().unwrap().contains("a seed is a whole number"), "{told}");
        assert_eq!((&told["name"], &told["tag"]), (&json!("main"), &json!(7)));
    }
    order["search"]["seed"] = json!("18446744073709551615");
    page.order("search", &order);
    page.until_state("running");
}

#[test]
fn a_game_that_panics_gives_its_place_back() {
    let address = start(Settings { most_searches: 1, ..settings() });
    let mut page = Page::open(address);
    page.search("bomb", &[], "mcts");
    page.until_state("failed");
    let mut order = search("bomb", &[], "mcts");
    order["search"]["alone"] = json!(true);
    order["count"] = json!(5);
    page.order("step", &order);
    let told = page.until(|message| message.get("fault").is_some() || message["state"] == "failed");
    assert!(told.to_string().contains("panicked") || told.to_string().contains("ended"), "{told}");
    page.search("connect4", &[], "mcts");
    page.until_state("running");
}

#[test]
fn an_agent_that_knows_all_is_refused_where_a_seat_does_not() {
    let address = start(settings());
    let mut page = Page::open(address);
    let place = json!({ "game": "goofspiel:cards=5,order=descending", "moves": ["3"], "viewer": 1 });
    page.order("search", &json!({ "search": { "place": place, "agent": "mcts:tree=plain" } }));
    assert!(page.next()["fault"].as_str().unwrap().contains("tree=plain"));
    page.order("search", &json!({ "search": { "place": place, "agent": "mcts", "iterations": 100 } }));
    page.until_state("ended");
}

#[test]
fn a_page_is_heard_while_it_steps() {
    let address = start(settings());
    let mut page = Page::open(address);
    let mut order = search("go:size=19", &[], "mcts");
    order["search"]["alone"] = json!(true);
    order["count"] = json!(1_000);
    page.order("step", &order);
    page.send("{}");
    assert!(page.next().get("step").is_none(), "the answer to the second order comes first");
}
