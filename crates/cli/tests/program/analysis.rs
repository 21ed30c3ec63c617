//! `boughs analysis`.

use std::io::Write;
use std::process::Stdio;

use boughs::Rng;
use serde_json::{Value, json};

use crate::common::{program, run, run_with_input, start};
use crate::process::Running;

/// The answers to some queries, in the order of their ids and turns.
fn answers(args: &str, queries: &[Value]) -> Vec<Value> {
    let lines: String = queries.iter().map(|query| format!("{query}\n")).collect();
    let mut answers = lines_of(&run_with_input(&format!("analysis {args}"), lines).expect());
    answers.sort_by_key(|answer| (answer["id"].to_string(), answer["turnNumber"].as_u64()));
    answers
}

fn lines_of(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// The names of the moves of an answer.
fn moves(answer: &Value) -> Vec<&str> {
    answer["moveInfos"].as_array().expect("moves").iter().map(|info| info["move"].as_str().expect("a name")).collect()
}

#[test]
fn every_turn_that_is_asked_for_has_an_answer() {
    let query = json!({"id": "a", "moves": [["B", "A1"], ["W", "A3"], ["B", "B1"], ["W", "B3"]], "boardXSize": 3,
        "boardYSize": 3, "analyzeTurns": [4, 0, 3], "maxVisits": 2_000, "includePVVisits": true});
    let said = answers("tictactoe --positions 3", &[query]);
    let turns: Vec<u64> = said.iter().filter_map(|answer| answer["turnNumber"].as_u64()).collect();
    assert_eq!(turns, [0, 3, 4]);
    let roots: Vec<&Value> = said.iter().map(|answer| &answer["rootInfo"]).collect();
    assert_eq!([&roots[0]["currentPlayer"], &roots[1]["currentPlayer"]], ["B", "W"]);
    assert!(said.iter().all(|answer| answer["isDuringSearch"] == false && answer["rootInfo"]["visits"] == 2_000));
    let wins = &said[2]["moveInfos"][0];
    assert_eq!((&wins["move"], &wins["order"]), (&json!("C1"), &json!(0)), "three in a row are there");
    assert!(wins["winrate"].as_f64() > Some(0.99), "{wins}");
    let last = &said[1]["moveInfos"][0];
    assert_eq!(last["move"], "C1", "White defends");
    assert!(last["winrate"].as_f64() > Some(0.7), "rates are Black's, who has two ways to win: {last}");
    let (line, visits) = (wins["pv"].as_array().unwrap(), wins["pvVisits"].as_array().unwrap());
    assert_eq!((line.len(), &line[0], &visits[0]), (visits.len(), &wins["move"], &wins["visits"]));
}

#[test]
fn games_have_their_own_notation_and_end() {
    let said = answers("breakthrough", &[json!({"id": "b", "moves": ["a2a3", ["B", "a7a6"]], "maxVisits": 100})]);
    assert!(moves(&said[0]).contains(&"a3a4") && said[0]["rootInfo"]["currentPlayer"] == "W", "{said:?}");
    let said = answers(
        "othello",
        &[
            json!({"id": 1.5, "moves": []}),
            json!({"id": "o", "moves": ["D3"], "maxVisits": 90,
        "boardXSize": 8, "boardYSize": 8, "komi": 7.5}),
        ],
    );
    assert_eq!(said[1]["error"], "'id' should be a text of at most 1000 bytes");
    assert_eq!(moves(&said[0]).len(), 3, "{said:?}");
    let stones = json!({"id": "g", "initialStones": [["B", "C3"], ["B", "G7"]], "initialPlayer": "W", "moves": [],
        "komi": 0.5, "maxVisits": 50});
    let said = answers("go", &[stones]);
    assert!(said[0]["rootInfo"]["currentPlayer"] == "W" && !moves(&said[0]).contains(&"C3"), "{said:?}");
    // A turn that is given to a colour is no pass, which would let the next pass end the game.
    for (moves, player, is_over) in [
        (json!([]), "W", false),
        (json!([["B", "C3"], ["B", "pass"]]), "B", false),
        (json!([["W", "pass"], ["B", "C3"]]), "W", false),
        (json!([["B", "C3"], ["W", "pass"], ["B", "pass"]]), "B", true),
    ] {
        let query = json!({"id": "t", "moves": moves, "initialPlayer": player, "boardXSize": 5, "maxVisits": 300});
        let said = answers("go", &[query]);
        let pass = said[0]["moveInfos"].as_array().and_then(|infos| infos.iter().find(|info| info["move"] == "pass"));
        assert_eq!(pass.is_none(), is_over, "{said:?}");
        // By a pass that ended the game White would win for sure, by komi.
        let rate = pass.and_then(|pass| pass["winrate"].as_f64());
        assert!(moves != json!([]) || rate > Some(0.0), "{rate:?}");
    }
    let over = json!({"id": "over", "moves": [["B", "A1"], ["W", "A3"], ["B", "B1"], ["W", "B3"], ["B", "C1"]]});
    let said = answers("tictactoe", &[over]);
    assert_eq!((&said[0]["moveInfos"], &said[0]["rootInfo"]["winrate"]), (&json!([]), &json!(1.0)));
}

#[test]
fn what_is_wrong_is_named_with_its_field() {
    for (query, field, says) in [
        (json!({"id": "a", "moves": [["B", "A9"]]}), "moves", "move 1: 'A9' is not legal"),
        (json!({"id": "a", "moves": [["G", "A1"]]}), "moves", "'G' is no colour; write B or W"),
        (json!({"id": "a", "moves": [["W", "A1"]]}), "moves", "it is not the turn of W"),
        (json!({"id": "a", "moves": [], "boardXSize": 4}), "boardXSize", "tictactoe has no board of 4 by 4"),
        (json!({"id": "a", "moves": [], "boardXSize": 0}), "boardXSize", "a whole number from 1 to 255"),
        (json!({"id": "a", "moves": [], "boardXSize": 3, "boardYSize": 4}), "boardYSize", "no board of 3 by 4"),
        (json!({"id": "a", "moves": [], "analyzeTurns": [1]}), "analyzeTurns", "there is no turn 1"),
        (json!({"id": "a", "moves": [], "priorities": [1, 2]}), "priorities", "as many priorities as turns"),
        (json!({"id": "a", "action": "terminate"}), "terminateId", "the id of a query"),
        (json!({"id": "a", "action": "sing"}), "action", "'sing' is no action"),
        (json!({"id": "a", "action": "terminate_all", "turnNumbers": 3}), "turnNumbers", "a list of turns"),
        (json!({"id": "a", "action": 3}), "action", "'action' should be the name of an action"),
        (json!({"id": "a"}), "moves", "'moves' is missing"),
        (json!({"id": "a", "moves": [["B"]]}), "moves", "'moves' should be a list of moves"),
        (json!({"id": "a", "moves": 3}), "moves", "'moves' should be a list of moves"),
        (json!({"id": "a", "moves": [], "initialStones": [1]}), "initialStones", "a list of moves"),
        (json!({"id": "a", "moves": [], "initialPlayer": 1}), "initialPlayer", "a colour, B or W"),
        (json!({"id": "a", "moves": [], "maxVisits": 0}), "maxVisits", "a whole number above 0"),
        (json!({"id": "a", "moves": [], "maxVisits": -1}), "maxVisits", "a whole number above 0"),
        (json!({"id": "a", "moves": [], "maxVisits": 1.5}), "maxVisits", "a whole number above 0"),
        (json!({"id": "a", "moves": [], "maxVisits": "9"}), "maxVisits", "a whole number above 0"),
        (json!({"id": "a", "moves": [], "komi": "7"}), "komi", "'komi' should be a number"),
        (json!({"id": "a", "moves": [], "priority": "1"}), "priority", "a whole number"),
        (json!({"id": "a", "moves": [], "priority": 0.5}), "priority", "a whole number"),
        (json!({"id": "a", "moves": [], "priorities": [0.5]}), "priorities", "a list of whole numbers"),
        (json!({"id": "a", "moves": [], "analyzeTurns": []}), "analyzeTurns", "a list of one turn or more"),
        (json!({"id": "a", "moves": [], "analyzeTurns": [-1]}), "analyzeTurns", "a list of one turn or more"),
        (json!({"id": "a", "moves": [], "includePVVisits": 1}), "includePVVisits", "true or false"),
        (json!({"id": "a", "moves": [], "reportDuringSearchEvery": -1}), "reportDuringSearchEvery", "0 or more"),
    ] {
        let said = answers("tictactoe", std::slice::from_ref(&query));
        assert_eq!((&said[0]["id"], &said[0]["field"], said.len()), (&json!("a"), &json!(field), 1), "{query}");
        assert!(said[0]["error"].as_str().is_some_and(|error| error.contains(says)), "{query}: {said:?}");
    }
    assert_eq!(answers("tictactoe", &[json!({"id": 3})])[0]["field"], "id");
    assert!(run("analysis pig").expect_failure(2).starts_with("the analysis engine is for two players"));
    assert!(run("analysis go --positions 0").expect_failure(2).contains("--positions"));
}

#[test]
fn an_id_comes_back_as_it_was() {
    // All of these turn or break a line of a terminal, so they come back as escapes.
    let id = "a\u{202e}\u{200f}\u{2066}\u{61c}\u{2028}\u{7f}\u{85}\u{1b}";
    let query = json!({"id": id, "moves": [], "maxVisits": 10});
    let ran = run_with_input("analysis tictactoe", format!("{query}\n{}\n", json!({"id": id, "action": id})));
    assert!(ran.out.contains("\\u202e") && !ran.out.contains('\u{202e}'), "{}", ran.out);
    assert!(lines_of(&ran.expect()).iter().all(|answer| answer["id"] == id));
}

#[test]
fn a_board_has_the_size_of_its_game() {
    for (game, columns, rows) in
        [("breakthrough", 8, 8), ("othello", 8, 8), ("connect4", 7, 6), ("yavalath", 9, 9), ("go", 19, 19)]
    {
        let query = |columns: u8, rows: u8| json!({"id": "a", "moves": [], "boardXSize": columns, "boardYSize": rows});
        assert!(answers(&format!("{game} --visits 10"), &[query(columns, rows)])[0]["moveInfos"].is_array(), "{game}");
        let said = answers(game, &[query(columns + 1, rows + 1)]);
        let why = format!("{game} has no board of {} by {}", columns + 1, rows + 1);
        assert_eq!((&said[0]["error"], &said[0]["field"]), (&json!(why), &json!("boardXSize")));
        assert_eq!(answers(game, &[query(columns, rows + 1)])[0]["field"], "boardYSize", "{game}");
    }
    // The size of a board of Yavalath is its drawn width: this one has nineteen cells.
    let query = json!({"id": "a", "moves": [], "maxVisits": 100, "boardXSize": 5, "boardYSize": 5});
    assert_eq!(moves(&answers("yavalath", &[query])[0]).len(), 19);
}

/// The visits of a search that is longer than any test waits.
const ENDLESS: u64 = 1_000_000_000_000;

#[test]
fn a_search_is_watched_and_ended_while_others_wait() {
    let mut program = start("analysis hex --positions 1");
    let next = |program: &mut Running| serde_json::from_str::<Value>(&program.line()).expect("a line of JSON");
    let ask = |program: &mut Running, query: Value| program.say(&query.to_string());
    let endless = json!({"id": "long", "moves": [], "maxVisits": ENDLESS, "reportDuringSearchEvery": 0.01});
    ask(&mut program, endless);
    assert_eq!(next(&mut program)["isDuringSearch"], true);
    // The first position is searched, and these wait: the more urgent one comes first.
    for (id, priority) in [("later", 1), ("never", 3), ("sooner", 2)] {
        ask(&mut program, json!({"id": id, "moves": [], "maxVisits": 10, "priority": priority}));
    }
    ask(&mut program, json!({"id": "t", "action": "terminate", "terminateId": "never"}));
    let mut said = Vec::new();
    while said.len() < 2 {
        said.extend(Some(next(&mut program)).filter(|line| line["isDuringSearch"] != true));
    }
    assert_eq!((&said[0]["id"], &said[0]["noResults"]), (&json!("never"), &json!(true)));
    assert_eq!(said[1], json!({"id": "t", "action": "terminate", "terminateId": "never"}));
    ask(&mut program, json!({"id": "u", "action": "terminate_all", "turnNumbers": [5]}));
    ask(&mut program, json!({"id": "v", "action": "terminate", "terminateId": "long"}));
    let output = program.finish();
    assert!(output.status.success(), "{output:?}");
    let rest: Vec<Value> = lines_of(&String::from_utf8_lossy(&output.stdout))
        .into_iter()
        .filter(|line| line["isDuringSearch"] != true)
        .collect();
    let ids: Vec<&str> = rest.iter().filter_map(|line| line["id"].as_str()).filter(|id| id.len() > 1).collect();
    assert_eq!(ids, ["long", "sooner", "later"], "{rest:?}");
    let visits = rest.iter().find(|line| line["id"] == "long").and_then(|line| line["rootInfo"]["visits"].as_u64());
    assert!(visits.is_some_and(|visits| visits > 0 && visits < ENDLESS));
}

#[test]
fn a_closed_output_ends_the_program() {
    let mut closed = start("analysis tictactoe");
    drop(closed.output.take());
    let mut input = closed.input.take().expect("an input");
    while writeln!(input, "{}", json!({"id": "a", "moves": [], "maxVisits": 10})).is_ok() {}
    assert_eq!(closed.wait().code(), Some(2));
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let query = json!({"id": "a", "moves": [], "maxVisits": 10});
        let mut command = program();
        command.args(["analysis", "tictactoe"]).stdin(Stdio::piped()).stdout(full).stderr(Stdio::null());
        let mut program = Running::start(&mut command);
        program.say(&query.to_string());
        assert_eq!(program.finish().status.code(), Some(2), "the answer is lost");
    }
}

