//! Games that a user adds to the list. The list belongs to the process, so one test tells the whole story.

use boughs::{Game, Turn};
use boughs_games::{GameEntry, ListError, NamedGame, Options, add_games, entries, games, hex::Hex, start};

/// Players take one to three stones in turn; the player who takes the last one wins.
#[derive(Clone)]
struct Stones {
    left: u8,
    player: usize,
}

impl Game for Stones {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.left.min(3));
    }

    fn apply(&mut self, take: u8) {
        self.left -= take;
        self.player = 1 - self.player;
    }

    fn reward(&self, player: usize) -> f64 {
        if player == self.player { 0.0 } else { 1.0 }
    }
}

impl NamedGame for Stones {
    const NAME: &'static str = "stones";
    const OPTIONS: &'static str = "count=1..100 (default 21)";

    fn start(options: &mut Options) -> Result<Stones, String> {
        Ok(Stones { left: options.number("count", 1..=100, 21)? as u8, player: 0 })
    }
}

/// The same game under a name that differs in capitals only.
#[derive(Clone)]
struct Capitals(Stones);

impl Game for Capitals {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self, out: &mut Vec<u8>) {
        self.0.actions(out);
    }

    fn apply(&mut self, take: u8) {
        self.0.apply(take);
    }

    fn reward(&self, player: usize) -> f64 {
        self.0.reward(player)
    }
}

impl NamedGame for Capitals {
    const NAME: &'static str = "Stones";

    fn start(options: &mut Options) -> Result<Capitals, String> {
        Stones::start(options).map(Capitals)
    }
}

#[test]
fn a_game_is_added_once_before_the_list_is_used_and_under_a_name_of_its_own() {
    assert_eq!(add_games(&games![Stones, Hex]), Err(ListError::SameName("hex")));
    let twice = add_games(&games![Stones, Capitals]).expect_err("two names that differ in capitals only");
    assert_eq!(twice.to_string(), "two games are called 'Stones'; give yours another name");
    for name in ["", "stones:2", "my stones", "a,b"] {
        let mut nameless = GameEntry::of::<Stones>();
        nameless.name = name;
        assert_eq!(add_games(&[nameless]), Err(ListError::BadName(name)));
    }
    assert_eq!(add_games(&games![Stones]), Ok(()));
    let names: Vec<&str> = entries().iter().map(|entry| entry.name).collect();
    assert_eq!((names.first(), names.last()), (Some(&"tictactoe"), Some(&"stones")));

    let game = start("stones:count=5").expect("the game of this test");
    assert_eq!((game.entry.summary, game.position.perft(2)), ("a game of your own", 8));
    assert_eq!(
        start("stones:heaps=5").err().expect("no such option").to_string(),
        "stones has no option 'heaps'; its options are count=1..100 (default 21)"
    );

    let late = add_games(&games![Capitals]).expect_err("the list is in use");
    assert_eq!(
        late.to_string(),
        "the list of games is in use already; add all games in one call at the start of the program"
    );
}
