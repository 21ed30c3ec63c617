/// The page: its parts, and what happens between them.

import { AnalysisView } from "./analysis.js";
import { BoardView, statusOf } from "./board-view.js";
import { read, save, sgfOf } from "./files.js";
import { Game } from "./game.js";
import { drawGraph } from "./graph.js";
import { ask, Searches } from "./server.js";
import { AgentSettings } from "./settings.js";
import { Steps } from "./steps.js";
import { pathKey, showNode, TreePicture } from "./tree.js";
import { moveName, seatName } from "./words.js";

const part = (id) => document.getElementById(id);

/// The time of a move of an agent that has no limits of its own, in milliseconds.
const MOVE_MS = 1000;
/// The time of each position when a whole game is analysed.
const POSITION_MS = 300;
/// The least time between two pictures of the tree, and the time before a line is looked at.
const [PICTURE_MS, LOOK_MS] = [250, 150];
/// The plies of a picture of the tree.
const DEPTH = 7;

let catalogue = null;
let game = null;
/// The current position as the server tells it, and the place of the game that it belongs to.
let view = null;
let shown = null;
let isRunning = false;
/// True while the search is for a move that the agent plays.
let moves = false;
let isFlipped = false;
/// The seat whose knowledge is shown in a game with secrets; null for an onlooker.
let viewer = null;
/// The seats that an agent plays.
let byAgent = new Set();
let news = null;
let tag = 0;
let tree = { path: [], asked: false, last: 0, part: null };
/// The search of a whole game: the places that are left.
let review = null;
let preview = 0;
const cache = new Map();

