//! `boughs agents` lists all agents, and the keys of one.

use boughs_agents::AgentSpec;

use crate::common::{json, run};

#[test]
fn every_agent_is_listed_with_its_summary() {
    let text = run("agents").expect();
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    // A summary may take several lines.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for agent in AgentSpec::list() {
        let entry = match agent.game {
            Some(game) => format!(" {} {game}: {}", agent.name, agent.summary),
            None => format!(" {} {}", agent.name, agent.summary),
        };
        assert!(text.contains(&entry), "'{entry}' is missing in {text}");
    }
}

#[test]
fn an_agent_has_all_its_keys_with_their_values_and_defaults() {
    for agent in AgentSpec::list() {
        let text = run(&format!("agents {}", agent.name)).expect();
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
        // A description may take several lines.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for key in &agent.keys {
            for part in [key.name, key.help, key.values.as_str(), &format!("[default: {}]", key.default)] {
                assert!(text.contains(part), "{part} is missing in {text}");
            }
        }
        assert!(agent.aliases.iter().all(|alias| text.contains(alias)), "{text}");
    }
}

#[test]
fn an_older_name_and_a_whole_spec_find_the_agent() {
    let text = run("agents determinization").expect();
    assert_eq!(run("agents worlds").expect(), text);
    assert_eq!(run("agents determinization:threads=2").expect(), text);
    assert!(run("agents alpha").expect_failure(2).contains("there is no agent 'alpha'; there are mcts, "));
}

#[test]
fn json_has_all_agents_with_their_keys() {
    let listed = json(&run("agents --json").expect());
    let agents = AgentSpec::list();
    assert_eq!(listed.as_array().map(Vec::len), Some(agents.len()));
    for (agent, found) in agents.iter().zip(listed.as_array().expect("a list")) {
        assert_eq!((&found["name"], &found["summary"]), (&agent.name.into(), &agent.summary.into()));
        assert_eq!(found["game"].as_str(), agent.game);
        assert_eq!(found["keys"].as_array().map(Vec::len), Some(agent.keys.len()));
    }
    let mcts = json(&run("agents mcts --json").expect());
    assert_eq!((mcts[0]["keys"][0]["name"].as_str(), mcts.as_array().map(Vec::len)), (Some("c"), Some(1)));
}
