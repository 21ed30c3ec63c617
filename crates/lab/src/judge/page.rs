//! Cases as a page, turn by turn: where each candy comes, and the box after every tilt.

use boughs::Game;
use boughs_arena::{Album, Film, Shot};
use boughs_games::ahc015::{Ahc015, CELLS, SIZE, Step, Tilt};

use super::{Named, Turn, Verdict};

/// How many cases of a run can be looked at.
pub const MOST_SHOWN: usize = 20;

/// A case on the page.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The case.
    pub named: &'a Named,
    /// How it went; the turns it has are shown.
    pub verdict: &'a Verdict,
    /// The score as a share of the best before, where there is one.
    pub relative: Option<f64>,
    /// The command that plays it again.
    pub replay: &'a str,
}

/// A page of cases that one contestant has played, with results and conditions as facts; all that is left to do is to write it.
/// Only the first [`MOST_SHOWN`] cases are on it, and it says so.
pub fn page(title: &str, contestant: &str, facts: Vec<(String, String)>, cases: &[Shown<'_>]) -> Album {
    let mut remarks = vec![
        "The box is seen from above, its front at the top (f) and its back at the bottom (b); flavour 1 is blue, 2 orange, 3 \
         green. Below it stands what each tilt was thought to be worth, where that is known."
            .to_string(),
    ];
    if cases.len() > MOST_SHOWN {
        remarks.push(format!("The first {MOST_SHOWN} of {} cases are on this page.", cases.len()));
    }
    Album {
        title: title.to_string(),
        player: contestant.to_string(),
        facts,
        remarks,
        columns: ["case", "score", "of best", "seconds"].map(str::to_string).to_vec(),
        films: cases.iter().take(MOST_SHOWN).map(film).collect(),
    }
}

fn film(shown: &Shown<'_>) -> Film {
    let Shown { named, verdict, relative, replay } = *shown;
    let mut position = Ahc015::new(named.case.flavours);
    let start = board(&position);
    let mut shots = Vec::new();
    // After the last tilt nothing comes, and after a fault one candy more was put.
    for (number, placement) in named.case.placements.into_iter().enumerate().take(verdict.turns.len() + 1) {
        position.apply(Step::Place(placement));
        shots.push(shot(&position, Step::Place(placement), Vec::new()));
        if let Some(&Turn { tilt, values }) = verdict.turns.get(number) {
            position.apply(Step::Tilt(tilt));
            shots.push(shot(&position, Step::Tilt(tilt), worths(values)));
        }
    }
    let seconds = format!("{:.3}", verdict.time.as_secs_f64());
    Film {
        name: format!("Case {}", named.name),
        cells: vec![
            named.name.clone(),
            verdict.score.to_string(),
            relative.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share)),
            seconds.clone(),
        ],
        did: match verdict.playouts {
            0 => format!("scores {} in {seconds} s", verdict.score),
            playouts => format!("scores {} in {seconds} s; {playouts} playouts", verdict.score),
        },
        ending: verdict.fault.as_ref().map_or("by its rules".to_string(), |fault| format!("it {fault}")),
        is_bad: verdict.fault.is_some(),
        start,
        shots,
        notes: verdict.said.clone(),
        replay: replay.to_string(),
    }
}

fn shot(position: &Ahc015, step: Step, values: Vec<(String, String)>) -> Shot {
    let is_chance = matches!(step, Step::Place(_));
    Shot { text: position.action_text(step), is_chance, board: board(position), values }
}

/// What each tilt is worth, by its letter; nothing where nothing is known.
fn worths(values: [Option<f64>; 4]) -> Vec<(String, String)> {
    if values.iter().all(Option::is_none) {
        return Vec::new();
    }
    let worth = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.0}"));
    Tilt::ALL.into_iter().zip(values).map(|(tilt, value)| (tilt.letter().to_string(), worth(value))).collect()
}

/// The box as a grid with its sides, a letter for each flavour, and what comes next.
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
    let next: String = (position.come()..CELLS).take(10).map(|turn| position.flavour(turn).to_string()).collect();
    text + &format!("score {:>7}, candies {:>3}, next flavours {next:<10}\n", position.score(), position.come())
}

#[cfg(test)]
mod tests {
    use boughs_games::ahc015::Case;

    use super::*;
    use crate::judge::play::play;

    #[test]
    fn a_case_is_shown_from_the_empty_box_to_its_score() {
        let named = Named { name: "7".into(), case: Case::generate(7) };
        let turn = Turn { tilt: Tilt::Left, values: [Some(1.0), None, Some(812_345.4), None] };
        let answer = || crate::judge::play::Answer { turn, took: std::time::Duration::ZERO, playouts: 1 };
        let verdict = play(&named.case, &mut |_, _| Ok(answer()));
        let film = film(&Shown { named: &named, verdict: &verdict, relative: Some(0.5), replay: "" });
        assert_eq!((film.shots.len(), film.cells[2].as_str(), film.is_bad), (2 * CELLS, "50.0 %", false));
        assert!(!film.start.contains(['X', 'O', 'Y']) && film.start.contains("candies   0"), "{}", film.start);
        let last = &film.shots[2 * CELLS - 1];
        assert!(last.board.contains(&format!("score {:>7}, candies 100", verdict.score)) && !last.board.contains('.'));
        assert_eq!((last.text.as_str(), last.values[2].1.as_str(), last.values[3].1.as_str()), ("L", "812345", "-"));
    }
}
