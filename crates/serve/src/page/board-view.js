/// The board that a person plays on: drawn by board.js of the pages, with cells to click above it.

import { decidingWays } from "./ending.js";
import { capital, counted, seatName, short, worth } from "./words.js";

/// The most moves whose numbers stand on the board.
const MOST_NUMBERS = 40;

/// The most arrows.
const MOST_ARROWS = 5;
/// The most legal moves to single cells that are marked.
const MOST_HINTS = 24;

export class BoardView {
  /// `play(move)` is called with a legal move; `look(text)` with the move under the pointer, or null.
  constructor({ board, chosen, buttons, play, look }) {
    Object.assign(this, { board, chosen, buttons, play, look });
    this.view = null;
    this.prefix = [];
    this.focus = 0;
    board.addEventListener("click", (event) => this.#pointed(event, (cell) => this.#click(cell)));
    board.addEventListener("pointerdown", (event) => {
      this.from = this.#cellAt(event);
    });
    // A click leaves the keys to the page.
    for (const part of [board, chosen, buttons]) {
      part.addEventListener("mousedown", (event) => {
        event.preventDefault();
        document.activeElement.blur();
        this.waitsForFocus = false;
      });
    }
    board.addEventListener("pointerup", (event) => this.#drop(event));
    board.addEventListener("pointermove", (event) => this.#hover(this.#cellAt(event)));
    board.addEventListener("pointerleave", () => this.#hover(null));
    board.addEventListener("keydown", (event) => this.#key(event));
  }

  /// Shows a position. `before` is the one before the last move.
  show(view, before, { isFlipped, animates, isActive }) {
    const hadFocus = this.board.contains(document.activeElement) || this.waitsForFocus;
    Object.assign(this, { view, isActive, prefix: [], from: null, hovered: null });
    this.shape = view.shape && isFlipped ? flipped(view.shape) : view.shape;
    this.board.classList.toggle("animated", animates);
    const old = before && before.board.length === view.board.length ? before.board : view.board;
    this.hits = [];
    this.inHand = new Set();
    if (view.picture.length) {
      this.board.replaceChildren(this.#drawPicture(view, before));
    } else if (!this.shape) {
      const lines = drawLines(view.board, old);
      // It may be wider than a phone, and is scrolled then.
      lines.classList.add("wide");
      lines.setAttribute("tabindex", 0);
      this.board.replaceChildren(lines);
    } else {
      const { svg, spots, rest } = drawGrid(view.board, old, this.shape, `board after ${counted(view.moves.length, "moves")}`);
      svg.setAttribute("role", "group");
      this.spots = spots;
      this.numbers = drawn("g", { class: "numbers", "aria-hidden": "true" });
      this.marks = drawn("g", { class: "marks", "aria-hidden": "true" });
      this.lines = drawn("g", { class: "lines", "aria-hidden": "true" });
      const ways = view.turn === "over" ? decidingWays(view.board, this.shape, spots) : [];
      svg.append(...ways.map((way) => this.#way(way)), this.numbers, this.lines, this.marks, this.#drawHits());
      this.board.replaceChildren(svg, ...(rest ? [withDiscs(element("p"), rest)] : []));
    }
    // Moves stand above a picture, which may be longer than the screen.
    const isAbove = view.picture.length > 0;
    if (isAbove !== this.isAbove) this.board[isAbove ? "before" : "after"](this.chosen, this.buttons);
    this.isAbove = isAbove;
    this.#drawButtons();
    this.#mark();
    if (!hadFocus) return;
    const button = this.board.querySelector("button:enabled") ?? this.buttons.querySelector("button:enabled");
    const next = this.hits.length ? this.hits[Math.min(this.focus, this.hits.length - 1)] : button;
    // While an agent moves no card can be played, and none takes the focus.
    this.waitsForFocus = !next;
    next?.focus();
  }

  /// Lets go of a chosen piece; of the board if none is chosen.
  letGo() {
    if (!this.prefix.length) document.activeElement.blur();
    this.prefix = [];
    this.#mark();
  }

  /// Writes the numbers of a report on the board and on the buttons of moves; none without one.
  showNumbers(report) {
    const byText = new Map((report?.children ?? []).map((child) => [child.text, child]));
    this.report = report;
    this.#showRates();
    if (!this.shape || !this.numbers) return;
    const most = Math.max(1, ...Array.from(byText.values(), ({ playouts }) => playouts));
    const moves = this.view.legal
      .filter(({ text, cells }) => cells.length && byText.get(text)?.playouts)
      .map((move) => ({ ...move, child: byText.get(move.text) }))
      .sort((one, other) => other.child.playouts - one.child.playouts);
    const taken = new Set();
    const made = [];
    for (const { cells, child } of moves.slice(0, MOST_NUMBERS)) {
      const target = cells.at(-1);
      if (taken.has(target)) continue;
      taken.add(target);
      const [{ x, y }, share] = [this.spots[target], child.playouts / most];
      const number = report.scores ? short(child.mean) : Math.round(100 * child.mean);
      const kind = child.text === report.best ? "number best" : "number";
      const ground = drawn("circle", { cx: x, cy: y, r: 0.42, class: kind });
      ground.style.fillOpacity = 0.3 + 0.6 * share;
      made.push(
        ground,
        drawn("text", { x, y: y - 0.07, class: "rate" }, number),
        drawn("text", { x, y: y + 0.24, class: "visits" }, short(child.playouts)),
      );
    }
    this.board.classList.toggle("has-numbers", made.length > 0);
    const arrows = moves.filter(({ cells }) => cells.length > 1).slice(0, MOST_ARROWS);
    made.unshift(...arrows.map(({ cells, child }) => this.#arrow(cells, child.playouts / most)));
    this.numbers.replaceChildren(...made);
  }

  /// Writes the worth and the playouts of moves below the names of their buttons, which have room for them.
  #showRates() {
    const { report } = this;
    const byText = new Map((report?.children ?? []).map((child) => [child.text, child]));
    for (const rates of document.querySelectorAll("[data-move] > .rates")) {
      const child = byText.get(rates.parentElement.dataset.move);
      rates.textContent = child?.playouts ? `${worth(child.mean, report.scores)}, ${short(child.playouts)}` : "";
      rates.parentElement.classList.toggle("best", child !== undefined && child.text === report.best);
    }
  }

  /// Shows the moves of a line, numbered, on the cells where they end; none for an empty line.
  showLine(steps) {
    if (!this.shape || !this.lines) return;
    this.board.classList.toggle("has-line", steps.length > 0);
    // Of several moves to one cell the first one is shown.
    const taken = new Set();
    this.lines.replaceChildren(
      ...steps.flatMap(({ seat, cells }, at) => {
        const cell = cells.at(-1);
        if (cell === undefined || taken.has(cell)) return [];
        taken.add(cell);
        const { x, y } = this.spots[cell];
        return [
          drawn("circle", { cx: x, cy: y, r: 0.36, class: `step s${seat ?? 4}` }),
          drawn("text", { x, y, class: "sign" }, at + 1),
        ];
      }),
    );
  }

  /// A line over the middles of cells.
  #way(cells, kind = "deciding") {
    const middles = cells.map((cell) => `${this.spots[cell].x} ${this.spots[cell].y}`);
    return drawn("path", { d: `M ${middles.join(" L ")}`, class: kind });
  }

  #arrow(cells, share) {
    const line = this.#way([cells[0], cells.at(-1)], "arrow");
    line.style.strokeOpacity = 0.25 + 0.6 * share;
    return line;
  }

  /// Draws a picture, with the cards of the seat that acts as buttons.
  #drawPicture({ picture, cards, legal, seat }, before) {
    const letter = (seat) => String.fromCharCode(65 + seat);
    const moves = new Map(legal.map((move) => [move.words || move.text, move]));
    const player = (handOf, card) => {
      const move = handOf !== null && handOf === seat ? moves.get(card) : undefined;
      if (move) this.inHand.add(move);
      return move && this.#button(move, card);
    };
    const old = before?.picture.length === picture.length ? before.picture : picture;
    const same = (part, number) => (JSON.stringify(part) === JSON.stringify(old[number]) ? part : old[number]);
    return pictureDrawer(cards, letter, player)(picture, picture.map(same));
  }

  /// Draws the cells that are clicked, above everything else.
  #drawHits() {
    const group = drawn("g");
    this.names = this.#namesOfCells();
    this.hits = this.spots.map(({ x, y }, cell) => {
      const label = this.#label(cell);
      const isLegal = this.#leading(cell, []).length > 0;
      const hit = drawn("circle", {
        cx: x,
        cy: y,
        r: 0.5,
        class: isLegal ? "hit legal" : "hit",
        role: "button",
        "aria-label": label,
        "aria-disabled": String(!isLegal),
        tabindex: cell === this.focus ? 0 : -1,
        "data-cell": cell,
      });
      group.append(hit);
      return hit;
    });
    if (this.focus >= this.hits.length) this.focus = 0;
    this.hits[this.focus]?.setAttribute("tabindex", 0);
    return group;
  }

  #label(cell) {
    const { at, length } = this.shape.cells[cell];
    return `${this.names[cell]}: ${contentOf(this.view.board.slice(at, at + length).trim())}`;
  }

  /// The names of all cells: of their column and row as far as the board shows them.
  #namesOfCells() {
    const { cells, labels, names } = this.shape;
    if (names?.length) return names;
    const text = ({ at, length }) => this.view.board.slice(at, at + length);
    const rows = Array.from(new Set(cells.map(({ y }) => y)));
    const above = labels.filter(({ y }) => !rows.includes(y));
    const columns = above.filter(({ y }) => y === above[0].y);
    return cells.map((cell) => {
      const row = cells.filter(({ y }) => y === cell.y);
      const column = columns.length === row.length ? text(columns[row.indexOf(cell)]) : row.indexOf(cell) + 1;
      const label = labels.find(({ y }) => y === cell.y);
      if (label) return columns.length ? `${column}${text(label)}` : `${text(label)}${column}`;
      if (!columns.length) return `cell ${cells.indexOf(cell) + 1}`;
      return `column ${column}, row ${rows.indexOf(cell.y) + 1}`;
    });
  }

  /// Buttons for the moves that no cell and no card stands for.
  #drawButtons() {
    const moves = this.view.legal.filter((move) => !this.inHand.has(move) && (!this.shape || !move.cells.length));
    const hadFocus = this.buttons.contains(document.activeElement);
    this.buttons.replaceChildren(...moves.map((move) => this.#button(move)));
    this.buttons.hidden = !moves.length;
    if (hadFocus) this.buttons.querySelector("button:enabled")?.focus();
  }

  #button(move, name = move.words ? `${move.text}: ${move.words}` : move.text) {
    const button = element("button", { type: "button", "data-move": move.text }, name);
    if (name !== move.text) button.title = move.text;
    button.append(element("small", { class: "rates", "aria-hidden": "true" }));
    button.disabled = !this.isActive;
    button.addEventListener("click", () => this.play(move));
    button.addEventListener("pointerenter", () => this.look(move.text));
    button.addEventListener("pointerleave", () => this.look(null));
    return button;
  }

  #cellAt({ clientX, clientY }) {
    const hit = document.elementFromPoint(clientX, clientY)?.closest?.("[data-cell]");
    return hit && this.board.contains(hit) ? Number(hit.dataset.cell) : null;
  }

  #pointed(event, act) {
    const hit = event.target.closest?.("[data-cell]");
    if (hit && this.isActive) act(Number(hit.dataset.cell));
  }

  /// A piece that is dragged goes from the cell where the pointer went down to the one where it went up.
  #drop(event) {
    const [from, to] = [this.from, this.#cellAt(event)];
    this.from = null;
    if (!this.isActive || from === null || to === null || from === to) return;
    this.prefix = [];
    if (this.#leading(from, []).some(({ cells }) => cells[1] === to)) {
      this.#click(from);
      this.#click(to);
    }
  }

  #hover(cell) {
    if (this.hovered === cell) return;
    this.hovered = cell;
    const moves = cell === null || !this.shape ? [] : this.#leading(cell, this.prefix);
    this.look(moves.find(({ cells }) => cells.length === this.prefix.length + 1)?.text ?? null);
  }