#[test]
fn a_closed_output_ends_a_long_search() {
    let mut left_open = Vec::new();
    for (every, ends) in [(Some(0.01), false), (None, false), (None, true)] {
        let mut program = start("analysis hex:size=5");
        let query = json!({"id": "a", "moves": [], "maxVisits": ENDLESS, "reportDuringSearchEvery": every});
        program.say(&query.to_string());
        let input = program.input.take();
        if ends {
            drop(input);
        } else {
            left_open.extend(input);
        }
        drop(program.output.take());
        let output = program.finish();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{every:?} {ends}: {said}");
        assert_eq!(said, "boughs: standard output was closed before the result was written\n");
    }
}

#[test]
fn a_line_without_end_loses_no_query_before_it() {
    let query = json!({"id": "a", "moves": [], "maxVisits": 10});
    let ran = run_with_input("analysis tictactoe", format!("{query}\n{}\n", "x".repeat(2 << 20)));
    assert_eq!((ran.code, lines_of(&ran.out)[0]["id"].as_str()), (Some(2), Some("a")));
    assert!(ran.err.contains("a line of the input has more than"), "{}", ran.err);
}

#[test]
fn ten_thousand_lines_with_mistakes_are_no_panic_and_no_hang() {
    send_lines_with_mistakes(10_000);
}

