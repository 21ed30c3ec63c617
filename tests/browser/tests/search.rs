//! Searching on the page: numbers that move, the tree, steps, settings and links.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::{Page, with_page};

/// The number of playouts that the page shows.
async fn playouts(page: &Page) -> u64 {
    let text = page.js("return document.querySelectorAll('#main-search dd')[1].textContent").await;
    text.as_str().unwrap().replace(',', "").parse().unwrap_or(0)
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn numbers_move_while_a_search_runs_and_stand_after_it() {
    with_page(&["connect4", "--agent", "mcts:threads=2"], "", |page| async {
        page.js("window.updates = 0;
             new MutationObserver(() => { window.updates += 1; })
               .observe(document.querySelector('#main-search dl'), { childList: true })")
            .await;
        page.click("#run").await;
        page.until("return document.querySelector('.rate')").await;
        let (first, before) = (playouts(&page).await, page.js("return window.updates").await);
        tokio::time::sleep(Duration::from_secs(2)).await;
        let (second, after) = (playouts(&page).await, page.js("return window.updates").await);
        assert!(second > first, "{first} {second}");
        let updates = after.as_u64().unwrap() - before.as_u64().unwrap();
        assert!(updates >= 20, "{updates} updates in two seconds");
        page.click("#run").await;
        page.until_text("#main-search dd", "stopped").await;
        let last = playouts(&page).await;
        page.click("#tab-tree").await;
        page.until_text("#tree-node", "visits").await;
        let facts = page.text("#tree-node p").await.replace(',', "");
        assert!(facts.starts_with(&format!("{last} visits 0 in flight")), "{facts} of {last}");
        // The table of the moves and the table of the tree have the same visits.
        let columns = "Object.fromEntries(Array.from(document.querySelectorAll(SELECTOR), \
                       (row) => [row.cells[0].textContent, row.cells[1].textContent]))";
        let moves = page.js(&format!("return {}", columns.replace("SELECTOR", "'.moves-table tbody tr'"))).await;
        let nodes = page.js(&format!("return {}", columns.replace("SELECTOR", "'#tree-node tbody tr'"))).await;
        assert_eq!(moves, nodes);
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn the_tree_is_entered_and_followed() {
    with_page(&["connect4"], "#game=connect4&iterations=20000", |page| async {
        page.click("#run").await;
        page.until_text("#main-search dd", "done").await;
        page.click("#tab-tree").await;
        page.until("return document.querySelectorAll('.tree .node').length > 10").await;
        page.click("#tree-pv").await;
        page.until_text("#tree-path", "below").await;
        page.click("#tree-top").await;
        page.until_text("#tree-path", "whole tree").await;
        let before = page.js("return document.querySelector('#tree-picture svg').getAttribute('viewBox')").await;
        page.click("#tree-picture [title='zoom in']").await;
        let after = page.js("return document.querySelector('#tree-picture svg').getAttribute('viewBox')").await;
        assert_ne!(before, after);
        page.js(
            "const k = document.getElementById('tree-kind'); k.value = 'nodes'; k.dispatchEvent(new Event('change'))",
        )
        .await;
        page.until("return document.querySelector('.tree .link')").await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn an_iteration_is_seen_in_its_four_steps() {
    with_page(&["tictactoe"], "", |page| async {
        page.click("#tab-steps").await;
        let mut seen = Vec::new();
        for _ in 0..4 {
            page.click("#step-phase").await;
            tokio::time::sleep(Duration::from_millis(150)).await;
            page.until("return document.querySelector('#phases [aria-current]')").await;
            seen.push(page.text("#phases [aria-current] b").await);
        }
        assert_eq!(seen, ["Selection", "Expansion", "Simulation", "Backpropagation"]);
        assert_eq!(page.js("return document.querySelectorAll('#step-picture .new-leaf').length").await, 1);
        page.click("#panel-steps [data-count='100']").await;
        page.until(
            "return document.querySelector('#step-picture [data-path=\"\"]').ariaLabel.startsWith('root: 101 ')",
        )
        .await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_link_leads_to_the_same_view() {
    with_page(&["connect4"], "", |page| async {
        page.click("[data-cell='3']").await;
        page.until_text("#variations", "4").await;
        let set = |id: &str, value: &str| {
            format!(
                "const i = document.getElementById('{id}'); i.value = '{value}'; i.dispatchEvent(new Event('change'))"
            )
        };
        page.js(&set("threads", "2")).await;
        page.until_text("#agent-text", "threads=2").await;
        page.js(&set("iterations", "3000")).await;
        page.click("#run").await;
        page.until_text("#main-search dd", "done").await;
        let view =
            "return [document.getElementById('agent-text').textContent, document.getElementById('status').textContent,
            document.getElementById('iterations').value, document.querySelector('#board svg').ariaLabel,
            Array.from(document.querySelectorAll('.hit'), (hit) => hit.ariaLabel)]";
        let (before, link) = (page.js(view).await, page.js("return location.href").await);
        let path = link.as_str().unwrap().strip_prefix(&page.address).unwrap().to_string();
        page.open(&path).await;
        assert_eq!(page.js(view).await, before);
        // A change of the settings restarts a search that runs.
        page.js(&set("iterations", "")).await;
        page.click("#run").await;
        page.until("return document.querySelectorAll('#main-search dd')[1].textContent.length > 6").await;
        let before = playouts(&page).await;
        page.js(&set("seed", "7")).await;
        page.until(&format!(
            "const n = Number(document.querySelectorAll('#main-search dd')[1].textContent.replaceAll(',', ''));
             return n > 0 && n < {before}"
        ))
        .await;
        page
    });
}

/// The mistakes that the analysis of the whole game finds.
async fn mistakes(page: &Page) -> Vec<String> {
    page.click("#analyse-game").await;
    page.until("return document.getElementById('progress').textContent !== ''").await;
    page.until_within(Duration::from_secs(240), "return document.getElementById('progress').textContent === ''").await;
    let mistakes = page.js("return Array.from(document.querySelectorAll('.mistakes li'), (l) => l.textContent)").await;
    serde_json::from_value(mistakes).unwrap()
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_game_is_analysed_and_its_one_mistake_is_found() {
    // The second player lets the first one have a row: three in Tic-tac-toe, and in Connect Four an open three.
    for (game, moves, found) in [
        ("tictactoe", "%225%22,%221%22,%226%22,%227%22", "4. 7 lost"),
        ("connect4", "%224%22,%221%22,%225%22,%221%22", "4. 1 lost"),
    ] {
        with_page(&[game], &format!("#game={game}&moves={moves}&iterations=3000"), |page| async {
            let mistakes = mistakes(&page).await;
            let is_right = |text: &String| text.starts_with(found) && text.contains("percentage points");
            assert!(mistakes.len() == 1 && mistakes.iter().all(is_right), "{game}: {mistakes:?}");
            page
        });
    }
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn an_agent_that_plays_its_own_best_moves_makes_no_mistake() {
    for game in ["go:size=9", "hex:size=7", "othello", "connect4"] {
        with_page(&[game], &format!("#game={game}&seats=0,1&iterations=4000&seed=3"), |page| async {
            let played = "return document.querySelectorAll('#variations button').length >= 24
                || document.getElementById('status').textContent.includes('wins')";
            page.until_within(Duration::from_secs(240), played).await;
            // Another seed makes it another search than that of the agent.
            page.click("#first").await;
            page.js("const field = document.getElementById('seed');
                 field.value = '8';
                 field.dispatchEvent(new Event('change'))")
                .await;
            assert_eq!(mistakes(&page).await, Vec::<String>::new(), "{game}");
            page
        });
    }
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_wrong_link_says_what_is_wrong_and_leaves_a_page_to_play_on() {
    with_page(&["connect4"], "#game=chess", |page| async {
        assert!(page.text("#fault").await.contains("chess"));
        page.click("[data-cell='0']").await;
        page.until_text("#variations", "1").await;
        assert_eq!(page.js("return 1").await, Value::from(1));
        assert_eq!(page.js("return document.getElementById('game').value").await, json!("connect4"));
        page
    });
}
