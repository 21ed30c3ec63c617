/// The page: its parts, and what happens between them.

import { addressOf, commandOf, FIELDS, limitsOf, viewOf } from "./address.js";
import { AnalysisView } from "./analysis.js";
import { BoardView, statusOf } from "./board-view.js";
import { read, save, sgfOf } from "./files.js";
import { Game } from "./game.js";
import { drawGraph } from "./graph.js";
import { leaveKeys, listenToKeys } from "./keys.js";
import { Review } from "./review.js";
import { Searching } from "./searching.js";
import { drawSeats } from "./seats.js";
import { ask, Searches } from "./server.js";
import { AgentSettings } from "./settings.js";
import { Steps } from "./steps.js";
import { Tabs } from "./tabs.js";
import { TreeTab } from "./tree-tab.js";
import { drawVariations } from "./variations.js";
import { valueOf } from "./verdict.js";
import { moveName, seatName, sentence } from "./words.js";

const part = (id) => document.getElementById(id);

/// The time before an expected line is asked for.
const LOOK_MS = 150;
/// The most positions that are kept.
const MOST_POSITIONS = 500;
/// The name by which the browser keeps the game while its tab is open.
const KEPT = "game";
/// The moves that arrow keys play.
const SLIDES = ["left", "right", "up", "down"];

let catalogue = null;
let settings = null;
let tabs = null;
let game = null;
/// The current position as the server tells it, and the place of the game that it belongs to.
let view = null;
let shown = null;
let isFlipped = false;
/// The seat whose knowledge is shown in a game with secrets; null for an onlooker.
let viewer = null;
/// The seats that an agent plays.
let byAgent = new Set();
/// The number of the last search.
let tag = 0;
let looking = 0;
let isPreview = false;
const positions = new Map();

const searches = new Searches({
  hear,
  lost: () => {
    searching.lose();
    review.end();
    fault("the connection to the server is lost; trying again");
  },
  found: () => {
    fault("");
    if (view) follow();
  },
});
const board = new BoardView({
  board: part("board"),
  chosen: part("chosen"),
  buttons: part("buttons"),
  play: (move) => playMove(move.text),
  look: (text) => look(searching.news?.report?.children.find((child) => child.text === text) ?? null),
});
const mainTable = new AnalysisView(part("main-search"), { look, play: playMove });
const secondTable = new AnalysisView(part("second-search"), { look: () => {}, play: playMove });
const tree = new TreeTab({
  picture: part("tree-picture"),
  where: part("tree-path"),
  node: part("tree-node"),
  kind: part("tree-kind"),
  order: (question) => searches.order("main", "tree", { tree: question }),
  isOpen: () => !part("panel-tree").hidden,
});
const searching = new Searching({
  searches,
  table: mainTable,
  secondTable,
  tree,
  wanted: search,
  heard: (report) => {
    if (!isPreview) showNumbers();
    const found = shown === game.at ? valueOf(view, report) : null;
    if (found) keepValue(shown, found.value);
  },
  play: (text) => playMove(text, searching.news),
  changed: () => {
    part("run").textContent = searching.isRunning || searching.isMoving ? "Stop" : "Search";
    part("run-second").textContent = searching.isSecondRunning ? "Stop" : "Search";
  },
  fault,
});
const steps = new Steps({
  picture: part("step-picture"),
  phases: part("phases"),
  board: part("step-board"),
  order: (count) =>
    attempt(() => {
      const wanted = { ...search(), alone: true, time: null, iterations: null };
      steps.tag = wanted.tag;
      searches.order("steps", "step", { search: wanted, count });
    }),
});
const review = new Review({
  order: (order, more) => searches.order("review", order, more),
  search: (place) => search(settings.spec(), place),
  positionAt: (place) => positionAfter(game.moves(place)),
  keep: keepValue,
  tell: (text) => {
    part("analyse-game").textContent = text ? "Stop" : "Analyse the game";
    part("progress").textContent = text;
    if (!text) graph();
  },
});

