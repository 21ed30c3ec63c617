//! The list of agents that games have of their own.

use boughs::{AgentEntry, AgentSpec};
use boughs_bots::{BotSpec, OwnSpec, check, own_agents};
use boughs_games::entries;

#[test]
fn the_agent_that_suits_a_game_plays_it() {
    for entry in entries() {
        let agent: BotSpec = entry.agent.parse().expect(entry.name);
        assert_eq!(check(entry.name, &agent), Ok(()), "{}", entry.name);
    }
}

/// An agent as its game has it by default: its bare name, but for a key that tells it from an agent of the engine.
fn bare(agent: &AgentEntry) -> String {
    match AgentSpec::list().iter().any(|general| general.name == agent.name) {
        true => format!("{}:{}={}", agent.name, agent.keys[0].name, agent.keys[0].default),
        false => agent.name.to_string(),
    }
}

#[test]
fn an_agent_is_its_bare_name_by_default_and_prints_what_it_read() {
    for (game, agent) in OwnSpec::list() {
        let text = bare(&agent);
        let spec: BotSpec = text.parse().expect(agent.name);
        assert!(matches!(spec, BotSpec::Own(_)) && spec.to_string() == text, "{text}");
        for key in &agent.keys {
            let with = |value: &str| match text.contains(':') {
                true if text.contains(&format!(":{}=", key.name)) => format!("{}:{}={value}", agent.name, key.name),
                true => format!("{text},{}={value}", key.name),
                false => format!("{text}:{}={value}", key.name),
            };
            assert_eq!(with(&key.default).parse(), Ok(spec.clone()), "{}", with(&key.default));
            let wrong = with("?").parse::<BotSpec>();
            assert!(wrong.expect_err("no value is written so").to_string().contains(key.values), "{}", with("?"));
        }
        assert!(own_agents(game).contains(&agent) && own_agents("hex").is_empty());
    }
}

#[test]
fn a_key_tells_an_agent_from_one_of_the_engine() {
    for (text, is_own) in [("beam", false), ("beam:layers=5", false), ("beam:layers=days", true)] {
        let bot: BotSpec = text.parse().expect(text);
        assert_eq!((bot.general().is_none(), bot.to_string().as_str()), (is_own, text));
    }
    let error = "beam:layers=all".parse::<BotSpec>().expect_err("no such layers").to_string();
    assert!(
        error.contains("a whole number") && error.contains("; or ") && error.contains("actions or days"),
        "{error}"
    );
}

#[test]
fn an_agent_of_one_game_does_not_play_another() {
    for (game, agent) in OwnSpec::list() {
        let bot: BotSpec = bare(&agent).parse().expect(agent.name);
        assert_eq!(check(game, &bot), Ok(()));
        let error = check("tictactoe", &bot).expect_err("another game").to_string();
        assert!(error.contains(&format!("the agent {} plays {game} and no other game", agent.name)), "{error}");
    }
}
