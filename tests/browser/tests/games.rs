//! Games on the page: against Boughs, to their ends, and in their own colours and keys.

use serde_json::json;

use crate::browser::{Page, with_page};

/// The disc or the ground of each piece, in the order of the board.
const FILLS: &str = "return Array.from(document.querySelectorAll('#board .piece'), (p) => getComputedStyle(p).fill)";

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn one_choice_begins_a_game_against_boughs_whose_thoughts_stay() {
    with_page(&["tictactoe"], "", |page| async {
        choose(&page, "side", "1").await;
        choose(&page, "pace", "0.3").await;
        page.click("#against-begin").await;
        // Boughs moves first, and its numbers stay after its move.
        page.until("return document.querySelectorAll('#variations button').length === 1").await;
        page.until_text("#status", "You move as the second player").await;
        let played = page.text("#variations button").await;
        page.until_text("#main-search .note", &format!("The search that played {played}.")).await;
        assert_eq!(page.text("#main-search .moves-table .best button").await, played);
        let is_shown = "return document.querySelectorAll('.moves-table button:disabled').length === 9";
        assert_eq!(page.js(is_shown).await, json!(true), "moves of the position before cannot be played");
        page.click(".hit.legal").await;
        page.until("return document.querySelectorAll('#variations button').length >= 3").await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn an_only_move_a_proof_and_the_scale_of_the_graph_are_told() {
    let moves = ["5", "1", "3", "7", "4", "6", "8", "2"].map(|cell| format!("%22{cell}%22")).join(",");
    with_page(&["tictactoe"], &format!("#game=tictactoe&moves={moves}&time=0.1"), |page| async {
        page.until_text("#status", "The first player moves. The only legal move is 9.").await;
        page.click("#run").await;
        page.until("return document.querySelector('#main-search td:nth-child(4)')?.textContent === 'proven'").await;
        assert_eq!(page.text("#main-search .moves-table td:nth-child(3) span").await, "50.0 %");
        page.click("[data-cell='8']").await;
        page.until("return document.querySelector('#graph .scale')?.textContent === '100 %50 %0 %'").await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn the_end_of_a_game_is_shown_and_leads_to_another_one() {
    let moves = "%225%22,%221%22,%226%22,%224%22,%222%22,%223%22";
    with_page(&["tictactoe"], &format!("#game=tictactoe&moves={moves}&time=0.1&seats=1"), |page| async {
        assert_eq!(page.js("return document.querySelectorAll('.deciding').length").await, 0);
        page.click("[data-cell='7']").await;
        page.until_text("#status", "You win as the first player.").await;
        assert_eq!(page.js("return document.querySelectorAll('.deciding').length").await, 1);
        page.click("#again").await;
        page.until("return document.querySelectorAll('#variations button').length === 0").await;
        assert_eq!(page.js("return document.querySelectorAll('#again:not([hidden])').length").await, 0);
        // The agent keeps its seat.
        page.click("[data-cell='4']").await;
        page.until("return document.querySelectorAll('#variations button').length === 2").await;
        for (game, moves, ways) in [
            ("connect4", r#""1","2","1","2","1","2","1""#, 1),
            ("hex:size=3", r#""b1","a2","b2","a3","b3""#, 1),
            ("yavalath:size=3", r#""a1","e1","a2","e2","a3""#, 1),
            ("kuhn", r#""JQ","check","check""#, 0),
        ] {
            page.open(&format!("#game={game}&moves={}", moves.replace('"', "%22"))).await;
            page.until("return !document.getElementById('again').hidden").await;
            assert_eq!(page.js("return document.querySelectorAll('.deciding').length").await, ways, "{game}");
        }
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn arrow_keys_slide_in_2048() {
    with_page(&["2048"], "", |page| async {
        page.until_text("#status", "The player moves").await;
        let legal = "return Array.from(document.querySelectorAll('#buttons button'), (b) => b.dataset.move)";
        let legal: Vec<String> = serde_json::from_value(page.js(legal).await).unwrap();
        let keys = [("left", "\u{E012}"), ("up", "\u{E013}"), ("right", "\u{E014}"), ("down", "\u{E015}")];
        // One that is not legal does nothing.
        for (name, key) in keys.into_iter().filter(|(name, _)| !legal.contains(&name.to_string())) {
            page.press(key).await;
            assert_eq!(page.js("return document.querySelectorAll('#variations button').length").await, 2, "{name}");
        }
        let (name, key) = keys.into_iter().find(|(name, _)| legal.contains(&name.to_string())).unwrap();
        page.press(key).await;
        page.until("return document.querySelectorAll('#variations button').length === 4").await;
        assert!(page.text("#variations").await.contains(name));
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn go_and_othello_are_black_and_white_and_go_has_star_points() {
    with_page(&["go"], "#game=go:size=9&moves=%22e5%22,%22c3%22", |page| async {
        let (black, white) = ("rgb(35, 38, 43)", "rgb(247, 245, 239)");
        assert_eq!(page.js(FILLS).await, json!([black, white]));
        let stars = "return document.querySelectorAll('#board .star').length";
        for (size, count) in [(9, 5), (10, 4), (13, 5), (19, 9), (5, 0)] {
            page.open(&format!("#game=go:size={size}")).await;
            assert_eq!(page.js(stars).await, count, "size {size}");
        }
        page.open("#game=othello").await;
        assert_eq!(page.js(FILLS).await, json!([white, black, black, white]));
        page.open("#game=connect4&moves=%224%22").await;
        assert_ne!(page.js(FILLS).await, json!([black]));
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_search_without_numbers_so_far_is_a_search() {
    with_page(&["green-circle"], "#game=green-circle&agent=foresight&time=3", |page| async {
        page.click("#run").await;
        page.until_text("#main-search dd", "searching").await;
        page.until_text("#main-search dd", "done").await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_link_with_an_unknown_agent_says_so_and_takes_that_of_the_game() {
    with_page(&["connect4"], "#game=connect4&agent=alphabeta:depth=9", |page| async {
        assert_eq!(page.text("#fault").await, "the page does not know what the link says of 'alphabeta'");
        assert_eq!(page.text("#agent-text").await, "mcts:playout=heavy");
        let sentences = "const done = arguments[0];
            import('/assets/words.js').then(({ sentence }) => done(['a game of your own', 'Hex.'].map(sentence)))";
        let said = page.client.execute_async(sentences, Vec::new()).await.unwrap();
        assert_eq!(said, json!(["A game of your own.", "Hex."]));
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_board_of_text_marks_the_lines_that_a_move_has_changed_alone() {
    with_page(&["matrix"], "", |page| async {
        let marked = "return Array.from(document.querySelectorAll('#board mark'), (mark) => mark.textContent.trim())";
        assert_eq!(page.js(marked).await, json!([]));
        page.click("#buttons [data-move='rock']").await;
        page.until_text("#board", "rock*").await;
        let marked = page.js(marked).await;
        assert!(marked.as_array().unwrap().len() == 1 && marked[0].as_str().unwrap().starts_with("rock*"), "{marked}");
        page
    });
}

/// Chooses a value of a list.
async fn choose(page: &Page, id: &str, value: &str) {
    let script = format!(
        "const list = document.getElementById('{id}');
         list.value = '{value}';
         list.dispatchEvent(new Event('change'))"
    );
    page.js(&script).await;
}