function fault(text) {
  part("fault").textContent = text;
}

/// Does something that may fail, and shows why, or a word that it returns.
async function attempt(work) {
  fault("");
  try {
    const word = await work();
    if (word) fault(word);
  } catch (error) {
    fault(error.message);
  }
}

/// The position after these moves, as the server tells it.
async function positionAfter(moves) {
  const question = { game: game.spec, moves, viewer };
  const key = JSON.stringify(question);
  if (!positions.has(key)) {
    const found = await ask("/api/position", question);
    if (positions.size > MOST_POSITIONS) positions.clear();
    positions.set(key, found);
  }
  return positions.get(key);
}

/// Shows the current place of the game, after asking for it, beside the news of the search that has led there.
async function goOn(thoughts = null) {
  const of = game;
  let place = game.at;
  const isGone = () => game !== of || game.at !== place;
  let found = await positionAfter(game.moves());
  if (isGone()) return;
  game.take(found.moves);
  place = game.at;
  if (found.turn === "chance" && !place.children.length) {
    found = await ask("/api/draw", { game: game.spec, moves: game.moves(), viewer });
    if (isGone()) return;
    game.take(found.moves);
  }
  for (const child of game.at.children) child.seat = found.seat;
  const before = view && shown === game.at.parent ? view : null;
  [view, shown] = [found, game.at];
  if (found.rewards && found.players <= 2) [game.at.value] = found.rewards;
  // Numbers of the position before are none of this one.
  searching.news = null;
  tree.reset(view.scores);
  steps.reset();
  mainTable.show(thoughts, thoughts !== null);
  secondTable.show(null);
  show(before);
  follow();
}

/// Does what changes the game, and shows it; takes it back if the server refuses.
function change(act, thoughts = null) {
  const [of, at, children, next] = [game, game.at, game.at.children.slice(), game.at.next];
  act();
  attempt(async () => {
    try {
      await goOn(thoughts);
    } catch (error) {
      if (game === of) {
        game.at = at;
        Object.assign(at, { children, next });
      }
      throw error;
    }
  });
}

function show(before = null) {
  isPreview = false;
  part("board").classList.remove("preview");
  showStatus();
  part("legend").textContent = view.shape || view.picture.length ? view.legend : "";
  board.show(view, before, {
    isFlipped,
    animates: part("animates").checked,
    isActive: view.turn !== "player" || !byAgent.has(view.seat),
  });
  showNumbers();
  drawVariations(part("variations"), game, goTo);
  drawSeats(part("seating"), view, {
    byAgent,
    viewer,
    changed: () => {
      show();
      follow();
    },
    look: (seat) => {
      viewer = seat;
      [view, shown] = [null, null];
      attempt(goOn);
    },
  });
  graph();
  writeAddress();
}

/// Says whose turn it is, with the disc of that player.
function showStatus(more = "") {
  const status = part("status");
  const last = view.moves.at(-1);
  const played = last && last.seat !== null ? `${moveName(last.text)} was played. ` : "";
  const text = `${played}${statusOf(view, byAgent)} ${more}`;
  part("again").hidden = view.turn !== "over";
  status.classList.toggle("over", view.turn === "over");
  if (status.textContent === text) return;
  const disc = view.seat === null || !view.shape ? [] : [element("span", { class: `seat s${view.seat}` })];
  status.replaceChildren(...disc, text);
}

/// Writes the numbers of the search on the board, if they are wanted.
function showNumbers() {
  board.showNumbers(part("shows-arrows").checked ? searching.news?.report : null);
}

function graph() {
  drawGraph(part("graph"), game, view?.scores ?? false, goTo);
}

/// Begins the searches that the position asks for.
function follow() {
  searching.follow(view, view.turn === "player" && byAgent.has(view.seat));
}