const searches = new Searches({
  hear,
  lost: () => {
    news = null;
    stop();
    endReview();
    second.isRunning = false;
    showRun();
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
  look: (text) => look(news?.report?.children.find((child) => child.text === text) ?? null),
});
const mainTable = new AnalysisView(part("main-search"), { look, play: playMove });
const secondTable = new AnalysisView(part("second-search"), { look: () => {}, play: playMove });
const treePicture = new TreePicture(part("tree-picture"), {
  choose: (path) => {
    treePicture.chosen = path;
    askNode();
    showTree();
  },
  enter: (path) => goInTree([...tree.path, ...path]),
});
const steps = new Steps({
  picture: part("step-picture"),
  phases: part("phases"),
  board: part("step-board"),
  order: (count) => {
    const wanted = { ...search(), alone: true, time: null, iterations: null };
    steps.tag = wanted.tag;
    searches.order("steps", "step", { search: wanted, count });
  },
});
let settings = null;

function fault(text) {
  part("fault").textContent = text;
}

/// Does something that may fail, and shows why.
async function attempt(work) {
  try {
    await work();
    fault("");
  } catch (error) {
    fault(error.message);
  }
}

/// The position after these moves, as the server tells it.
async function positionAfter(texts, path = "/api/position") {
  const question = { game: game.spec, moves: texts, viewer };
  const key = JSON.stringify(question);
  if (path === "/api/position" && cache.has(key)) return cache.get(key);
  const found = await ask(path, question);
  if (cache.size > 500) cache.clear();
  if (path === "/api/position") cache.set(key, found);
  return found;
}

/// Shows the current place of the game, after asking for it.
async function goOn() {
  const [place, of] = [game.at, game];
  let found = await positionAfter(game.moves(place));
  if (found.turn === "chance" && !place.children.length) {
    found = await positionAfter(game.moves(place), "/api/draw");
  }
  if (game !== of || game.at !== place) return;
  game.take(found.moves);
  const before = view && shown === game.at.parent ? view : null;
  [view, shown] = [found, game.at];
  if (found.rewards && found.players <= 2) game.at.value = found.rewards[0];
  news = null;
  tree = { path: [], asked: false, last: 0, part: null };
  treePicture.chosen = [];
  treePicture.clear("No search yet.");
  part("tree-node").replaceChildren();
  steps.reset();
  mainTable.show(null);
  secondTable.show(null);
  show(before);
  follow();
}

/// Does what changes the game, and shows it; takes it back if the server refuses.
function change(act) {
  const [of, at, children] = [game, game.at, game.at.children.slice()];
  act();
  attempt(async () => {
    try {
      await goOn();
    } catch (error) {
      if (game === of) {
        game.at = at;
        at.children = children;
      }
      throw error;
    }
  });
}

function show(before = null) {
  showStatus();
  part("legend").textContent = view.shape || view.picture.length ? view.legend : "";
  board.show(view, before, {
    isFlipped,
    animates: part("animates").checked,
    isActive: view.turn !== "player" || !byAgent.has(view.seat),
  });
  showMoves();
  showSeats();
  graph();
  writeAddress();
}

/// Says whose turn it is, with the disc of that player.
function showStatus(more = "") {
  const status = part("status");
  const last = view.moves.at(-1);
  const played = last && last.seat !== null ? `${moveName(last.text)} was played. ` : "";
  const text = `${played}${statusOf(view)} ${more}`;
  if (status.textContent === text) return;
  const disc = view.seat === null || !view.shape ? [] : [element("span", { class: `seat s${view.seat}` })];
  status.replaceChildren(...disc, text);
}

function graph() {
  drawGraph(part("graph"), game, view.scores, (place) => goTo(place));
}

/// Begins the searches that the position asks for.
function follow() {
  // News of the position before are no news of this one.
  main.tag = 0;
  second.tag = 0;
  second.isRunning = false;
  moves = view.turn === "player" && byAgent.has(view.seat);
  if (isRunning || moves) start();
  else searches.order("main", "leave");
  searches.order("second", "leave");
  searches.order("steps", "leave");
  showRun();
}

/// The search of the current position.
function search(agent = settings.spec()) {
  const [time, iterations] = [Number(part("time").value), Number(part("iterations").value)];
  tag += 1;
  return {
    place: { game: game.spec, moves: game.moves(), viewer },
    agent,
    seed: Number(part("seed").value) || 0,
    time: time > 0 ? Math.round(1000 * time) : null,
    iterations: iterations > 0 ? iterations : null,
    tag,
  };
}

function start() {
  if (view.turn !== "player") return searches.order("main", "leave");
  const wanted = search();
  if (moves && wanted.time === null && wanted.iterations === null) wanted.time = MOVE_MS;
  searches.order("main", "search", { search: wanted });
  news = { state: "new", tag };
  main.tag = tag;
  showRun();
}
const main = { tag: 0 };
const second = { tag: 0, isRunning: false };

function stop() {
  isRunning = false;
  moves = false;
  searches.order("main", "stop");
  showRun();
}

function toggle() {
  if (!view) return;
  if (isRunning || moves) return stop();
  isRunning = true;
  start();
}

function showRun() {
  part("run").textContent = isRunning || moves ? "Stop" : "Search";
  part("run-second").textContent = second.isRunning ? "Stop" : "Search";
}

/// Hears what the server says of a search.
function hear(name, message) {
  if (name === "main") hearMain(message);
  else if (name === "second") hearSecond(message);
  else if (name === "steps" && message.step && message.tag === steps.tag) steps.hear(message.step, view.scores);
  else if (name === "review") hearReview(message);
  if (message.fault && name !== "review") fault(message.fault);
}

function hearMain(message) {
  if (message.part) return message.tag === main.tag && hearTree(message.part);
  if (message.fault) {
    if (message.order === "tree") {
      // A tree that cannot be shown is not asked for again.
      tree.refused = true;
      treePicture.clear(message.fault);
    } else if (message.order === "search") stop();
    return;
  }
  if (message.tag !== main.tag || !message.state) return;
  news = message;
  mainTable.show(message);
  const { report, state } = message;
  if (report) {
    board.showNumbers(part("shows-arrows").checked ? report : null);
    if (shown === game.at) keepValue(shown, view, report);
  }
  const isOver = state === "ended" || state === "stopped" || state === "failed";
  if (state === "failed" && message.note) fault(message.note);
  askTree(isOver);
  if (moves && isOver) {
    // An analysis goes on at the next move of a person.
    moves = false;
    if (report?.best) playMove(report.best);
  } else if (isOver && state !== "stopped") isRunning = false;
  showRun();
}

/// Keeps the value of a place for the first player.
function keepValue(place, at, report) {
  const best = report.children.find(({ text }) => text === report.best);
  if (!best || !best.playouts || at.seat === null) return;
  const mean = best.proven ?? best.mean;
  const value = at.scores || at.seat === 0 || at.players !== 2 ? mean : 1 - mean;
  if (at.players > 2 && at.seat !== 0) return;
  if (place.value === null || Math.abs(place.value - value) > 0.002) {
    place.value = value;
    graph();
  }
}

function hearSecond(message) {
  if (message.tag !== second.tag || !message.state) {
    if (message.fault) second.isRunning = false;
    return showRun();
  }
  secondTable.show(message);
  if (message.state === "ended" || message.state === "failed") second.isRunning = false;
  showRun();
}

/// Asks for the picture of the tree where it is shown, not too often.
function askTree(isLast) {
  const now = performance.now();
  if (part("panel-tree").hidden || tree.refused || (tree.asked && !isLast) || (now - tree.last < PICTURE_MS && !isLast))
    return;
  tree.asked = true;
  tree.last = now;
  searches.order("main", "tree", { tree: { path: tree.path, depth: DEPTH } });
  askNode();
}

/// Asks for the numbers of the chosen node.
function askNode() {
  searches.order("main", "tree", { tree: { path: [...tree.path, ...treePicture.chosen], depth: 1, all: true } });
}

function hearTree(found) {
  if (pathKey(found.path) === pathKey(tree.path) && !found.isAll) {
    tree.asked = false;
    tree.part = found;
    showTree();
    if (!treePicture.chosen.length) return;
  }
  if (found.isAll) showNode(part("tree-node"), found, view.scores);
}

function showTree() {
  if (!tree.part) return;
  treePicture.scores = view.scores;
  part("tree-path").textContent = tree.path.length ? `below ${tree.path.join(" ")}` : "the whole tree";
  treePicture.show(tree.part.tree, tree.path);
}

function goInTree(path) {
  tree.path = path;
  treePicture.chosen = [];
  treePicture.view = null;
  tree.asked = false;
  tree.last = 0;
  askTree(true);
}

/// Shows the expected line of a move on the board and in words; nothing for null.
function look(child) {
  clearTimeout(preview);
  if (part("board").classList.contains("preview")) {
    part("board").classList.remove("preview");
    show();
    board.showNumbers(part("shows-arrows").checked ? news?.report : null);
  }
  if (!view) return;
  board.showLine([]);
  if (!child || board.prefix.length || view.information !== "perfect") return showStatus();
  const line = [child.text, ...child.line];
  showStatus(`Expected: ${line.join(" ")}`);
  const place = game.at;
  preview = setTimeout(async () => {
    const cells = await ask("/api/line", { place: { game: game.spec, moves: game.moves(), viewer }, line });
    if (game.at === place) board.showLine(cells);
  }, LOOK_MS);
}

/// Shows the position at the end of a line for a while.
async function previewLine(texts) {
  const place = game.at;
  const found = await positionAfter([...game.moves(), ...texts]);
  if (game.at !== place) return;
  board.show(found, view, { isFlipped, animates: false, isActive: false });
  part("board").classList.add("preview");
  part("status").textContent = `After ${texts.join(" ")}`;
}

function playMove(text) {
  // A second click comes before the answer to the first.
  if (!view || shown !== game.at || (view.legal.length && !view.legal.some((move) => move.text === text))) return;
  change(() => game.play(text, view.seat));
}

function goTo(place) {
  if (place === game.at) return;
  moves = false;
  // Going back takes the game from the agents, or they would move on at once.
  byAgent = new Set();
  change(() => {
    game.at = place;
    for (let node = place; node.parent; node = node.parent) node.parent.next = node;
  });
}

function step(act) {
  const before = game.at;
  const at = (() => {
    act();
    return game.at;
  })();
  game.at = before;
  goTo(at);
}

/// Writes the moves with their variations as buttons.
function showMoves() {
  const root = element("div");
  const write = (node, into) => {
    for (let at = node; at.children.length;) {
      let [main, ...others] = at.children;
      // Many hidden moves in a row, such as cards that are dealt, are one button.
      let hidden = 0;
      for (
        ;
        main.text.startsWith("?") && main.children.length === 1 && main.children[0].text.startsWith("?");
        hidden += 1
      ) {
        if (main === game.at) break;
        [main] = main.children;
      }
      into.append(moveButton(main, hidden ? `${hidden + 1} hidden` : moveName(main.text)));
      for (const other of others) {
        const variation = element("div", { class: "variation" });
        variation.append(moveButton(other, moveName(other.text)));
        write(other, variation);
        into.append(variation);
      }
      at = main;
    }
  };
  write(game.root, root);
  const hadFocus = part("variations").contains(document.activeElement);
  part("variations").replaceChildren(...root.childNodes);
  const current = part("variations").querySelector("[aria-current]");
  if (current) part("variations").scrollTop = Math.max(0, current.offsetTop - 60);
  if (hadFocus) current?.focus({ preventScroll: true });
}

function moveButton(node, name) {
  const kind = node.seat === null || node.seat === undefined ? "" : `s${node.seat}`;
  const button = element("button", { type: "button", class: kind }, name);
  if (node === game.at) button.setAttribute("aria-current", "step");
  button.addEventListener("click", () => goTo(node));
  return button;
}

/// Offers a person or the agent for each seat, and the seat that looks on where there are secrets.
function showSeats() {
  const seats = Array.from({ length: view.players }, (_, seat) => {
    const label = element(
      "label",
      {},
      view.players === 1 ? "Player" : `${seatName(seat)[0].toUpperCase()}${seatName(seat).slice(1)}`,
    );
    const select = element("select");
    select.append(element("option", { value: "person" }, "person"), element("option", { value: "agent" }, "agent"));
    select.value = byAgent.has(seat) ? "agent" : "person";
    select.addEventListener("change", () => {
      if (select.value === "agent") byAgent.add(seat);
      else byAgent.delete(seat);
      show();
      follow();
    });
    label.append(select);
    return label;
  });
  if (view.information !== "perfect") {
    const label = element("label", {}, "Seen by");
    const select = element("select", { id: "viewer" });
    for (let seat = 0; seat < view.players; seat += 1) {
      select.append(element("option", { value: seat }, `the ${seatName(seat)} player`));
    }
    select.append(element("option", { value: "" }, "an onlooker, who sees all"));
    select.value = viewer ?? "";
    select.addEventListener("change", () => {
      viewer = select.value === "" ? null : Number(select.value);
      [view, shown] = [null, null];
      attempt(goOn);
    });
    label.append(select);
    seats.push(label);
  }
  const focused = document.activeElement?.closest?.("#seating select");
  const at = focused ? Array.from(part("seating").querySelectorAll("select")).indexOf(focused) : -1;
  part("seating").replaceChildren(element("legend", {}, "Seats"), ...seats);
  if (at >= 0) part("seating").querySelectorAll("select")[at]?.focus();
}

/// The view as the address of the page.
function writeAddress() {
  const words = new URLSearchParams({ game: game.spec });
  const texts = game.moves();
  if (texts.length) words.set("moves", JSON.stringify(texts).slice(1, -1));
  words.set("agent", settings.spec());
  for (const name of ["seed", "time", "iterations"]) {
    const { value } = part(name);
    if (value && value !== "0") words.set(name, value);
  }
  if (view.information !== "perfect") words.set("viewer", viewer ?? "all");
  if (byAgent.size) words.set("seats", Array.from(byAgent).join(","));
  if (isFlipped) words.set("flipped", "1");
  history.replaceState(null, "", `#${words}`);
}

/// Takes the view of the address, or the first view of the server.
async function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const { start: first } = catalogue;
  const spec = words.get("game") ?? first.game;
  const entry = chooseGame(spec);
  settings.read(words.get("agent") ?? (words.has("game") ? entry.agent : first.agent));
  for (const name of ["seed", "time", "iterations"]) part(name).value = words.get(name) ?? (name === "seed" ? "0" : "");
  if (!words.has("seed") && first.seed) part("seed").value = first.seed;
  isFlipped = words.has("flipped");
  byAgent = new Set((words.get("seats") ?? "").split(",").filter(Boolean).map(Number));
  const seen = words.get("viewer");
  viewer = seen === null ? null : seen === "all" ? null : Number(seen);
  await begin(spec, seen === null);
  const texts = words.has("moves")
    ? JSON.parse(`[${words.get("moves")}]`)
    : words.has("game") || !first.moves
      ? []
      : [first.moves];
  for (const text of texts) game.play(text, null);
  await goOn();
}

