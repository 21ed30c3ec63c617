//! The list of agents: its names, its keys, and which agent goes with which game.

use boughs_agents::ahc015::Candy;
use boughs_agents::{AgentSpec, Beam, agents_of, default_agent};
use boughs_games::entries;

#[test]
fn the_agent_that_suits_a_game_plays_it() {
    for entry in entries() {
        assert_eq!(default_agent(entry.name).check(entry.name), Ok(()), "{}", entry.name);
        assert_eq!(default_agent(&entry.name.to_uppercase()), default_agent(entry.name));
    }
    for (game, agent) in [
        ("ahc015", "candy"),
        ("connect4", "mcts:playout=heavy"),
        ("yavalath", "mcts:playout=decisive"),
        ("go", "mcts:c=0.2,policy=grave,playout=heavy"),
        ("hex", "mcts:c=0.2,policy=grave,playout=heavy"),
        ("breakthrough", "mcts:c=0.3,policy=puct,net=built-in,minimax=0.3,solver=on"),
        ("2048", "mcts:c=0.1,policy=puct,eval=on"),
        ("pig", "mcts:c=0.5,expand=300"),
        ("photosynthesis", "woods"),
        ("green-circle", "foresight"),
        ("othello", "mcts:c=0.15,policy=puct,net=built-in,minimax=0.6,solver=on"),
        ("a game of one's own", "mcts"),
    ] {
        assert_eq!(default_agent(game).to_string(), agent);
    }
}

#[test]
fn every_agent_is_its_bare_name_by_default_and_prints_what_it_read() {
    for agent in AgentSpec::list() {
        let spec: AgentSpec = agent.name.parse().unwrap();
        assert_eq!(spec.to_string(), agent.name);
        for key in &agent.keys {
            let with = |value: &str| format!("{}:{}={value}", agent.name, key.name);
            assert_eq!(with(&key.default).parse(), Ok(spec.clone()), "{}", with(&key.default));
            let wrong = with("?").parse::<AgentSpec>();
            assert!(wrong.expect_err("no value is written so").to_string().contains(&key.values), "{}", with("?"));
        }
        if let Some(game) = agent.game {
            assert!(agents_of(game).contains(&agent));
        }
    }
    assert!(agents_of("hex").is_empty());
}

#[test]
fn threads_can_be_set_for_every_general_agent_and_are_printed() {
    for agent in AgentSpec::list().iter().filter(|agent| agent.game.is_none()) {
        let mut spec: AgentSpec = agent.name.parse().unwrap();
        spec.set("threads", "3").unwrap();
        assert_eq!(spec.to_string(), format!("{}:threads=3", agent.name));
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
}

#[test]
fn a_search_that_leaves_out_the_evaluator_of_its_game_is_told_of_it() {
    let fault = |game: &str, agent: &str| {
        let (start, agent) = (boughs_games::start(game).unwrap(), agent.parse::<AgentSpec>().unwrap());
        agent.build(&*start.position).err().unwrap().to_string()
    };
    let told = "priors come from the evaluator of the game, with eval=on; try mcts:policy=puct,eval=on";
    assert_eq!(fault("othello", "mcts:policy=puct"), told);
    assert!(fault("connect4", "mcts:minimax=0.5").ends_with("with eval=on; try mcts:eval=on,minimax=0.5"));
    assert!(fault("hex", "mcts:eval=on").ends_with("; try mcts"));
}

#[test]
fn faults_are_named_with_what_is_right() {
    let fault = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
    let unknown = fault("alpha:c=1");
    assert!(unknown.starts_with("unknown agent 'alpha'; there are mcts"), "{unknown}");
    assert!(unknown.contains("; or agents of one game: solution1 (ahc015), "), "{unknown}");
    for agent in AgentSpec::list() {
        let keys: Vec<&str> = agent.keys.iter().map(|key| key.name).collect();
        let wrong = fault(&format!("{}:colour=red", agent.name));
        let right = match keys[..] {
            [] => "because it has none".to_string(),
            _ => format!("its keys are {}", keys.join(", ")),
        };
        let starts = format!("agent {} has no key 'colour'", agent.name);
        assert!(wrong.starts_with(&starts) && wrong.contains(&right), "{wrong}");
    }
}

#[test]
fn options_out_of_range_are_an_error_in_code_too() {
    let fault = |agent: AgentSpec, game: &str| agent.check(game).unwrap_err().to_string();
    let candy = |plans, threads| AgentSpec::from(Candy { plans, threads, ..Candy::default() });
    assert_eq!(fault(candy(0, 1), "ahc015"), "'0' in plans=0 should be a whole number from 1 to 3");
    assert!(fault(candy(1, usize::MAX), "ahc015").ends_with("should be a whole number from 0 to 1024"));
    let beam = AgentSpec::from(Beam { width: 0, ..Beam::default() });
    assert_eq!(fault(beam, "connect4"), "'0' in width=0 should be a whole number from 1 to 1000000");
}

#[test]
fn old_names_of_agents_are_still_read() {
    for (old, new) in [
        ("worlds:worlds=7", "determinization:worlds=7"),
        ("worlds", "determinization"),
        ("beam:layers=days", "days-beam:layers=days"),
        ("beam:layers=actions,days=5", "days-beam:days=5"),
    ] {
        assert_eq!(old.parse::<AgentSpec>().unwrap().to_string(), new);
    }
}

#[test]
fn a_key_tells_the_days_beam_under_its_old_name_from_the_general_beam() {
    for (text, game) in [("beam", None), ("beam:layers=5", None), ("beam:layers=days", Some("photosynthesis"))] {
        let spec: AgentSpec = text.parse().unwrap();
        let name = spec.to_string();
        let entry = AgentSpec::list().into_iter().find(|agent| name.split(':').next() == Some(agent.name)).unwrap();
        assert_eq!(entry.game, game, "{text}");
    }
    let error = "beam:layers=all".parse::<AgentSpec>().expect_err("no such layers").to_string();
    assert!(
        error.contains("a whole number") && error.contains("; or ") && error.contains("actions or days"),
        "{error}"
    );
}

#[test]
fn an_agent_of_one_game_does_not_play_another() {
    for agent in AgentSpec::list() {
        let Some(game) = agent.game else { continue };
        let spec: AgentSpec = agent.name.parse().unwrap();
        assert_eq!(spec.check(game), Ok(()));
        let error = spec.check("tictactoe").expect_err("another game").to_string();
        assert!(error.contains(&format!("the agent {} plays {game} and no other game", agent.name)), "{error}");
    }
}

#[test]
fn an_agent_that_refuses_a_kind_of_game_names_the_kind_in_its_line() {
    for agent in AgentSpec::list().iter().filter(|agent| agent.game.is_none()) {
        let spec: AgentSpec = agent.name.parse().unwrap();
        let refuses = |game: &str| spec.check(game).is_err();
        let expected = match ["tictactoe", "matrix", "kuhn"].map(refuses) {
            [false, false, false] => "",
            [false, false, true] => "; not with hidden information",
            [false, true, true] => "; only with perfect information",
            [true, false, false] => "; not with perfect information",
            other => panic!("{}: {other:?}", agent.name),
        };
        let kinds = agent.summary.rfind(';').map_or("", |at| &agent.summary[at..]);
        assert_eq!(kinds, expected, "{}", agent.name);
    }
}