/// The search of a place, by default of the current one.
function search(agent = settings.spec(), place = game.at) {
  const limits = limitsOf(fields());
  tag += 1;
  return { place: { game: game.spec, moves: game.moves(place), viewer }, agent, ...limits, tag };
}

/// Hears what the server says of a search.
function hear(name, message) {
  if (name === "review") return attempt(() => review.hear(message));
  if (message.fault) fault(message.fault);
  if (name === "steps") {
    if (message.step && message.tag === steps.tag) steps.hear(message.step, view.scores);
  } else searching.hear(name, message);
}

/// Keeps the value of a place for the first player.
function keepValue(place, value) {
  if (place.value !== null && Math.abs(place.value - value) <= 0.002) return;
  place.value = value;
  graph();
}

/// Shows the expected line of a move on the board and in words; nothing for null.
function look(child) {
  clearTimeout(looking);
  looking = 0;
  if (!view) return;
  if (isPreview) show();
  board.showLine([]);
  if (!child || board.prefix.length || view.information !== "perfect") return showStatus();
  const [line, place] = [[child.text, ...child.line], game.at];
  showStatus(`Expected: ${line.join(" ")}`);
  const timer = setTimeout(async () => {
    const question = { place: { game: game.spec, moves: game.moves(), viewer }, line };
    const cells = await ask("/api/line", question).catch(() => []);
    if (game.at === place && looking === timer) board.showLine(cells);
  }, LOOK_MS);
  looking = timer;
}

/// Shows the position at the end of a line, until something else is looked at.
async function preview(line) {
  const place = game.at;
  const found = await positionAfter([...game.moves(), ...line]);
  if (game.at !== place) return;
  isPreview = true;
  board.show(found, view, { isFlipped, animates: false, isActive: false });
  part("board").classList.add("preview");
  part("status").textContent = `After ${line.join(" ")}`;
}

/// Follows the expected line: in the tree if it is open, else on the board.
function followLine() {
  const line = searching.news?.report?.line ?? [];
  if (!line.length) return;
  if (isPreview) return show();
  if (tree.isOpen()) tree.follow(line);
  else attempt(() => preview(line));
}

/// Returns true if the page shows the current place. While it asks the server for it, a click or a key would mean the
/// place before.
function isShown() {
  return view !== null && shown === game.at;
}

function playMove(text, thoughts = null) {
  if (!isShown() || (view.legal.length && !view.legal.some((move) => move.text === text))) return;
  change(() => {
    game.play(text, view.seat);
    game.passChance();
  }, thoughts);
}

/// Goes to a place. That takes the game from the agents, or they would move on at once, unless a person acts there.
function goTo(place, keepsAgents = false) {
  if (place === game.at) return;
  if (!keepsAgents) byAgent = new Set();
  change(() => {
    game.at = place;
    for (let node = place; node.parent; node = node.parent) node.parent.next = node;
  });
}

/// Goes where a step of the game leads.
function step(act, keepsAgents = false) {
  const before = game.at;
  act();
  const after = game.at;
  game.at = before;
  goTo(after, keepsAgents);
}

/// Goes back by one move: against agents to the last one of a person.
function back() {
  const isPersons = ({ seat }) => seat !== null && !byAgent.has(seat);
  const moves = game.line().slice(1, game.line().indexOf(game.at) + 1);
  const keepsAgents = byAgent.size > 0 && moves.some(isPersons);
  step(() => {
    let gone;
    do gone = game.undo();
    while (keepsAgents && !isPersons(gone));
  }, keepsAgents);
}

function deleteMove() {
  if (!game.at.parent) return;
  byAgent = new Set();
  game.delete();
  attempt(goOn);
}

function flip() {
  if (!view) return;
  isFlipped = !isFlipped;
  show();
}

/// The fields of the limits and the seed.
function fields() {
  return Object.fromEntries(FIELDS.map((name) => [name, part(name).value]));
}

