//! Tests of parsing, printing and checking with one agent that has a key of every kind.

use super::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pace {
    Slow,
    Fast,
}

const PACES: [(&str, Pace); 3] = [("slow", Pace::Slow), ("fast", Pace::Fast), ("quick", Pace::Fast)];

#[derive(Clone, Debug, PartialEq)]
struct Walker {
    steps: u32,
    urge: f64,
    pace: Pace,
    name: String,
    memory: usize,
}

impl Default for Walker {
    fn default() -> Walker {
        Walker { steps: 3, urge: f64::INFINITY, pace: Pace::Slow, name: "none".into(), memory: 1 << 20 }
    }
}

impl Spec for Walker {
    const NAME: &'static str = "walker";
    const ALIASES: &'static [&'static str] = &["walks"];
    const SUMMARY: &'static str = "walks";
    const REMOVED: &'static [(&'static str, &'static str)] =
        &[("paces", "its name is steps now; write steps instead"), ("pace=limp", "it got nowhere; write pace=slow")];

    fn keys() -> Vec<Key<Walker>> {
        vec![
            Key::number("steps", "steps a turn", 1..=9, |walker| &mut walker.steps),
            Key::number_or("urge", "how soon", ("inf", f64::INFINITY), 0.0..=2.5, |walker| &mut walker.urge),
            Key::choice("pace", "how fast", &PACES, |walker| &mut walker.pace),
            Key::new(
                "name",
                "who it is",
                "a name in small letters",
                |walker: &Walker| walker.name.clone(),
                |walker, text| {
                    walker.name = text.bytes().all(|byte| byte.is_ascii_lowercase()).then(|| text.to_string())?;
                    Some(())
                },
            ),
            Key::memory("most memory", |walker| &mut walker.memory),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        unreachable!("no test asks for a seed")
    }

    fn threads(&self) -> usize {
        1
    }
}

#[test]
fn a_text_parses_and_prints_to_itself() {
    for text_of_agent in ["walker", "walker:steps=9,urge=2.5,pace=fast,name=x,memory=64M", "walker:memory=1000001"] {
        assert_eq!(text(&parse::<Walker>(text_of_agent).unwrap()), text_of_agent);
    }
}

#[test]
fn older_names_are_read_and_the_new_ones_printed() {
    let walker: Walker = parse("walks:steps=4,pace=quick").unwrap();
    assert_eq!(text(&walker), "walker:steps=4,pace=fast");
}

#[test]
fn every_key_reads_what_it_prints() {
    assert_eq!(check_keys::<Walker>(), Ok(()));
}

#[test]
fn faults_are_named_with_the_values_that_are_permitted() {
    let fault = |text: &str| parse::<Walker>(text).unwrap_err().to_string();
    assert_eq!(fault("walker:steps=0"), "'0' in steps=0 should be a whole number from 1 to 9");
    assert_eq!(fault("walker:urge=3"), "'3' in urge=3 should be inf or a number from 0 to 2.5");
    assert_eq!(fault("walker:urge=NaN"), "'NaN' in urge=NaN should be inf or a number from 0 to 2.5");
    assert_eq!(fault("walker:pace=2"), "'2' in pace=2 should be slow or fast");
    assert_eq!(fault("walker:name=A"), "'A' in name=A should be a name in small letters");
    assert_eq!(fault("walker:memory=x"), "'x' in memory=x should be a size such as 64M or 1.5G");
    assert_eq!(fault("walker:x=1"), "agent walker has no key 'x'; its keys are steps, urge, pace, name, memory");
    assert_eq!(
        fault("walker:setps=1"),
        "agent walker has no key 'setps'; did you mean steps? its keys are steps, urge, pace, name, memory"
    );
    let twice = "walker:steps=1,steps=2";
    assert_eq!(fault(twice), format!("key 'steps' stands twice in agent '{twice}'; give it once"));
}

#[test]
fn a_key_or_a_value_that_is_gone_is_one_fault_with_its_cure() {
    for (gone, says) in [
        ("paces=4", "paces is gone, because its name is steps now; write steps instead"),
        ("pace=limp", "pace=limp is gone, because it got nowhere; write pace=slow"),
    ] {
        assert_eq!(parse::<Walker>(&format!("walker:urge=1,{gone}")).unwrap_err().to_string(), says);
        let (key, value) = gone.split_once('=').unwrap();
        assert_eq!(set(&mut Walker::default(), key, value).unwrap_err().to_string(), says);
    }
}

#[test]
fn values_set_in_code_are_held_to_the_same_ranges() {
    assert_eq!(validate(&Walker::default()), Ok(()));
    let error = validate(&Walker { steps: 10, ..Walker::default() }).unwrap_err();
    assert_eq!(error.to_string(), "'10' in steps=10 should be a whole number from 1 to 9");
    assert!(validate(&Walker { urge: f64::NAN, ..Walker::default() }).is_err());
}