/// `cargo test -p boughs-cli --test program -- --ignored a_hundred_thousand`
#[test]
#[ignore = "takes half a minute"]
fn a_hundred_thousand_lines_with_mistakes_are_no_panic_and_no_hang() {
    send_lines_with_mistakes(100_000);
}

fn send_lines_with_mistakes(count: usize) {
    let query = r#"{"id":"a","moves":[["B","A1"],["W","B2"]],"boardXSize":3,"analyzeTurns":[0,1],"maxVisits":2}"#;
    let action = r#"{"id":"t","action":"terminate","terminateId":"b","turnNumbers":[1]}"#;
    let mut rng = Rng::new(23, 3);
    let mut pick = |count: usize| rng.below(count as u32) as usize;
    let mut lines = Vec::new();
    for number in 0..count {
        let mut line = if number % 5 == 0 { action } else { query }.as_bytes().to_vec();
        for _ in 0..1 + pick(3) {
            let at = pick(line.len());
            line[at] = [b'"', b',', b'[', b'9', 0, 0xff, b'}', b'-'][pick(8)];
        }
        line.truncate(if pick(20) == 0 { pick(line.len()) } else { line.len() });
        // More than two digits of visits would be a search that takes long.
        let text = String::from_utf8_lossy(&line);
        if text.contains(r#""maxVisits":2}"#) || text.contains("action") {
            lines.extend(line);
            lines.push(b'\n');
        }
    }
    let said = lines_of(&run_with_input("analysis tictactoe", lines).expect());
    assert!(said.iter().filter(|line| line["moveInfos"].is_array()).count() > count / 100);
    assert!(said.iter().filter(|line| line["error"].is_string()).count() > count / 10);
}