/// Begins a game. In one with secrets the first player looks on, unless the address says who does.
async function begin(spec, picksViewer = true) {
  const found = await ask("/api/position", { game: spec });
  endReview();
  game = new Game(spec);
  [view, shown] = [null, null];
  if (picksViewer) viewer = found.information === "perfect" ? null : 0;
  part("spec").value = spec.includes(":") ? spec.slice(spec.indexOf(":") + 1) : "";
}

function chooseGame(spec) {
  const [name] = spec.split(":");
  const entry = catalogue.games.find((one) => one.name === name.toLowerCase());
  if (!entry) throw new Error(`there is no game '${name}'`);
  part("game").value = entry.name;
  part("options").textContent =
    `${entry.summary} Options: ${entry.options || "none"}. Moves: ${entry.notation || "see the buttons"}.`;
  part("save-sgf").hidden = !entry.sgf;
  settings.offer(entry);
  return entry;
}

async function newGame() {
  const [name, options] = [part("game").value, part("spec").value.trim()];
  byAgent = new Set();
  isRunning = false;
  await begin(options ? `${name}:${options}` : name);
  await goOn();
}

/// Goes through all places of the shown line, and searches each for a short time.
function toggleReview() {
  if (review) return endReview();
  stop();
  review = { left: game.line(), total: game.line().length, place: null };
  nextReview();
}