function writeAddress() {
  part("time").placeholder = settings.isForContest() ? "1" : "until stopped";
  const address = addressOf({
    spec: game.spec,
    moves: game.moves(),
    agent: settings.spec(),
    fields: fields(),
    viewer: view.information === "perfect" ? undefined : viewer,
    byAgent,
    isFlipped,
  });
  history.replaceState(null, "", address);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ address, moves: game.list(), at: game.moves() }));
  } catch {
    // A browser that keeps nothing, or no more, loses the variations at a reload.
  }
}

/// The game of an address with all its variations, if this page has shown it last.
function keptGame(spec) {
  try {
    const { address, moves, at } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    if (address !== location.hash) return null;
    const kept = Game.ofList(spec, moves);
    for (const text of at) kept.play(text);
    return kept;
  } catch {
    return null;
  }
}

/// Takes the view of the address, or the first view of the server.
async function readAddress() {
  const [found, first] = [viewOf(location.hash), catalogue.start];
  const kept = found.spec ? keptGame(found.spec) : null;
  const entry = chooseGame(found.spec ?? first.game);
  const others = settings.read(found.agent ?? (found.spec ? entry.agent : first.agent));
  for (const name of FIELDS) part(name).value = found.fields[name] ?? "";
  part("seed").value ||= first.seed;
  ({ isFlipped, byAgent, viewer } = found);
  await begin(found.spec ?? first.game, !found.hasViewer);
  const moves = found.spec || !first.moves ? found.moves : [first.moves];
  for (const text of moves) game.play(text);
  game = kept ?? game;
  await goOn();
  const refused = FIELDS.filter((name) => found.fields[name] && part(name).value !== found.fields[name]);
  const unknown = [...found.unknown, ...others, ...refused].map((name) => `'${name}'`);
  return unknown.length ? `the page does not know what the link says of ${unknown.join(" and ")}` : "";
}

/// Begins a game. In one with secrets the first player looks on, or the one of a seat, unless that is chosen.
async function begin(spec, picksViewer = true, seat = 0) {
  const found = await ask("/api/position", { game: spec });
  byAgent = new Set(Array.from(byAgent).filter((seat) => seat >= 0 && seat < found.players));
  review.end();
  game = new Game(spec);
  [view, shown] = [null, null];
  if (picksViewer) viewer = firstViewer(found, seat);
  offerSides(found.players);
  part("spec").value = spec.includes(":") ? spec.slice(spec.indexOf(":") + 1) : "";
}

/// The seat that looks on at first: this one where something is hidden.
function firstViewer({ information }, seat = 0) {
  return information === "perfect" ? null : seat;
}

/// Offers the seats of a game against Boughs.
function offerSides(players) {
  const [side, seat] = [part("side"), Number(part("side").value)];
  side.replaceChildren(...Array.from({ length: players }, (_, at) => element("option", { value: at }, seatName(at))));
  side.value = seat < players ? seat : 0;
  part("against").hidden = players < 2;
}

function chooseGame(spec) {
  const [name] = spec.split(":");
  const entry = catalogue.games.find((one) => one.name === name.toLowerCase());
  if (!entry) throw new Error(`there is no game '${name}'`);
  part("game").value = entry.name;
  const { summary, options, notation } = entry;
  const [head, more] = part("options").children;
  head.textContent = sentence(summary || entry.name);
  part("spec").placeholder = options || "no options";
  more.textContent = [`Options: ${options || "none"}`, `Moves: ${notation || "see the buttons"}`].map(sentence).join(" ");
  part("save-sgf").hidden = !entry.sgf;
  settings.offer(entry);
  return entry;
}

/// Begins a game of persons, or of one person against the agent.
async function newGame(person = null) {
  const [name, options] = [part("game").value, part("spec").value.trim()];
  byAgent = new Set();
  searching.isRunning = false;
  await begin(options ? `${name}:${options}` : name, true, person ?? 0);
  if (person !== null) {
    byAgent = new Set(Array.from(part("side").options, ({ value }) => Number(value)).filter((seat) => seat !== person));
    [part("time").value, part("iterations").value] = [part("pace").value, ""];
  }
  await goOn();
}

