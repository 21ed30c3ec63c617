//! The server: its addresses, and what is behind each.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use boughs::run::guarded;
use boughs_arena::sgf::TreeMove;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::catalogue::catalogue;
use crate::connections::Connections;
use crate::guard::{Names, protect};
use crate::http::{Connection, Request, Response};
use crate::hub::Hub;
use crate::permits::{Permit, Permits};
use crate::place::{Place, PlaceQuestion};
use crate::refusal::{Refusal, json_response};
use crate::secrets::Secrets;
use crate::{ServeError, Settings, assets, lab, socket};

/// The most questions that are answered at a time; others wait.
const MOST_QUESTIONS: usize = 16;

/// The most pages that are open at a time.
const MOST_PAGES: usize = 512;

/// The most connections at a time. A program may have 1,024 open files on most systems, stores among them.
const MOST_CONNECTIONS: usize = MOST_PAGES + 256;

/// The sentence about a game whose rules end by a panic.
pub(crate) const PANICKED: &str = "the rules of the game panicked in this position";

/// The state that all requests share.
pub(crate) struct Server {
    pub(crate) settings: Settings,
    pub(crate) hub: Hub,
    pub(crate) secrets: Arc<Secrets>,
    names: Names,
    connections: Connections,
    questions: Arc<Permits>,
    pages: Arc<Permits>,
}

/// Serves until the program ends. `ready` is called with the address, and with the fault of the key's file.
///
/// # Errors
/// If the address cannot be had.
pub(crate) fn serve(settings: Settings, ready: &dyn Fn(SocketAddr, Option<&str>)) -> Result<(), ServeError> {
    let (host, port) = (settings.host.as_str(), settings.port);
    let listener = TcpListener::bind((host, port))
        .map_err(|error| ServeError(format!("{host}:{port} cannot be had: {error}; try another --port or --host")))?;
    let address = listener.local_addr().map_err(|error| ServeError(format!("the server has ended: {error}")))?;
    let (secrets, fault) = match settings.key.as_deref().map(Secrets::kept_in) {
        Some(Ok(kept)) => (kept, None),
        Some(Err(fault)) => (Secrets::new(), Some(fault)),
        None => (Secrets::new(), None),
    };
    let secrets = Arc::new(secrets);
    let server = Arc::new(Server {
        hub: Hub::new(settings.most_searches, settings.most_memory, secrets.clone(), settings.start.agent.clone()),
        names: Names(settings.names.clone()),
        settings,
        secrets,
        connections: Connections::new(MOST_CONNECTIONS),
        questions: Permits::new(MOST_QUESTIONS),
        pages: Permits::new(MOST_PAGES),
    });
    ready(address, fault.as_deref());
    let own = server.clone();
    server.connections.accept(&listener, move |connection| own.serve(connection))
}

impl Server {
    /// Answers the requests of a connection.
    fn serve(self: &Arc<Server>, mut connection: Connection) {
        loop {
            let read = |connection: &mut Connection| connection.request(|request| self.names.check(request));
            let request = match self.connections.while_waiting(&mut connection, read) {
                Ok(Some(request)) => request,
                Ok(None) => return,
                Err(refusal) => {
                    return self.connections.while_waiting(&mut connection, |connection| {
                        // A client that has gone needs no answer.
                        let _ = connection.send(&protect(refusal.into(), ""), None);
                        connection.linger();
                    });
                }
            };
            let mut page = None;
            let response = protect(self.answer(&request, &mut page), &request.path);
            let send = |connection: &mut Connection| connection.send(&response, Some(&request));
            if self.connections.while_waiting(&mut connection, send).is_err() {
                return;
            }
            if let Some(_permit) = page {
                return socket::serve(connection, self);
            }
            if request.is_last {
                return;
            }
        }
    }

