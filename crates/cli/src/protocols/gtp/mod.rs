//! GTP 2, the Go Text Protocol, for any game of two players with perfect information.
//!
//! A command is a line here: its name and its function. Clients of Go, Hex and Othello name moves as these games do.
//! GoGui draws any game whose moves are points of a grid by the commands of `gogui.rs`, and shows a running search by
//! those of `analysis.rs`.

mod analysis;
mod board;
mod clock;
mod gogui;
mod handicap;
mod line;
mod think;

use std::time::Duration;

use boughs_agents::AgentSpec;
use boughs_games::{Names, StartedGame};

use self::analysis::Analysis;
use self::clock::Clocks;
use super::board_game::Game;
use super::events::Events;
use super::game_spec::GameSpec;
use crate::failure::Failure;
use crate::output::print;
use crate::ranks::Builder;

/// The limit of a move where the client sets no time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MoveLimit {
    Time(Duration),
    Iterations(u64),
}

/// The settings of the command line.
pub(crate) struct GtpSettings {
    pub(crate) spec: String,
    pub(crate) agent: AgentSpec,
    pub(crate) limit: MoveLimit,
    /// True if the agent searches while the opponent thinks.
    pub(crate) ponders: bool,
    /// The win rate below which the program resigns.
    pub(crate) resigns_below: f64,
    pub(crate) builder: Builder,
}

/// The answer to a command: a text, or the reason why there is none.
type Answer = Result<String, String>;

/// The engine between two commands.
struct Engine {
    game: Game,
    clocks: Clocks,
    limit: MoveLimit,
    ponders: bool,
    /// The win rate below which the program resigns.
    resigns_below: f64,
    events: Events,
    /// The analysis that goes on until the next line.
    analysis: Option<Analysis>,
    /// The moves up to the program's own last one, until another command changes the position: the opponent's turn.
    replied: Option<Vec<u32>>,
    has_quit: bool,
    /// The number of the command that runs.
    id: String,
    /// The line of that command after its name.
    rest: String,
    /// True if that command has written its answer itself.
    is_answered: bool,
}

type Run = fn(&mut Engine, &[String]) -> Answer;

/// All commands.
const COMMANDS: &[(&str, Run)] = &[
    ("protocol_version", |_, _| Ok("2".to_string())),
    ("name", |_, _| Ok("Boughs".to_string())),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").to_string())),
    ("known_command", known_command),
    ("list_commands", list_commands),
    ("quit", quit),
    ("boardsize", board::boardsize),
    ("clear_board", board::clear_board),
    ("komi", board::komi),
    ("fixed_handicap", handicap::fixed_handicap),
    ("place_free_handicap", handicap::place_free_handicap),
    ("set_free_handicap", handicap::set_free_handicap),
    ("play", board::play),
    ("undo", board::undo),
    ("loadsgf", board::loadsgf),
    ("showboard", board::showboard),
    ("all_legal_moves", board::all_legal_moves),
    ("final_score", board::final_score),
    ("final_status_list", board::final_status_list),
    ("list_games", board::list_games),
    ("set_game", board::set_game),
    ("genmove", think::genmove),
    ("reg_genmove", think::reg_genmove),
    ("time_settings", think::time_settings),
    ("time_left", think::time_left),
    ("cputime", think::cputime),
    ("gomill-cpu_time", think::cputime),
    ("gomill-describe_engine", think::describe_engine),
    ("analyze", analysis::analyze),
    ("lz-analyze", analysis::lz_analyze),
    ("kata-analyze", analysis::kata_analyze),
    ("genmove_analyze", analysis::genmove_analyze),
    ("lz-genmove_analyze", analysis::lz_genmove_analyze),
    ("kata-genmove_analyze", analysis::kata_genmove_analyze),
    ("kata-list-params", gogui::list_params),
    ("kata-get-param", gogui::get_param),
    ("kata-set-param", gogui::set_param),
    ("gogui-interrupt", |_, _| Ok(String::new())),
    ("gogui-analyze_commands", gogui::analyze_commands),
    ("boughs-params", gogui::params),
    ("boughs-visits", gogui::visits),
    ("boughs-win_rates", gogui::win_rates),
    ("boughs-variation", gogui::variation),
];

