//! Questions for positions, for chance, and for files.

use serde_json::{Value, json};

use crate::client::{ask, request, settings, start};

#[test]
fn the_page_and_all_its_files_are_there_and_name_nothing_from_elsewhere() {
    let address = start(settings());
    let get = |path: &str| request(address, &format!("GET {path}"), &format!("Host: {address}\r\n"), "");
    let page = get("/");
    assert_eq!(page.status, 200);
    let files: Vec<&str> = page.body.split('"').filter(|text| text.starts_with("/assets/")).collect();
    assert!(files.len() >= 4, "{files:?}");
    for path in files {
        let file = get(path);
        assert_eq!(file.status, 200, "{path}");
        let imports = file.body.split('"').filter(|text| text.starts_with("./") && text.ends_with(".js"));
        for import in imports {
            assert_eq!(get(&format!("/assets/{}", &import[2..])).status, 200, "{import}");
        }
        let foreign = file.body.split('"').filter(|text| text.starts_with("http") && !text.contains("www.w3.org"));
        assert_eq!(foreign.count(), 0, "{path}");
    }
    assert!(!page.body.contains("http"), "the page loads nothing from elsewhere");
}

#[test]
fn every_game_has_a_position_that_can_be_played_on() {
    let address = start(settings());
    for game in boughs_games::entries().iter().filter(|game| game.name != "bomb") {
        let answer = ask(address, "/api/draw", &json!({ "game": game.name }));
        let view = answer.json();
        assert_eq!((answer.status, &view["turn"]), (200, &json!("player")), "{}: {view}", game.name);
        let moves: Vec<String> = view["moves"].as_array().unwrap().iter().map(|one| one["text"].to_string()).collect();
        let mut moves: Vec<String> = moves.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        let legal = view["legal"][0]["text"].as_str().unwrap();
        moves.push(legal.to_string());
        let next = ask(address, "/api/position", &json!({ "game": game.name, "moves": moves }));
        assert_eq!(next.status, 200, "{}: {}", game.name, next.body);
        assert_eq!(next.json()["moves"].as_array().unwrap().len(), moves.len(), "{}", game.name);
    }
}

#[test]
fn hidden_cards_are_in_no_answer() {
    let address = start(settings());
    for (game, seats) in [("kuhn", 2), ("whist", 3)] {
        for viewer in 0..seats {
            let dealt = ask(address, "/api/draw", &json!({ "game": game, "viewer": viewer })).json();
            let moves: Vec<&str> =
                dealt["moves"].as_array().unwrap().iter().map(|m| m["text"].as_str().unwrap()).collect();
            assert!(moves.iter().all(|text| text.starts_with('?')), "{game}: {moves:?}");
            // An onlooker sees all of the same game.
            let all = ask(address, "/api/position", &json!({ "game": game, "moves": moves })).json();
            let deal: Vec<&str> =
                all["moves"].as_array().unwrap().iter().map(|m| m["text"].as_str().unwrap()).collect();
            let own = dealt["board"].as_str().unwrap();
            let shown = deal.iter().filter(|card| own.contains(**card)).count();
            assert!(shown < deal.len(), "{game}: {own}");
            // What is no player's own stands nowhere in what this viewer gets.
            let hidden: Vec<&&str> = deal.iter().filter(|card| !own.contains(**card)).collect();
            let text = dealt.to_string().replace(dealt["notation"].as_str().unwrap(), "");
            assert!(
                game == "kuhn" || hidden.iter().all(|card| !text.contains(&format!("\"{card}\""))),
                "{game}: {text}"
            );
            // The cards of others lie face down in its picture.
            let hands: Vec<&Value> = dealt["picture"].as_array().unwrap().iter().collect();
            let hands = hands.into_iter().filter(|part| part["handOf"].is_u64()).collect::<Vec<_>>();
            assert_eq!(hands.len(), seats, "{game}");
            for part in hands {
                let is_own = part["handOf"] == viewer;
                assert_eq!(part["hidden"] == 0, is_own, "{game}: {part}");
                assert_eq!(part["pile"].as_array().unwrap().is_empty(), !is_own, "{game}: {part}");
            }
            if dealt["seat"] != viewer {
                assert_eq!(dealt["legal"], json!([]), "{game}");
            }
        }
    }
}