    /// The answer to a request. `page` gets a permit if the connection becomes the web socket of a page.
    fn answer(&self, request: &Request, page: &mut Option<Permit>) -> Response {
        let nothing = || Refusal::missing("there is nothing at this address; the board is at /").into();
        let Some(path) = request.path.strip_prefix('/') else { return nothing() };
        let path: Vec<&str> = path.split('/').collect();
        let (method, answer): (&str, &mut dyn FnMut() -> Result<Response, Refusal>) = match path[..] {
            [""] => ("GET", &mut || Ok(assets::page())),
            ["assets", name] => ("GET", &mut || assets::asset(name)),
            ["api", "catalogue"] => ("GET", &mut || self.catalogue()),
            ["api", "position"] => ("POST", &mut || self.position(request)),
            ["api", "draw"] => ("POST", &mut || self.draw(request)),
            ["api", "line"] => ("POST", &mut || self.line(request)),
            ["api", "sgf", "read"] => ("POST", &mut || self.read_sgf(request)),
            ["api", "sgf", "write"] => ("POST", &mut || self.write_sgf(request)),
            ["api", "socket"] => ("GET", &mut || self.open_socket(request, page)),
            ["lab"] => ("GET", &mut || Ok(lab::list(self))),
            ["lab", event] => ("GET", &mut || Ok(lab::event(self, event))),
            ["lab", "measurements", number] => ("GET", &mut || Ok(lab::measurement(self, number))),
            _ => return nothing(),
        };
        let asked = if request.method == "HEAD" { "GET" } else { request.method.as_str() };
        if asked != method {
            let allowed = if method == "GET" { "GET,HEAD" } else { method };
            return Response::from(Refusal::new(405, "this address is not asked in this way")).with("allow", allowed);
        }
        answer().unwrap_or_else(Response::from)
    }

    /// Does work that may be long, beside a bounded number of others. `panicked` is the sentence about its panic.
    pub(crate) fn work<T>(&self, panicked: &str, work: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
        let _permit = self.questions.take();
        guarded(work).unwrap_or_else(|_| Err(Refusal::failed(panicked)))
    }

    /// Answers a question in JSON, by a value in JSON.
    fn question<T: DeserializeOwned>(
        &self,
        request: &Request,
        answer: impl FnOnce(T) -> Result<Value, Refusal>,
    ) -> Result<Response, Refusal> {
        let value = self.work(PANICKED, || {
            let question = serde_json::from_slice(&request.body);
            answer(question.map_err(|error| Refusal::bad(format!("the question is wrong: {error}")))?)
        })?;
        Ok(json_response(200, &value))
    }

    fn catalogue(&self) -> Result<Response, Refusal> {
        let Settings { start, store, .. } = &self.settings;
        let value = self.work(PANICKED, || Ok(catalogue(start, boughs::run::cores(), store.is_some())))?;
        Ok(json_response(200, &value))
    }

    fn position(&self, request: &Request) -> Result<Response, Refusal> {
        self.question(request, |question: PlaceQuestion| Ok(Place::of(&question, &self.secrets)?.view(&self.secrets)))
    }

    /// Lets chance act until a player does.
    fn draw(&self, request: &Request) -> Result<Response, Refusal> {
        self.question(request, |question: PlaceQuestion| {
            let mut place = Place::of(&question, &self.secrets)?;
            place.draw();
            Ok(place.view(&self.secrets))
        })
    }

    /// The cells of an expected line.
    fn line(&self, request: &Request) -> Result<Response, Refusal> {
        self.question(request, |LineQuestion { place, line }| Ok(Place::of(&place, &self.secrets)?.line(&line)))
    }

    /// Reads a game with its variations. Moves are in a list, each with the index of the one before it.
    fn read_sgf(&self, request: &Request) -> Result<Response, Refusal> {
        self.question(request, |SgfText { text }| {
            let read = boughs_arena::sgf::read_tree(&text).map_err(Refusal::bad)?;
            let moves = read.moves.iter().map(|one| json!({ "after": one.after, "text": one.text }));
            let (moves, left_out) = (moves.collect::<Vec<_>>(), read.left_out.iter().map(ToString::to_string));
            Ok(json!({ "game": read.spec, "moves": moves, "leftOut": left_out.collect::<Vec<_>>() }))
        })
    }

    fn write_sgf(&self, request: &Request) -> Result<Response, Refusal> {
        self.question(request, |MovesOfGame { game, moves }| {
            let start = boughs_games::start(&game).map_err(Refusal::bad)?;
            let moves: Vec<_> = moves.into_iter().map(|MoveOfGame { after, text }| TreeMove { after, text }).collect();
            let text = boughs_arena::sgf::write_tree(&start, &moves, ["", ""], "").map_err(Refusal::bad)?;
            Ok(json!({ "text": text }))
        })
    }

    /// Makes a web socket of a connection.
    fn open_socket(&self, request: &Request, page: &mut Option<Permit>) -> Result<Response, Refusal> {
        let response = socket::accept(request)?;
        let permit = self.pages.take_within(Duration::ZERO);
        *page = Some(permit.ok_or_else(|| Refusal::failed("too many pages of this server are open; close some"))?);
        Ok(response)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineQuestion {
    place: PlaceQuestion,
    /// The texts of the moves after the position.
    line: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SgfText {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MovesOfGame {
    game: String,
    moves: Vec<MoveOfGame>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveOfGame {
    after: Option<usize>,
    text: String,
}
