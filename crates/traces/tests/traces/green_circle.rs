//! Tests with whole games of the official referee and its whole state.

use super::text;
use boughs_traces::{TraceError, TraceSummary, check_traces};

/// Games with disqualifications by format, by rule and by time, RANDOM in all phases, a lost card, moves whose second
/// desk is a message, cards exchanged for themselves, empty pools, ends by five applications of either player, by 200
/// decisions, by debt, and a draw.
const GAMES: &[u8] = include_bytes!("../../fixtures/green-circle.jsonl.gz");

fn games() -> String {
    text(GAMES)
}

/// Finds the differences in games.
fn differences(games: &str) -> Vec<String> {
    super::differences("green-circle", games)
}

#[test]
fn games_of_the_official_referee_come_out_in_every_field() {
    let all = TraceSummary { games: 9, steps: 1127 };
    match check_traces("green-circle", GAMES) {
        Ok(summary) => assert_eq!(summary, all),
        Err(error) => panic!("{error}"),
    }
    assert_eq!(check_traces("green-circle", games().as_bytes()).expect("the same without compression"), all);
}

#[test]
fn a_field_that_differs_is_named_with_its_game_and_its_decision() {
    let games = games();
    for (from, to, what) in [
        ("\"league\":3", "\"league\":2", "league is recorded as 2, but comes out as 3"),
        (
            "\"hand_order\":[9,8,9,8]",
            "\"hand_order\":[8,9,9,8]",
            "decision 1: state.players.0.hand_order: here [8,9,9,8], recorded [9,8,9,8]",
        ),
        ("\"bonus_pool\":28", "\"bonus_pool\":27", "init.bonus_pool: here 28, recorded 27"),
        (
            "\"MOVE 2\",\"MOVE 3\"",
            "\"MOVE 3\",\"MOVE 2\"",
            "decision 1: input, line 24, is recorded as Some(\"MOVE 3\")",
        ),
        (
            "\"legal\":[\"MOVE 0\"",
            "\"legal\":[\"MOVE 7\"",
            "decision 1: legal, line 1, is recorded as Some(\"MOVE 7\")",
        ),
        ("\"resolved\":\"MOVE 3 3\"", "\"resolved\":\"MOVE 3 4\"", "decision 1: resolved is recorded as"),
        (
            "\"bonus_pool\":28,\"td_pool\":88",
            "\"bonus_pool\":27,\"td_pool\":89",
            "decision 4: state.bonus_pool: here 28, recorded 27; state.td_pool: here 88, recorded 89",
        ),
        ("\"status\":\"illegal_format\"", "\"status\":\"illegal_rule\"", "decision 22: status is recorded as"),
        ("\"winner\":0", "\"winner\":1", "end: winner is recorded as 1, but comes out as 0"),
        ("\"draw\":8,\"why\":\"end\"", "\"draw\":9,\"why\":\"end\"", "decision 3: chance is recorded as"),
    ] {
        let changed = games.replacen(from, to, 1);
        assert_ne!(changed, games, "{from}");
        let found = differences(&changed);
        assert!(found.len() == 1 && found[0].contains("game 0, junk against junk: "), "{from}: {found:?}");
        assert!(found[0].contains(what), "{from}: {found:?}");
    }
}

#[test]
fn every_field_of_a_decision_and_of_the_end_is_compared() {
    let games = games();
    let mut lines: Vec<String> = games.lines().filter(|line| line.contains("\"g\":34,")).map(String::from).collect();
    let player = "loc score daily arch plays_left to_throw pending_take hand draw discard played auto perm hand_order \
                  draw_order";
    let state = "phase active apps desks bonus_pool td_pool last_turn over".split(' ').map(String::from);
    let players = [0, 1].map(|number| player.split(' ').map(move |field| format!("players/{number}/{field}")));
    let state: Vec<String> = state.chain(players.into_iter().flatten()).chain(["players/0/must_give".into()]).collect();
    let inside = |name: &'static str| state.iter().map(move |field| format!("/{name}/{field}"));
    let step = "n phase active input legal resolved status chance".split(' ').map(|field| format!("/{field}"));
    let end = "steps reason last_status released technical_debt ref_score winner by"
        .split(' ')
        .map(|field| format!("/{field}"));
    // A decision that ends a turn, so that cards are drawn.
    let draws = lines.iter().rposition(|line| line.contains("\"why\":\"end\"")).expect("a decision");
    let last = lines.len() - 1;
    for (line, path) in step
        .chain(inside("state"))
        .map(|path| (draws, path))
        .chain(end.chain(inside("final")).map(|path| (last, path)))
        .chain(inside("init").map(|path| (0, path)))
    {
        let before = lines[line].clone();
        let mut record: serde_json::Value = serde_json::from_str(&before).expect("a record");
        change(record.pointer_mut(&path).expect(&path));
        lines[line] = record.to_string();
        assert_eq!(differences(&lines.join("\n")).len(), 1, "{path}");
        lines[line] = before;
    }
    assert_eq!(differences(&lines.join("\n")), [""; 0]);
}

/// Changes a value.
fn change(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Number(number) => *value = (number.as_i64().unwrap_or(0) + 1).into(),
        serde_json::Value::String(text) => *text += "!",
        serde_json::Value::Bool(holds) => *holds = !*holds,
        serde_json::Value::Array(list) => match list.last_mut() {
            None => list.push(8.into()),
            Some(last) => change(last),
        },
        serde_json::Value::Object(fields) => fields.values_mut().for_each(change),
        serde_json::Value::Null => {}
    }
}

/// Changes every number of a line, one after the other, and leaves strings and the rest.
fn changed_numbers(line: &str) -> impl Iterator<Item = String> {
    let is_number = |&place: &usize| line.as_bytes()[place].is_ascii_digit();
    (0..line.len()).filter(is_number).step_by(31).map(|place| {
        let digit = (line.as_bytes()[place] - b'0' + 1) % 10;
        format!("{}{digit}{}", &line[..place], &line[place + 1..])
    })
}

#[test]
fn no_wrong_number_makes_the_check_panic() {
    let games = games();
    let short: Vec<&str> = games.lines().take_while(|line| !line.contains("\"g\":4,")).collect();
    let mut found = 0;
    for place in [0, 1, 4, 9, short.len() - 1] {
        for changed in changed_numbers(short[place]) {
            let mut lines = short.clone();
            lines[place] = &changed;
            found += differences(&lines.join("\n")).len();
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn what_is_no_recorded_game_ends_the_check_and_does_not_panic() {
    for (foreign, first) in [("{}\n[]\n", 1), ("\n\nnonsense\n", 3)] {
        let error = check_traces("green-circle", foreign.as_bytes()).expect_err("a fault");
        assert!(matches!(error, TraceError::Foreign { line, .. } if line == first), "{error}");
    }
    assert!(matches!(check_traces("green-circle", &GAMES[..GAMES.len() / 2]), Err(TraceError::Unreadable(_))));
    assert!(matches!(check_traces("green-circle", &b""[..]), Err(TraceError::Empty)));
    let games = games();
    let cut: Vec<&str> = games.lines().take(5).collect();
    assert_eq!(differences(&cut.join("\n")), ["line 1, game 0, junk against junk: the game has no end"]);
    assert!(differences(&cut[1..].join("\n"))[0].contains("line 1: game 0 has not begun"));
}