/// Begins the same game anew, with the same players.
async function again() {
  await begin(game.spec, false);
  await goOn();
}

/// Plays the move that an arrow key is called like in games whose moves are slides, and does something else in others.
function arrow(name, act) {
  if (!view?.legal.some(({ text }) => SLIDES.includes(text))) return act();
  if (!byAgent.has(view.seat)) playMove(name);
}

async function otherGame() {
  settings.read(chooseGame(part("game").value).agent);
  part("spec").value = "";
  await newGame();
}

/// Goes to the position after the moves of a text. One that is wrong leaves the game as it is.
async function paste() {
  const text = part("paste").value.trim();
  const found = await ask("/api/position", { game: game.spec, moves: text ? [text] : [], viewer });
  await begin(game.spec, false);
  game.take(found.moves);
  byAgent = new Set();
  await goOn();
}

/// Loads a game from a file. One that is wrong leaves the game as it is.
async function load(input) {
  const [file] = input.files;
  if (!file) return;
  const text = await file.text();
  // The same file may be chosen again.
  input.value = "";
  const { game: loaded, word } = await read(text);
  const start = await ask("/api/position", { game: loaded.spec });
  loaded.last();
  const seen = { viewer: firstViewer(start) };
  loaded.take((await ask("/api/position", { game: loaded.spec, moves: loaded.moves(), ...seen })).moves);
  loaded.first();
  settings.read(chooseGame(loaded.spec).agent);
  byAgent = new Set();
  await begin(loaded.spec);
  game = loaded;
  await goOn();
  return word;
}

function toggleReview() {
  if (review.isRunning) return review.end();
  searching.stop();
  review.begin(game.line());
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    part("copied").textContent = "copied";
  } catch {
    part("copied").textContent = text;
  }
}

/// Refuses texts of hidden moves, which others cannot know.
function checkOpen(texts) {
  if (texts.some((text) => text.startsWith("?")))
    throw new Error("this seat does not know all moves; look on as one who sees all, and save or copy then");
  return texts;
}

/// Shows what a tab needs that is opened.
function tabOpened(name) {
  look(null);
  // The table of the main search stands beside that of the second one.
  part(name === "compare" ? "compare-main" : "panel-moves").append(part("main-search"));
  part("first-agent").textContent = settings.spec();
  if (searching.news) tree.ask(true);
}

/// A change of the settings restarts the search.
function changed() {
  if (!view) return;
  writeAddress();
  part("first-agent").textContent = settings.spec();
  searching.again();
  beginSteps();
}

function beginSteps() {
  searches.order("steps", "leave");
  steps.reset();
}

function openSteps(act) {
  tabs.open("steps");
  act();
}

/// The keys: their names, those in the help and what they do. Those of KaTrain and lichess where these agree.
const KEYS = [
  ["ArrowLeft", "←", "back", () => arrow("left", back)],
  ["ArrowRight", "→", "forth", () => arrow("right", () => step(() => game.redo()))],
  ["ArrowUp", "↑, Home", "first position", () => arrow("up", () => step(() => game.first()))],
  ["ArrowDown", "↓, End", "last position", () => arrow("down", () => step(() => game.last()))],
  ["slides", "← → ↑ ↓", "slides, as in 2048", () => {}],
  ["Home", null, null, () => step(() => game.first())],
  ["End", null, null, () => step(() => game.last())],
  [" ", "space", "search or stop", () => isShown() && searching.toggle()],
  ["Enter", "Enter", "let the agent move", () => isShown() && searching.move()],
  ["f", "f", "flip the board", flip],
  ["a", "a", "numbers on the board", () => part("shows-arrows").click()],
  ["p", "p", "show the expected line", followLine],
  ["n", "n", "one iteration (tab Steps)", () => openSteps(() => steps.many(1))],
  ["m", "m", "one step of an iteration (tab Steps)", () => openSteps(() => steps.next())],
  ["Escape", "Esc", "let go of the chosen piece", () => board.letGo()],
  ["Delete", "Delete", "delete the move and what follows", deleteMove],
  ["1", "1 to 4", "tabs", () => tabs.open("moves")],
  ["2", null, null, () => tabs.open("tree")],
  ["3", null, null, () => tabs.open("steps")],
  ["4", null, null, () => tabs.open("compare")],
  ["?", "?", "these keys", () => part("help").showModal()],
];

