//! The list of agents that games have of their own.

use boughs_bots::{BotSpec, OwnSpec, check, own_agents};
use boughs_games::entries;

#[test]
fn the_agent_that_suits_a_game_plays_it() {
    for entry in entries() {
        let agent: BotSpec = entry.agent.parse().expect(entry.name);
        assert_eq!(check(entry.name, &agent), Ok(()), "{}", entry.name);
    }
}

#[test]
fn an_agent_is_its_bare_name_by_default_and_prints_what_it_read() {
    for (game, agent) in OwnSpec::list() {
        let bare: BotSpec = agent.name.parse().expect(agent.name);
        assert_eq!(bare.to_string(), agent.name);
        for key in &agent.keys {
            let text = format!("{}:{}={}", agent.name, key.name, key.default);
            assert_eq!(text.parse(), Ok(bare.clone()), "{text}");
            let wrong = format!("{}:{}=?", agent.name, key.name).parse::<BotSpec>();
            assert!(wrong.expect_err("no value is written so").to_string().contains(key.values), "{text}");
        }
        assert!(own_agents(game).contains(&agent) && own_agents("hex").is_empty());
    }
}

#[test]
fn an_agent_of_one_game_does_not_play_another() {
    for (game, agent) in OwnSpec::list() {
        let bot: BotSpec = agent.name.parse().expect(agent.name);
        assert_eq!(check(game, &bot), Ok(()));
        let error = check("tictactoe", &bot).expect_err("another game").to_string();
        assert!(error.contains(&format!("the agent {} plays {game} and no other game", agent.name)), "{error}");
    }
}