  /// The legal moves whose next cell after some that are chosen is this one.
  #leading(cell, prefix) {
    const fits = ({ cells }) => cells[prefix.length] === cell && prefix.every((chosen, at) => cells[at] === chosen);
    const moves = this.view.legal.filter(fits);
    if (moves.length || prefix.length) return moves;
    // Where moves are named by the label of their column, the whole column stands for the move.
    const label = this.#columnLabel(cell);
    return this.view.legal.filter(({ text, cells }) => cells.length === 1 && text === label);
  }

  #columnLabel(cell) {
    const { labels, cells } = this.shape;
    if (new Set(labels.map(({ y }) => y)).size !== 1) return null;
    const label = labels.find(({ x }) => Math.abs(x - cells[cell].x) < 0.1);
    return label ? this.view.board.slice(label.at, label.at + label.length) : null;
  }

  #click(cell) {
    let moves = this.#leading(cell, this.prefix);
    if (!moves.length && this.prefix.length) {
      const isAgain = this.prefix.at(-1) === cell;
      this.prefix = [];
      moves = isAgain ? [] : this.#leading(cell, []);
    }
    const ends = moves.filter(({ cells }) => cells.length <= this.prefix.length + 1);
    if (moves.length === 1 && ends.length === 1) return this.play(moves[0]);
    this.prefix = moves.length ? [...this.prefix, cell] : [];
    this.chosen.replaceChildren(...(moves.length ? ends.map((move) => this.#button(move)) : []));
    this.#showRates();
    this.#mark();
  }

  /// The moves to single cells without a sign, where they are so few that marks for them say something.
  #hints() {
    const isBare = ({ at, length }) => length > 1 || this.view.board[at] === ".";
    const isHinted = ({ cells }) => cells.length === 1 && isBare(this.shape.cells[cells[0]]);
    const moves = this.isActive ? this.view.legal.filter(isHinted) : [];
    return moves.length <= MOST_HINTS ? moves : [];
  }

  /// Marks the chosen cells, and those that may follow.
  #mark() {
    if (!this.prefix.length) this.chosen.replaceChildren();
    if (!this.shape) return;
    for (const hit of this.board.querySelectorAll("[aria-pressed]")) hit.removeAttribute("aria-pressed");
    for (const cell of this.prefix) this.hits[cell].setAttribute("aria-pressed", "true");
    const next = this.prefix.length
      ? this.view.legal.filter(
          ({ cells }) => cells.length > this.prefix.length && this.prefix.every((cell, at) => cells[at] === cell),
        )
      : this.#hints();
    const circle = (cell, kind, r) =>
      drawn("circle", { cx: this.spots[cell].x, cy: this.spots[cell].y, r, class: kind });
    this.marks.replaceChildren(
      ...this.prefix.map((cell) => circle(cell, "chosen", 0.44)),
      ...next.map(({ cells }) =>
        circle(cells[this.prefix.length], this.prefix.length ? "target" : "target hint", 0.14),
      ),
    );
  }

  /// Arrow keys go from cell to cell, Enter and space click.
  #key(event) {
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const direction = directions[event.key];
    const hit = event.target.closest?.("[data-cell]");
    if (!hit || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      if (this.isActive) this.#click(Number(hit.dataset.cell));
    } else if (direction) {
      event.preventDefault();
      event.stopPropagation();
      this.#moveFocus(Number(hit.dataset.cell), direction);
    }
  }

  #moveFocus(cell, [dx, dy]) {
    const { x, y } = this.spots[cell];
    const distance = (spot) => {
      const [along, aside] = [
        (spot.x - x) * dx + (spot.y - y) * dy,
        Math.abs((spot.x - x) * dy) + Math.abs((spot.y - y) * dx),
      ];
      return along > 0.1 ? along + 3 * aside : Infinity;
    };
    const distances = this.spots.map(distance);
    const nearest = distances.indexOf(Math.min(...distances));
    if (distances[nearest] === Infinity) return;
    this.hits[cell].setAttribute("tabindex", -1);
    this.focus = nearest;
    this.hits[nearest].setAttribute("tabindex", 0);
    this.hits[nearest].focus();
  }
}