/// The work of each button, by its name.
const BUTTONS = {
  first: () => step(() => game.first()),
  undo: back,
  redo: () => step(() => game.redo()),
  last: () => step(() => game.last()),
  flip,
  "engine-move": () => isShown() && searching.move(),
  delete: deleteMove,
  run: () => isShown() && searching.toggle(),
  "run-second": () => isShown() && attempt(() => searching.toggleSecond(part("second-agent").value)),
  "new-game": () => attempt(newGame),
  "against-begin": () => attempt(() => newGame(Number(part("side").value))),
  again: () => attempt(again),
  "analyse-game": () => attempt(toggleReview),
  "help-button": () => part("help").showModal(),
  "tree-pv": followLine,
  "tree-top": () => tree.goTo([]),
  step: () => steps.many(1),
  "step-phase": () => steps.next(),
  "step-reset": beginSteps,
  save: () =>
    attempt(() => {
      save(`${part("game").value}.txt`, game.text());
      const isHidden = game.list().some(({ text }) => text.startsWith("?"));
      return isHidden ? "moves that this seat does not know are encrypted in the file: this server reads it" : "";
    }),
  "save-sgf": () => attempt(async () => save(`${part("game").value}.sgf`, await sgfOf(game))),
  "paste-button": () => attempt(paste),
  "copy-command": () =>
    attempt(() =>
      copy(commandOf({ spec: game.spec, moves: checkOpen(game.moves()), agent: settings.spec(), fields: fields() })),
    ),
  "copy-link": () => copy(location.href),
};

function listen() {
  for (const [id, act] of Object.entries(BUTTONS)) part(id).addEventListener("click", () => act());
  for (const button of document.querySelectorAll("[data-count]")) {
    button.addEventListener("click", () => steps.many(Number(button.dataset.count)));
  }
  part("load").addEventListener("change", ({ target }) => attempt(() => load(target)));
  for (const id of ["game", "side", "pace"]) leaveKeys(part(id));
  part("game").addEventListener("change", () => attempt(otherGame));
  part("spec").addEventListener("change", () => attempt(newGame));
  part("shows-arrows").addEventListener("change", showNumbers);
  for (const id of FIELDS) part(id).addEventListener("change", changed);
  part("second-agent").addEventListener("keydown", ({ key }) => key === "Enter" && part("run-second").click());
  listenToKeys(KEYS, part("help-keys"));
  window.addEventListener("hashchange", () => attempt(readAddress));
}

async function open() {
  catalogue = await ask("/api/catalogue");
  part("game").replaceChildren(...catalogue.games.map(({ name }) => element("option", { value: name }, name)));
  part("results").hidden = !catalogue.store;
  settings = new AgentSettings({
    select: part("agent"),
    keys: part("keys"),
    summary: part("agent-summary"),
    text: part("agent-text"),
    threads: part("threads"),
    agents: catalogue.agents,
    changed,
  });
  part("second-agent").value = "mcts:c=0.5";
  tabs = new Tabs(tabOpened);
  listen();
  try {
    return await readAddress();
  } catch (error) {
    // A link that is wrong leaves a page on which another game can be chosen.
    history.replaceState(null, "", "#");
    await readAddress();
    throw error;
  } finally {
    tabs.open("moves");
  }
}

attempt(open).finally(() => {
  document.documentElement.dataset.ready = "true";
});