#[test]
fn games_are_written_and_read_as_sgf() {
    let address = start(settings());
    let moves = json!([
        { "after": null, "text": "e5" }, { "after": 0, "text": "c3" }, { "after": 1, "text": "pass" },
        { "after": 0, "text": "g7" },
    ]);
    let written = ask(address, "/api/sgf/write", &json!({ "game": "go:size=9", "moves": moves })).json();
    assert!(written["text"].as_str().unwrap().ends_with(";B[ee](;W[cg];B[])(;W[gc]))\n"), "{written}");
    let read = ask(address, "/api/sgf/read", &json!({ "text": written["text"] })).json();
    assert_eq!((&read["moves"], &read["leftOut"]), (&moves, &json!([])), "{written}");
    let wrong = ask(address, "/api/sgf/write", &json!({ "game": "go", "moves": [{ "after": 4, "text": "e5" }] }));
    assert_eq!(wrong.status, 400);
    let refused = ask(address, "/api/sgf/read", &json!({ "text": "(;GM[1" }));
    assert!(refused.status == 400 && refused.json()["fault"].is_string());
}

#[test]
fn wrong_questions_are_told_what_is_wrong() {
    let address = start(settings());
    for (question, word) in [
        (json!({ "game": "chess" }), "chess"),
        (json!({ "game": "hex:size=99" }), "size"),
        (json!({ "game": "connect4", "moves": ["9"] }), "9"),
        (json!({ "game": "connect4", "moves": ["?0000"] }), "hidden"),
        (json!({ "game": "connect4", "viewer": 2 }), "2 seats"),
        (json!({ "game": "connect4", "movse": [] }), "movse"),
        (json!({ "moves": [] }), "game"),
        (json!([]), "question"),
    ] {
        let answer = ask(address, "/api/position", &question);
        let fault = answer.json()["fault"].as_str().unwrap().to_string();
        assert!((400..500).contains(&answer.status) && fault.contains(word), "{question}: {fault}");
    }
}

/// The texts of the moves of an answer.
fn moves(view: &Value) -> Vec<String> {
    view["moves"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_string()).collect()
}

#[test]
fn marks_tell_nothing_elsewhere() {
    let address = start(settings());
    let dealt = moves(&ask(address, "/api/draw", &json!({ "game": "whist", "viewer": 0 })).json());
    for question in [
        json!({ "game": "connect4", "moves": [dealt[0]], "viewer": 0 }),
        json!({ "game": "whist", "moves": [dealt[1]], "viewer": 0 }),
        json!({ "game": "whist:hand=4", "moves": [dealt[0]], "viewer": 0 }),
    ] {
        let answer = ask(address, "/api/position", &question);
        assert_eq!(answer.status, 404, "{question}");
        assert!(answer.json()["fault"].as_str().unwrap().contains("not known here"), "{}", answer.body);
    }
}

#[test]
fn a_wrong_move_does_not_tell_the_hand_of_another() {
    let address = start(settings());
    let dealt = ask(address, "/api/draw", &json!({ "game": "whist", "viewer": 0 })).json();
    let mut played = moves(&dealt);
    played.push(dealt["legal"][0]["text"].as_str().unwrap().to_string());
    let next = ask(address, "/api/position", &json!({ "game": "whist", "moves": played, "viewer": 0 })).json();
    assert_eq!((&next["seat"], &next["legal"]), (&json!(1), &json!([])));
    played.push("zz".to_string());
    let refused = ask(address, "/api/position", &json!({ "game": "whist", "moves": played, "viewer": 0 }));
    assert_eq!(refused.json()["fault"], "that is no legal move there");
    // Neither does one behind a right move in one text.
    let right = played[played.len() - 2].clone();
    played.truncate(played.len() - 2);
    played.push(format!("{right} zz"));
    let refused = ask(address, "/api/position", &json!({ "game": "whist", "moves": played, "viewer": 0 }));
    assert_eq!(refused.json()["fault"], "that is no legal move there");
}

#[test]
fn a_choice_that_is_made_at_the_same_time_is_not_shown() {
    let address = start(settings());
    for (game, chosen) in [("matrix", "rock"), ("goofspiel:cards=5,order=descending", "3")] {
        let other =
            |text: &str| ask(address, "/api/position", &json!({ "game": game, "moves": [text], "viewer": 1 })).json();
        let view = other(chosen);
        assert!(moves(&view)[0].starts_with('?'), "{game}");
        let instead = other(if game == "matrix" { "paper" } else { "4" });
        assert_eq!(view["board"], instead["board"], "{game}");
    }
}