/// The content of a cell in words.
function contentOf(word) {
  const [, sign, size, shade] = /^(.)([^/]*)(?:\/(.))?/.exec(word);
  const seat = SEAT_OF[sign.toUpperCase()];
  const shadow = Number(shade ?? 0) ? `, shadow ${shade}` : "";
  if (sign === "#") return "no cell";
  if (sign === ".") return `empty${Number(size) ? `, ${size} ${size === "1" ? "dot" : "dots"}` : ""}${shadow}`;
  if (seat === undefined) return word;
  return `${seatName(seat)} player${size ? `, size ${size}` : ""}${sign === sign.toLowerCase() ? ", not ready" : ""}${shadow}`;
}

/// A shape turned upside down.
function flipped(shape) {
  const all = [...shape.cells, ...shape.labels];
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [x0, y0] = [Math.min(...xs) + Math.max(...xs), Math.min(...ys) + Math.max(...ys)];
  const turn = (place) => ({ ...place, x: x0 - place.x, y: y0 - place.y });
  return { ...shape, cells: shape.cells.map(turn), labels: shape.labels.map(turn) };
}

/// The words about a position: whose turn it is, or the result.
export function statusOf(view, byAgent) {
  if (view.turn === "chance") return "Chance acts.";
  const isAgainst = byAgent.size > 0 && byAgent.size < view.players;
  const does = (seat, verb) => {
    const player = view.players === 1 ? "the player" : `the ${seatName(seat)} player`;
    if (!isAgainst) return `${capital(player)} ${verb}s.`;
    return byAgent.has(seat) ? `Boughs ${verb}s as ${player}.` : `You ${verb} as ${player}.`;
  };
  if (view.turn === "player") {
    const [only] = view.legal.length === 1 ? view.legal : [];
    const hint = only
      ? ` The only legal move is ${only.text}.`
      : " Their moves are hidden: choose their seat to look on, or let the agent move.";
    return `${does(view.seat, "move")}${view.legal.length > 1 ? "" : hint}`;
  }
  const rewards = view.rewards ?? [];
  if (rewards.length === 1) return `The game is over: ${worth(rewards[0], view.scores)}.`;
  const best = Math.max(...rewards);
  const winners = rewards.flatMap((reward, seat) => (reward === best ? [seat] : []));
  if (winners.length > 1) return `The game is over: a draw (${rewards.join(", ")}).`;
  return `${does(winners[0], "win")}${view.scores ? ` Scores: ${rewards.join(", ")}.` : ""}`;
}
