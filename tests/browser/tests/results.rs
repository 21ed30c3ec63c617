//! The pages of a store.

use std::collections::BTreeMap;
use std::time::Duration;

use boughs_arena::{Clock, Ending, EventKey, Measurement, Record, Store};

use crate::browser::{program, with_page};

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_bot_that_is_called_like_a_script_is_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let name = "cmd:<script>document.title='taken'</script>";
    let conditions = serde_json::json!({
        "version": "0.1.0", "game": "tictactoe", "contestants": [name, "random"], "pairings": [[0, 1]],
        "grace_ms": 0.0, "openings": "start", "seed": 1, "playouts": 10,
    });
    let mut store = Store::open(&path).unwrap();
    let key = EventKey { kind: "match".into(), conditions: conditions.to_string(), command: name.into() };
    let event = store.event(&key).unwrap();
    let record = Record {
        number: 0,
        round: 0,
        seats: vec![0, 1],
        seed: 7,
        opening: Vec::new(),
        moves: ["5", "1", "6", "4", "7", "3", "2", "8", "9"].map(String::from).to_vec(),
        rewards: vec![0.5, 0.5],
        ending: Ending::Over,
        clocks: vec![Clock::default(); 2],
        notes: vec![name.into(), String::new()],
        columns: vec![BTreeMap::new(); 2],
        began: 1.8e9,
        took: Duration::from_millis(3),
    };
    store.add(event, &record, name).unwrap();
    let measurement = Measurement {
        kind: "scale".into(),
        game: "tictactoe".into(),
        command: name.into(),
        report: "{}".into(),
        page: "<title>Scaling</title><h1>Scaling</h1><pre>measured</pre>".into(),
        is_over: true,
    };
    store.add_measurement(&measurement).unwrap();
    store.close().unwrap();
    with_page(&["--store", path.to_str().unwrap()], "lab", |page| async {
        assert_eq!(page.js("return document.title").await, "Results");
        assert!(page.text("table").await.contains("<script>"));
        page.click("td a").await;
        page.until("return document.querySelector('#viewer') && !document.getElementById('viewer').hidden").await;
        assert_eq!(page.js("return document.title").await, "Match at tictactoe");
        assert!(page.text("#seats").await.contains("<script>"));
        assert_eq!(page.js("return document.querySelectorAll('#board .piece').length").await, 0);
        page.click("[data-go='last']").await;
        assert_eq!(page.js("return document.querySelectorAll('#board .piece').length").await, 9);
        page.click("a[href='/lab']").await;
        page.until("return document.title === 'Results'").await;
        page.js("location.href = '/lab/measurements/1'").await;
        page.until("return document.title === 'Scaling'").await;
        assert_eq!(page.text("pre").await, "measured");
        page.click("a[href='/lab']").await;
        page.until("return document.title === 'Results'").await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_page_that_is_a_file_shows_its_games_and_runs_no_other_script() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.html");
    let command = "match tictactoe mcts flat --iterations 20 --games 2 --html";
    assert!(program().args(command.split(' ')).arg(&file).status().unwrap().success());
    with_page(&["tictactoe"], "", |page| async {
        page.client.goto(&format!("file://{}", file.display())).await.unwrap();
        page.until("return document.querySelector('#viewer') && !document.getElementById('viewer').hidden").await;
        page.js("const script = document.createElement('script');
             // A nonce that all files had would be known to every text in one.
             script.nonce = document.querySelector('script[nonce]')?.nonce ?? 'boughs';
             script.textContent = 'document.title = \"taken\"';
             document.body.append(script)")
            .await;
        assert_eq!(page.js("return document.title").await, "Match at tictactoe");
        // The refusal of that script is an error of the console, which the page has to be free of.
        assert!(page.console().await.iter().all(|error| error.contains("sha256-")));
        page
    });
}