/// The commands by which GoGui plays a game whose moves are points of a grid.
const RULES: &[(&str, Run)] = &[
    ("gogui-rules_game_id", gogui::game_id),
    ("gogui-rules_board", gogui::board),
    ("gogui-rules_board_size", gogui::board_size),
    ("gogui-rules_legal_moves", board::all_legal_moves),
    ("gogui-rules_side_to_move", gogui::side_to_move),
    ("gogui-rules_final_result", gogui::final_result),
];

/// Plays by GTP until the input ends or a client says `quit`.
pub(crate) fn play(started: &StartedGame, settings: GtpSettings) -> Result<(), Failure> {
    if !started.is_open_and_for_two() {
        return Err(Failure::new(format!(
            "GTP is for two players who see everything and have no luck, and {} is another kind of game; try go, hex, \
             othello, connect4 or breakthrough",
            started.entry.name
        )));
    }
    let GtpSettings { spec, agent, limit, ponders, resigns_below, builder } = settings;
    let mut engine = Engine {
        game: Game::start(GameSpec::of(&spec), agent, builder)?,
        clocks: Clocks::default(),
        limit,
        ponders,
        resigns_below,
        events: Events::standard()?,
        analysis: None,
        replied: None,
        has_quit: false,
        id: String::new(),
        rest: String::new(),
        is_answered: false,
    };
    while !engine.has_quit {
        engine.search_until_the_next_line()?;
        let Some(text) = engine.events.next()? else { break };
        if let Some(command) = line::read(&text) {
            engine.is_answered = false;
            engine.id.clone_from(&command.id);
            engine.rest.clone_from(&command.rest);
            if command.name.starts_with("gogui-") {
                // GoGui counts rows from the bottom and skips i in every game.
                engine.game.names = Some(Names::Go);
            }
            let run = engine.commands().find(|(name, _)| *name == command.name).map(|(_, run)| *run);
            let answer = match run {
                Some(run) => run(&mut engine, &command.arguments),
                None if command.name.is_empty() => Err("a command has to follow the number".to_string()),
                None => Err("unknown command".to_string()),
            };
            match (&engine.analysis, engine.is_answered) {
                (_, true) => {}
                (Some(_), _) => print(&format!("={}\n", command.id))?,
                (None, _) => print(&line::answer(&command.id, &answer))?,
            }
        }
    }
    Ok(())
}

impl Engine {
    /// Starts another game, with full clocks.
    fn restart(&mut self, spec: GameSpec) -> Result<(), String> {
        self.game.restart(spec)?;
        self.clocks.restart();
        self.replied = None;
        Ok(())
    }

    /// The commands that this game has.
    fn commands(&self) -> impl Iterator<Item = &'static (&'static str, Run)> + use<> {
        let has_grid = self.game.grid().is_some();
        COMMANDS.iter().chain(if has_grid { RULES } else { &[] })
    }
}

fn known_command(engine: &mut Engine, arguments: &[String]) -> Answer {
    let is_known = arguments.first().is_some_and(|name| engine.commands().any(|(known, _)| known == name));
    Ok(is_known.to_string())
}

fn list_commands(engine: &mut Engine, _: &[String]) -> Answer {
    Ok(engine.commands().map(|(name, _)| *name).collect::<Vec<_>>().join("\n"))
}

fn quit(engine: &mut Engine, _: &[String]) -> Answer {
    engine.has_quit = true;
    Ok(String::new())
}

/// Reads an argument, or says `syntax error`.
fn argument<T: std::str::FromStr>(arguments: &[String], place: usize) -> Result<T, String> {
    arguments.get(place).and_then(|text| text.parse().ok()).ok_or_else(|| "syntax error".to_string())
}
