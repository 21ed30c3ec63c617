//! The server: its addresses, and what is behind each.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use boughs_arena::sgf::TreeMove;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::catalogue::catalogue;
use crate::guard::{Names, guard};
use crate::hub::Hub;
use crate::place::{Place, PlaceQuestion};
use crate::refusal::{Refusal, json_response};
use crate::secrets::Secrets;
use crate::{ServeError, Settings, assets, lab, socket};

/// The most bytes of a request, and of a message of a page.
const MOST_BYTES: usize = 1 << 20;

/// The most questions that are answered at a time; others wait.
const MOST_QUESTIONS: usize = 16;

/// The most pages that are open at a time.
const MOST_PAGES: usize = 512;

/// The state that all requests share.
pub(crate) struct Server {
    pub(crate) settings: Settings,
    pub(crate) hub: Hub,
    pub(crate) secrets: Arc<Secrets>,
    /// Permits for open pages.
    pages: Arc<Semaphore>,
}

/// Serves until the program ends. `ready` is called with the address, and with the fault of the key's file.
///
/// # Errors
/// If the address cannot be had.
pub(crate) fn serve(settings: Settings, ready: &dyn Fn(SocketAddr, Option<&str>)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(MOST_QUESTIONS)
        .build()
        .map_err(|error| ServeError(format!("the server cannot start: {error}")))?;
    runtime.block_on(async {
        let address = (settings.host.clone(), settings.port);
        let listener = TcpListener::bind((address.0.as_str(), address.1)).await.map_err(|error| {
            ServeError(format!("{}:{} cannot be had: {error}; try another --port or --host", address.0, address.1))
        })?;
        let failed = |error: std::io::Error| ServeError(format!("the server has ended: {error}"));
        let (secrets, fault) = match settings.key.as_deref().map(Secrets::kept_in) {
            Some(Ok(kept)) => (kept, None),
            Some(Err(fault)) => (Secrets::new(), Some(fault)),
            None => (Secrets::new(), None),
        };
        let router = router(settings, secrets);
        ready(listener.local_addr().map_err(failed)?, fault.as_deref());
        axum::serve(listener, router).await.map_err(failed)
    })
}

/// All addresses.
fn router(settings: Settings, secrets: Secrets) -> Router {
    let names = Arc::new(Names(settings.names.clone()));
    let secrets = Arc::new(secrets);
    let hub = Hub::new(settings.most_searches, settings.most_memory, secrets.clone(), settings.start.agent.clone());
    let server = Arc::new(Server { settings, hub, secrets, pages: Arc::new(Semaphore::new(MOST_PAGES)) });
    Router::new()
        .route("/", get(|| async { assets::page() }))
        .route("/assets/{name}", get(|Path(name): Path<String>| async move { assets::asset(&name) }))
        .route("/api/catalogue", get(the_catalogue))
        .route("/api/position", post(position))
        .route("/api/draw", post(draw))
        .route("/api/line", post(line))
        .route("/api/sgf/read", post(read_sgf))
        .route("/api/sgf/write", post(write_sgf))
        .route("/api/socket", get(open_socket))
        .route("/lab", get(lab::list))
        .route("/lab/{event}", get(lab::event))
        .route("/lab/measurements/{number}", get(lab::measurement))
        .fallback(|| async { Refusal::missing("there is nothing at this address; the board is at /") })
        .method_not_allowed_fallback(|| async {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            Refusal { status, sentence: "this address is not asked in this way".into() }
        })
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(names, guard))
        .with_state(server)
}

/// Reads a question in JSON.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format!("the question is wrong: {error}")))
}

/// Answers on a thread for long work, so that other pages need not wait.
async fn answer(work: impl FnOnce() -> Result<Value, Refusal> + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(value)) => json_response(StatusCode::OK, &value),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => Refusal::failed("the rules of the game panicked in this position").into_response(),
    }
}

async fn the_catalogue(State(server): State<Arc<Server>>) -> Response {
    answer(move || {
        let cores = boughs::run::cores();
        Ok(catalogue(&server.settings.start, cores, server.settings.store.is_some()))
    })
    .await
}

async fn position(State(server): State<Arc<Server>>, body: Bytes) -> Response {
    answer(move || {
        let question: PlaceQuestion = read(&body)?;
        Ok(Place::of(&question, &server.secrets)?.view(&server.secrets))
    })
    .await
}

/// Lets chance act until a player does.
async fn draw(State(server): State<Arc<Server>>, body: Bytes) -> Response {
    answer(move || {
        let question: PlaceQuestion = read(&body)?;
        let mut place = Place::of(&question, &server.secrets)?;
        place.draw();
        Ok(place.view(&server.secrets))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineQuestion {
    place: PlaceQuestion,
    /// The texts of the moves after the position.
    line: Vec<String>,
}

/// The cells of an expected line.
async fn line(State(server): State<Arc<Server>>, body: Bytes) -> Response {
    answer(move || {
        let LineQuestion { place, line } = read(&body)?;
        Ok(Place::of(&place, &server.secrets)?.line(&line))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SgfText {
    text: String,
}

/// Reads a game with its variations. Moves are in a list, each with the index of the one before it.
async fn read_sgf(body: Bytes) -> Response {
    answer(move || {
        let SgfText { text } = read(&body)?;
        let read = boughs_arena::sgf::read_tree(&text).map_err(Refusal::bad)?;
        let moves: Vec<Value> = read.moves.iter().map(|one| json!({ "after": one.after, "text": one.text })).collect();
        let left_out: Vec<String> = read.left_out.iter().map(ToString::to_string).collect();
        Ok(json!({ "game": read.spec, "moves": moves, "leftOut": left_out }))
    })
    .await
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

async fn write_sgf(body: Bytes) -> Response {
    answer(move || {
        let MovesOfGame { game, moves } = read(&body)?;
        let start = boughs_games::start(&game).map_err(Refusal::bad)?;
        let moves: Vec<_> = moves.into_iter().map(|MoveOfGame { after, text }| TreeMove { after, text }).collect();
        let text = boughs_arena::sgf::write_tree(&start, &moves, ["", ""], "").map_err(Refusal::bad)?;
        Ok(json!({ "text": text }))
    })
    .await
}

async fn open_socket(State(server): State<Arc<Server>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = server.pages.clone().try_acquire_owned() else {
        return Refusal::failed("too many pages of this server are open; close some").into_response();
    };
    let upgrade = upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES);
    upgrade.on_upgrade(move |socket| async move {
        socket::serve(socket, server).await;
        drop(permit);
    })
}
