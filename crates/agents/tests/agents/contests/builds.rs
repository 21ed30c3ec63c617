//! The contest agents find the same in every build, with and without the feature `crates`.

use boughs::checksum::Checksum;
use boughs::{Budget, Game, Rng, StopFlag, Turn};
use boughs_agents::AgentSpec;
use boughs_agents::ahc015::{CaseClock, Player};
use boughs_games::ahc015::{Ahc015, Case};
use boughs_games::green_circle::{GreenCircle, Setup};
use boughs_games::photosynthesis::Photosynthesis;

/// The reports of an agent that decides for all players, without their times.
fn reports<G: Game>(agent: &str, mut game: G, decisions: usize, iterations: u64) -> String {
    let mut agent = agent.parse::<AgentSpec>().unwrap().with_seed(3).build(&game).unwrap();
    let (mut rng, mut all) = (Rng::new(1, 0), String::new());
    for _ in 0..decisions {
        while Game::turn(&game) == Turn::Chance {
            let outcome = game.chance(&mut rng, &mut Vec::new()).unwrap();
            Game::apply(&mut game, outcome);
        }
        agent.reset(&game).unwrap();
        let mut report = agent.search(Budget::iterations(iterations), &mut |_| ()).unwrap();
        (report.seconds, report.playouts_per_second, report.bytes) = (0.0, 0.0, 0);
        // The checksums are older than the lines and the values of children, and the word on samples.
        report.children.iter_mut().for_each(|child| child.line.clear());
        let newer = [", line: []", ", value: None", ", has_samples: true"];
        all += &newer.iter().fold(format!("{report:?}\n"), |text, part| text.replace(part, ""));
        Game::apply(&mut game, report.best_action().unwrap());
    }
    all
}

/// The answers of an agent in the first candies of a case, with the values of all tilts.
fn answers(agent: &str, candies: usize, playouts: u64) -> String {
    let case = Case::generate(1);
    let mut agent = agent.parse::<AgentSpec>().unwrap().build(&Ahc015::new(case.flavours)).unwrap();
    let clock = CaseClock::playouts(playouts);
    let mut player = Player::begin(&mut *agent, case.flavours, 1, clock, StopFlag::default()).unwrap();
    case.placements[..candies].iter().map(|&place| format!("{:?}\n", player.answer(place).unwrap())).collect()
}

fn checksum(text: &str) -> u64 {
    let mut checksum = Checksum::default();
    checksum.add(text.as_bytes());
    checksum.value()
}

#[test]
fn contest_agents_find_the_same_in_every_build() {
    let woods = reports("woods:memory=16M", Photosynthesis::new(1), 6, 500);
    let foresight = reports("foresight:positions=200", GreenCircle::new(&Setup::of_seed(1)), 6, 64);
    let (candy, solution3) = (answers("candy", 5, 50_000), answers("solution3:playouts=40", 5, 50_000));
    let found = [woods, foresight, candy, solution3].map(|text| checksum(&text));
    let before = [0x2d18_b0a2_1367_9d0c, 0x7ef0_b6a5_df23_5868, 0x1ec5_840a_4356_97e4, 0x9b97_1509_b3ad_8fe7];
    assert_eq!(found, before, "{found:#x?} now");
}
