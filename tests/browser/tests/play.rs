//! Playing on the page: by pointer, by keyboard, and with cards that are hidden.

use crate::browser::with_page;

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_whole_game_of_connect_four_is_played_by_clicking() {
    with_page(&["connect4"], "", |page| async {
        // A column is clicked anywhere.
        for (ply, column) in [0, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
            page.click(&format!("[data-cell='{column}']")).await;
            page.until(&format!("return document.querySelectorAll('#variations button').length === {}", ply + 1)).await;
        }
        page.until_text("#status", "The first player wins").await;
        assert_eq!(page.js("return document.querySelectorAll('.hit.legal').length").await, 0);
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn moves_are_taken_back_and_variations_are_kept() {
    with_page(&["tictactoe"], "", |page| async {
        for cell in [4, 0, 8] {
            page.click(&format!("[data-cell='{cell}']")).await;
            page.until(&format!("return document.querySelector(\"[data-cell='{cell}']\").ariaDisabled === 'true'"))
                .await;
        }
        page.click("#undo").await;
        page.until("return document.querySelector(\"[data-cell='8']\").ariaDisabled === 'false'").await;
        page.click("[data-cell='2']").await;
        page.until("return document.querySelector('#variations .variation')").await;
        let moves =
            page.js("return Array.from(document.querySelectorAll('#variations button'), (b) => b.textContent)").await;
        assert_eq!(moves, serde_json::json!(["5", "1", "9", "3"]));
        // They outlast a reload.
        page.js("document.documentElement.dataset.ready = ''; location.reload()").await;
        page.until("return document.documentElement.dataset.ready === 'true'").await;
        page.until("return document.querySelectorAll('#variations button').length === 4").await;
        page.press("f").await;
        let turned = page.js("return Number(document.querySelector(\"[data-cell='2']\").getAttribute('cx'))").await;
        page.press("f").await;
        let back = page.js("return Number(document.querySelector(\"[data-cell='2']\").getAttribute('cx'))").await;
        assert!(turned.as_f64().unwrap() < back.as_f64().unwrap());
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn an_agent_plays_its_seat() {
    with_page(&["connect4"], "#game=connect4&time=0.2&seats=1", |page| async {
        page.click("[data-cell='3']").await;
        page.until("return document.querySelectorAll('#variations button').length === 2").await;
        page.until_text("#status", "You move as the first player").await;
        // Back leads to the person's move, and the agent keeps its seat.
        page.click("#undo").await;
        page.until("return !document.querySelector('#variations [aria-current]')").await;
        page.until_text("#status", "You move as the first player").await;
        let seats = page.js("return Array.from(document.querySelectorAll('#seating select'), (s) => s.value)").await;
        assert_eq!(seats, serde_json::json!(["person", "agent"]));
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn everything_goes_by_keyboard() {
    with_page(&["tictactoe"], "", |page| async {
        page.js("document.querySelector('.hit[tabindex=\"0\"]').focus()").await;
        page.press("\u{E014}").await; // right
        page.press("\u{E015}").await; // down
        page.press("\u{E007}").await; // enter
        page.until_text("#variations", "5").await;
        page.js("document.activeElement.blur()").await;
        page.press(" ").await;
        page.until_text("#run", "Stop").await;
        page.press(" ").await;
        page.until_text("#run", "Search").await;
        page.press("\u{E012}").await; // left: back
        page.until("return document.querySelectorAll('#variations [aria-current]').length === 0").await;
        page.press("\u{E014}").await;
        page.until("return document.querySelectorAll('#variations [aria-current]').length === 1").await;
        page.press("3").await;
        page.until("return !document.getElementById('panel-steps').hidden").await;
        page.press("n").await;
        page.until_text("#phases", "first visit").await;
        page.press("?").await;
        page.until("return document.getElementById('help').open").await;
        page.press("\u{E00C}").await; // escape
        page.until("return !document.getElementById('help').open").await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn hidden_cards_are_not_in_the_data_of_the_page() {
    with_page(&["whist"], "", |page| async {
        page.until("return document.querySelector('#board button.card')").await;
        // An onlooker is told the cards of the same deal.
        let cards = page
            .js("const words = new URLSearchParams(location.hash.slice(1));
                 const request = new XMLHttpRequest();
                 request.open('POST', '/api/position', false);
                 request.send(JSON.stringify({ game: 'whist', moves: JSON.parse(`[${words.get('moves')}]`) }));
                 return JSON.parse(request.responseText).moves.map(({ text }) => text)")
            .await;
        let cards: Vec<String> = serde_json::from_value(cards).unwrap();
        let own =
            page.js("return Array.from(document.querySelectorAll('#board button.card'), (b) => b.dataset.move)").await;
        let own: Vec<String> = serde_json::from_value(own).unwrap();
        let others: Vec<&String> = cards.iter().filter(|card| !own.contains(card)).collect();
        assert!(own.len() == 5 && others.len() == 10, "{cards:?}");
        let shown = page.js("return document.getElementById('play').textContent + location.hash").await;
        let words: Vec<&str> = shown.as_str().unwrap().split(|sign: char| !sign.is_alphanumeric()).collect();
        let leaked: Vec<_> = others.iter().filter(|card| words.contains(&card.as_str())).collect();
        assert!(leaked.is_empty(), "{leaked:?} in {words:?}");
        // Cards have signs on the board.
        let signed = |card: &str| {
            let suit = ["♣", "♦", "♥"]["cdh".find(&card[1..]).unwrap()];
            format!("{}{suit}", &card[..1])
        };
        let board = page.js("return document.getElementById('board').textContent").await;
        let board = board.as_str().unwrap();
        assert!(own.iter().all(|card| board.contains(&signed(card))), "{board}");
        assert!(!others.iter().any(|card| board.contains(&signed(card))), "{board}");
        page.click("#board button.card").await;
        page.until_text("#board", &format!("played{}", signed(&own[0]))).await;
        page.until_text("#status", "The second player moves").await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn back_and_forth_step_over_chance() {
    with_page(&["2048"], "", |page| async {
        let moves = "return Array.from(document.querySelectorAll('#variations button'), (b) => b.textContent)";
        page.until_text("#status", "The player moves").await;
        let dealt = page.js(moves).await;
        assert_eq!(dealt.as_array().unwrap().len(), 2, "two tiles come first: {dealt}");
        let slide = page.js("return document.querySelector('#buttons button').dataset.move").await;
        let button = format!("#buttons [data-move='{}']", slide.as_str().unwrap());
        page.click(&button).await;
        page.until("return document.querySelectorAll('#variations button').length === 4").await;
        let played = page.js(moves).await;
        page.click("#undo").await; // over the new tile
        page.until("return document.querySelector('#variations [aria-current]').nextElementSibling").await;
        page.until_text("#status", "The player moves").await;
        // The same slide finds the tile that came before.
        page.click(&button).await;
        page.until("return !document.querySelector('#variations [aria-current]').nextElementSibling").await;
        page.until_text("#status", "The player moves").await;
        assert_eq!(page.js(moves).await, played);
        // The slide is deleted with its tile.
        page.press("\u{E017}").await;
        page.until("return document.querySelectorAll('#variations button').length === 2").await;
        page.until_text("#status", "The player moves").await;
        assert_eq!(page.js(moves).await, dealt);
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn cells_are_called_as_moves_call_them() {
    for (game, cell, says) in [
        ("breakthrough", 0, "a8: second player"),
        ("tictactoe", 4, "cell 5: 5"),
        ("connect4", 0, "column 1, row 1: empty"),
        ("hex", 12, "b2: empty"),
        ("yavalath", 0, "a1: empty"),
        ("photosynthesis", 1, "24: no cell"),
    ] {
        with_page(&[game], "", |page| async {
            let label = page.js(&format!("return document.querySelector(\"[data-cell='{cell}']\").ariaLabel")).await;
            assert_eq!(label, says, "{game}");
            page
        });
    }
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_chosen_piece_is_let_go() {
    with_page(&["breakthrough"], "", |page| async {
        page.click("[data-cell='48']").await;
        page.until("return document.querySelectorAll('.marks .chosen').length === 1").await;
        page.press("\u{E00C}").await; // escape
        page.until("return document.querySelectorAll('.marks .chosen').length === 0").await;
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn a_game_with_variations_is_saved_and_loaded() {
    with_page(&["tictactoe"], "", |page| async {
        let texts = page
            .client
            .execute_async(
                "const done = arguments[0];
                 import('/assets/game.js').then(({ Game }) => {
                   const game = new Game('hex:size=5');
                   for (const text of ['a1', 'b 2', 'c3']) game.play(text, 0);
                   game.undo();
                   game.play('(d4)', 0);
                   game.play('e5', 1);
                   game.first();
                   game.play('b1', 0);
                   const text = game.text();
                   const twins = Game.ofList('hex', [
                     { after: null, text: 'a1' }, { after: null, text: 'a1' }, { after: 1, text: 'b2' },
                   ]);
                   done([text, Game.parse(text).text(), Game.parse(text).line().length, twins.text(),
                     Game.ofList(game.spec, game.list()).text()]);
                 });",
                Vec::new(),
            )
            .await
            .unwrap();
        let expected = "hex:size=5\na1 ( b1 ) \"b 2\" c3 ( \"(d4)\" e5 )\n";
        // Moves of the same text are one.
        assert_eq!(texts, serde_json::json!([expected, expected, 4, "hex\na1 b2\n", expected]));
        // A person loads a file.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.txt");
        std::fs::write(&file, "connect4\n4 ( 3 4 ) 5\n").unwrap();
        page.click("#files summary").await;
        let input = page.client.find(fantoccini::Locator::Css("#load")).await.unwrap();
        input.send_keys(file.to_str().unwrap()).await.unwrap();
        page.until("return document.getElementById('game').value === 'connect4'").await;
        page.until("return document.querySelectorAll('#variations button').length === 4").await;
        let sgf = folder.path().join("game.sgf");
        std::fs::write(&sgf, "(;GM[1]SZ[5];B[cc];W[bb])").unwrap();
        page.js("const g = document.getElementById('game'); g.value = 'go'; g.dispatchEvent(new Event('change'))")
            .await;
        page.until_text("#options", "Go by area").await;
        input.send_keys(sgf.to_str().unwrap()).await.unwrap();
        page.until("return document.querySelectorAll('#variations button').length === 2").await;
        page.until("return document.querySelectorAll('.hit').length === 25").await;
        page
    });
}