function endReview() {
  if (!review) return;
  review = null;
  searches.order("review", "leave");
  part("analyse-game").textContent = "Analyse the game";
  part("progress").textContent = "";
  graph();
}

function nextReview() {
  if (!review.left.length) return endReview();
  review.place = review.left.shift();
  part("analyse-game").textContent = "Stop";
  part("progress").textContent = `position ${review.total - review.left.length} of ${review.total}`;
  const wanted = search();
  wanted.place.moves = game.moves(review.place);
  if (wanted.time === null && wanted.iterations === null) wanted.time = POSITION_MS;
  review.tag = wanted.tag;
  searches.order("review", "search", { search: wanted });
}

async function hearReview(message) {
  const of = review;
  if (!of || message.tag !== of.tag) return;
  const isDone = message.fault || message.state === "ended" || message.state === "failed";
  if (!isDone) return;
  const { place } = of;
  await attempt(async () => {
    const at = await positionAfter(game.moves(place));
    place.seat = at.moves.at(-1)?.seat ?? null;
    if (at.rewards && at.players <= 2) [place.value] = at.rewards;
    else if (message.report) keepValue(place, at, message.report);
    else if (at.turn === "player") throw new Error(message.fault ?? message.note);
  });
  // It may have ended, or begun anew, meanwhile.
  if (review === of) nextReview();
}

