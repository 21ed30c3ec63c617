//! Judged cases as a page, turn by turn: the place of each candy, and the box after every tilt.

use boughs::notation::counted;
use boughs::{Action, Position};
use boughs_arena::judge::{CaseTurn, CaseVerdict, NamedCase};
use boughs_games::ahc015::{Ahc015, CELLS, SIZE, Step, Tilt};

use crate::{Replay, ReplayMove, ReplayPage};

/// The largest number of cases on a page.
pub const MOST_SHOWN: usize = 20;

const LEGEND: &str = "The box is seen from above, its front at the top (f) and its back at the bottom (b). A disc is \
     a candy: flavour 1 is blue, 2 orange, 3 green. Cells that the last move changed are yellow, and a candy that has \
     come to a free cell has a dot. A move is a number, the free cell that the next candy is put in, counted row by \
     row from the front, or the tilt after it to the front, back, left or right, F B L R. Below the box is the \
     estimated value of each tilt, where it is known.";

/// A case on the page.
#[derive(Clone, Copy, Debug)]
pub struct ShownCase<'a> {
    /// The case.
    pub named: &'a NamedCase,
    /// Its verdict, whose turns are shown.
    pub verdict: &'a CaseVerdict,
    /// The score as a share of the best score before, if there is one.
    pub relative: Option<f64>,
    /// The command that plays it again.
    pub replay: &'a str,
}

/// Makes a page of the cases of one contestant, with results and conditions as facts. The page has the first
/// [`MOST_SHOWN`] cases, and says so if there are more.
pub fn page(title: &str, contestant: &str, facts: Vec<(String, String)>, cases: &[ShownCase<'_>]) -> ReplayPage {
    let mut remarks = Vec::new();
    if cases.len() > MOST_SHOWN {
        remarks.push(format!("The first {MOST_SHOWN} of {} cases are on this page.", cases.len()));
    }
    ReplayPage {
        title: title.to_string(),
        player: contestant.to_string(),
        facts,
        remarks,
        legend: LEGEND.to_string(),
        columns: ["case", "score", "of best", "seconds"].map(str::to_string).to_vec(),
        replays: cases.iter().take(MOST_SHOWN).map(replay).collect(),
    }
}

fn replay(shown: &ShownCase<'_>) -> Replay {
    let ShownCase { named, verdict, relative, replay } = *shown;
    let mut position = Ahc015::new(named.case.flavours);
    let start = board(&position);
    let mut moves = Vec::new();
    // No candy comes after the last tilt, and one more was placed before a fault.
    for (number, placement) in named.case.placements.into_iter().enumerate().take(verdict.turns.len() + 1) {
        position.apply(Step::Place(placement).code());
        moves.push(made(&position, Step::Place(placement), Vec::new()));
        if let Some(&CaseTurn { tilt, values }) = verdict.turns.get(number) {
            position.apply(Step::Tilt(tilt).code());
            moves.push(made(&position, Step::Tilt(tilt), worths(values)));
        }
    }
    let seconds = format!("{:.3}", verdict.time.as_secs_f64());
    Replay {
        name: format!("Case {}", named.name),
        cells: vec![
            named.name.clone(),
            verdict.score.to_string(),
            relative.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share)),
            seconds.clone(),
        ],
        did: match verdict.playouts {
            0 => format!("scores {} in {seconds} s", verdict.score),
            playouts => format!("scores {} in {seconds} s; {}", verdict.score, counted(playouts, "playouts")),
        },
        ending: verdict.reason().unwrap_or("by its rules".to_string()),
        is_bad: verdict.fault.is_some(),
        start,
        moves,
        notes: verdict.said.clone(),
        command: replay.to_string(),
    }
}

/// A step that led to a position.
fn made(position: &Ahc015, step: Step, values: Vec<(String, String)>) -> ReplayMove {
    let is_chance = matches!(step, Step::Place(_));
    ReplayMove { text: position.action_text(step.code()), is_chance, board: board(position), values }
}

/// The value of each tilt, by its letter; empty if no value is known.
fn worths(values: [Option<f64>; 4]) -> Vec<(String, String)> {
    if values.iter().all(Option::is_none) {
        return Vec::new();
    }
    let worth = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.0}"));
    Tilt::ALL.into_iter().zip(values).map(|(tilt, value)| (tilt.letter().to_string(), worth(value))).collect()
}

/// The box as a grid with its sides, a letter for each flavour, and the next flavours.
fn board(position: &Ahc015) -> String {
    const MIDDLE: usize = SIZE / 2;
    let letter = |flavour: u8| char::from(b".XOY"[usize::from(flavour)]);
    let side = |name: char| format!("{}{name}\n", " ".repeat(SIZE + 1));
    let mut text = side('f');
    for row in 0..SIZE {
        let cells: Vec<String> =
            (0..SIZE).map(|column| letter(position.board_now().flavour(row, column)).to_string()).collect();
        let [left, right] = if row == MIDDLE { ["l", "r"] } else { [" ", " "] };
        text += &format!("{left} {} {right}\n", cells.join(" "));
    }
    text += &side('b');
    let next: Vec<String> =
        (position.come()..CELLS).take(10).map(|turn| letter(position.flavour(turn)).to_string()).collect();
    let next = next.join(" ");
    text + &format!("score {:>7}, candies {:>3}, next flavours {next:<19}\n", position.score(), position.come())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use boughs_arena::judge::{CaseAnswer, play_case};
    use boughs_games::ahc015::Case;

    use super::*;

    #[test]
    fn a_case_is_shown_from_the_empty_box_to_its_score() {
        let named = NamedCase { name: "7".into(), case: Case::generate(7) };
        let turn = CaseTurn { tilt: Tilt::Left, values: [Some(1.0), None, Some(812_345.4), None] };
        let verdict = play_case(&named.case, &mut |_, _| Ok(CaseAnswer { turn, took: Duration::ZERO, playouts: 1 }));
        let shown = ShownCase { named: &named, verdict: &verdict, relative: Some(0.5), replay: "" };
        let Replay { cells, is_bad, start, moves, .. } = replay(&shown);
        assert_eq!((moves.len(), cells[2].as_str(), is_bad), (2 * CELLS, "50.0 %", false));
        let (grid, below) = start.split_once("score").unwrap();
        assert!(!grid.contains(['X', 'O', 'Y']) && below.contains("candies   0"), "{start}");
        let next = below.split_once("flavours ").unwrap().1;
        let letters = named.case.flavours.map(|flavour| ["X", "O", "Y"][usize::from(flavour) - 1]);
        assert_eq!(next.trim_end(), letters[..10].join(" "));
        let last = &moves[2 * CELLS - 1];
        assert!(last.board.contains(&format!("score {:>7}, candies 100", verdict.score)) && !last.board.contains('.'));
        assert_eq!((last.text.as_str(), last.values[2].1.as_str(), last.values[3].1.as_str()), ("L", "812345", "-"));
    }
}