/// The command line that searches the current position.
function command() {
  const quote = (text) => (/^[\w:=.,+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const words = ["boughs analyze", quote(game.spec)];
  const texts = game.moves();
  if (texts.length) words.push("--position", quote(texts.join(" ")));
  words.push("--agent", quote(settings.spec()));
  const [seed, time, iterations] = ["seed", "time", "iterations"].map((name) => part(name).value);
  if (seed && seed !== "0") words.push("--seed", seed);
  if (time) words.push("--time", `${time}s`);
  if (iterations) words.push("--iterations", iterations);
  return words.join(" ");
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    part("copied").textContent = "copied";
  } catch {
    part("copied").textContent = text;
  }
}

const TABS = ["moves", "tree", "steps", "compare"];

function openTab(name) {
  for (const other of TABS) {
    part(`panel-${other}`).hidden = other !== name;
    part(`tab-${other}`).setAttribute("aria-selected", String(other === name));
    part(`tab-${other}`).tabIndex = other === name ? 0 : -1;
  }
  // The table of the main search stands beside that of the second one.
  part(name === "compare" ? "compare-main" : "panel-moves").append(part("main-search"));
  part("first-agent").textContent = settings?.spec() ?? "";
  if (name === "tree" && news) askTree(true);
}

/// The keys: what they do, and their names in the help. Those of KaTrain and lichess where these agree.
const KEYS = [
  ["ArrowLeft", "←", "back", () => step(() => game.undo())],
  ["ArrowRight", "→", "forth", () => step(() => game.redo())],
  ["ArrowUp", "↑", "first position", () => step(() => game.first())],
  ["ArrowDown", "↓", "last position", () => step(() => game.last())],
  ["Home", "Home", "first position", () => step(() => game.first())],
  ["End", "End", "last position", () => step(() => game.last())],
  [" ", "space", "search or stop", () => toggle()],
  ["Enter", "Enter", "let the agent move", () => engineMove()],
  ["f", "f", "flip the board", () => flip()],
  ["a", "a", "numbers on the board", () => part("shows-arrows").click()],
  ["p", "p", "show the expected line", () => followLine()],
  ["n", "n", "one iteration (tab Steps)", () => openAndStep(() => steps.many(1))],
  ["m", "m", "one step of an iteration (tab Steps)", () => openAndStep(() => steps.next())],
  ["Delete", "Delete", "delete the move and what follows", () => deleteMove()],
  ["1", "1 to 4", "tabs", () => openTab("moves")],
  ["2", null, null, () => openTab("tree")],
  ["3", null, null, () => openTab("steps")],
  ["4", null, null, () => openTab("compare")],
  ["?", "?", "these keys", () => part("help").showModal()],
];

function flip() {
  isFlipped = !isFlipped;
  show();
  board.showNumbers(part("shows-arrows").checked ? news?.report : null);
}

function openAndStep(act) {
  openTab("steps");
  act();
}

function deleteMove() {
  if (!game.at.parent) return;
  byAgent = new Set();
  game.delete();
  attempt(goOn);
}

/// Lets the agent move: at once if it searches, else after a search.
function engineMove() {
  if (view?.turn !== "player") return;
  if (news?.report?.best) return playMove(news.report.best);
  moves = true;
  start();
}

/// Follows the expected line: in the tree if it is open, else on the board.
function followLine() {
  const line = news?.report?.line ?? [];
  if (!line.length) return;
  if (part("panel-tree").hidden) return attempt(() => previewLine(line));
  const next = tree.path.every((text, at) => text === line[at])
    ? line.slice(0, tree.path.length + 1)
    : line.slice(0, 1);
  goInTree(next);
}

function listen() {
  const act = (id, work) => part(id).addEventListener("click", work);
  act("first", () => step(() => game.first()));
  act("undo", () => step(() => game.undo()));
  act("redo", () => step(() => game.redo()));
  act("last", () => step(() => game.last()));
  act("flip", flip);
  act("engine-move", engineMove);
  act("delete", deleteMove);
  act("run", toggle);
  act("new-game", () => attempt(newGame));
  act("analyse-game", toggleReview);
  act("help-button", () => part("help").showModal());
  act("tree-pv", followLine);
  act("tree-top", () => goInTree([]));
  act("step", () => steps.many(1));
  act("step-phase", () => steps.next());
  act("step-reset", () => {
    searches.order("steps", "leave");
    steps.reset();
  });
  for (const button of document.querySelectorAll("[data-count]")) {
    button.addEventListener("click", () => steps.many(Number(button.dataset.count)));
  }
  act("run-second", () => {
    if (second.isRunning) {
      second.isRunning = false;
      searches.order("second", "stop");
      return showRun();
    }
    const wanted = search(part("second-agent").value);
    second.tag = wanted.tag;
    second.isRunning = true;
    searches.order("second", "search", { search: wanted });
    showRun();
  });
  act("save", () => save(`${part("game").value}.txt`, game.text()));
  act("save-sgf", () => attempt(async () => save(`${part("game").value}.sgf`, await sgfOf(game))));
  act("paste-button", () =>
    attempt(async () => {
      const text = part("paste").value.trim();
      const moves = text ? [text] : [];
      // A text that is wrong leaves the game as it is.
      const found = await ask("/api/position", { game: game.spec, moves, viewer });
      await begin(game.spec, false);
      game.take(found.moves);
      byAgent = new Set();
      await goOn();
    }),
  );
  act("copy-command", () => copy(command()));
  act("copy-link", () => copy(location.href));
  part("load").addEventListener("change", ({ target }) =>
    attempt(async () => {
      const [file] = target.files;
      if (!file) return;
      const loaded = await read(await file.text(), game.spec);
      // The same file may be chosen again.
      target.value = "";
      await ask("/api/position", {
        game: loaded.spec,
        moves: loaded
          .line()
          .slice(1)
          .map(({ text }) => text),
      });
      const entry = chooseGame(loaded.spec);
      settings.read(entry.agent);
      byAgent = new Set();
      await begin(loaded.spec);
      game = loaded;
      await goOn();
    }),
  );
  part("game").addEventListener("change", () =>
    attempt(async () => {
      const entry = chooseGame(part("game").value);
      settings.read(entry.agent);
      part("spec").value = "";
      await newGame();
    }),
  );
  part("spec").addEventListener("change", () => attempt(newGame));
  part("tree-kind").addEventListener("change", ({ target }) => {
    treePicture.kind = target.value;
    treePicture.view = null;
    showTree();
  });
  part("shows-arrows").addEventListener("change", ({ target }) =>
    board.showNumbers(target.checked ? news?.report : null),
  );
  for (const id of ["time", "iterations", "seed"]) part(id).addEventListener("change", changed);
  TABS.forEach((name, at) => {
    act(`tab-${name}`, () => openTab(name));
    part(`tab-${name}`).addEventListener("keydown", (event) => {
      const to = { ArrowLeft: at + 3, ArrowRight: at + 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      openTab(TABS[to % 4]);
      part(`tab-${TABS[to % 4]}`).focus();
    });
  });
  document.addEventListener("keydown", (event) => {
    const isTyped = event.target.closest("input, select, textarea, dialog, summary, svg.tree");
    // A region that scrolls keeps its keys.
    const isScrolled = event.target.closest(".table-box, .wide") && /^(Arrow|Home|End| )/.test(event.key);
    const isPressed = event.target.closest("button, a") && (event.key === " " || event.key === "Enter");
    if (event.repeat && !event.key.startsWith("Arrow")) return;
    if (isTyped || isScrolled || isPressed || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = KEYS.find(([name]) => name === event.key);
    if (!key) return;
    event.preventDefault();
    key[3]();
  });
  window.addEventListener("hashchange", () => attempt(readAddress));
  part("help-keys").replaceChildren(
    ...KEYS.filter(([, name]) => name).flatMap(([, name, text]) => {
      const key = element("dt");
      key.append(element("kbd", {}, name));
      return [key, element("dd", {}, text)];
    }),
  );
}

/// A change of the settings restarts the search.
function changed() {
  if (!view) return;
  writeAddress();
  if (isRunning || moves) start();
  else searches.order("main", "leave");
  steps.reset();
  searches.order("steps", "leave");
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
  part("second-agent").value = "mcts:playout=light";
  openTab("moves");
  listen();
  try {
    await readAddress();
  } catch (error) {
    // A link that is wrong leaves a page on which another game can be chosen.
    history.replaceState(null, "", "#");
    await readAddress();
    throw error;
  }
}

attempt(open).finally(() => {
  document.documentElement.dataset.ready = "true";
});
