/// The numbers of a running search: a table of moves and the figures of the search.

import { bytes, grouped, short, worth } from "./words.js";

/// The moves that are shown at first.
const FEW = 10;

/// The width of a letter of the expected line, with some to spare.
const LETTER = 8.5;

/// The states of a search in words.
const STATES = {
  new: "idle",
  waiting: "waiting",
  running: "searching",
  stopped: "stopped",
  ended: "done",
  failed: "failed",
};

export class AnalysisView {
  /// `look(child)` is called with the child under the pointer, or null; `play(text)` with a move that is clicked.
  constructor(root, { look, play }) {
    this.all = false;
    this.figures = element("dl", { class: "figures" });
    this.note = element("p", { class: "note" });
    this.rows = element("tbody");
    const head = element("tr");
    for (const title of ["Move", "Playouts", "Worth", "95 %", "Line"]) {
      head.append(element("th", { scope: "col" }, title));
    }
    head.lastChild.title = "the moves that the search expects to follow";
    const thead = element("thead");
    thead.append(head);
    const table = element("table", { class: "moves-table" });
    table.append(thead, this.rows);
    const box = element("div", {
      class: "table-box",
      tabindex: 0,
      role: "region",
      "aria-label": "Moves of the search",
    });
    box.append(table);
    this.more = element("button", { type: "button", class: "quiet more" });
    this.more.addEventListener("click", () => {
      this.all = !this.all;
      this.show(this.message, this.isPast);
    });
    this.warnings = element("ul", { class: "warnings" });
    root.replaceChildren(this.figures, this.note, box, this.more, this.warnings);
    const lookAt = ({ target }) => this.isPast || look(this.#childOf(target));
    this.rows.addEventListener("pointerover", lookAt);
    this.rows.addEventListener("focusin", lookAt);
    box.addEventListener("pointerleave", () => look(null));
    box.addEventListener("focusout", () => look(null));
    this.rows.addEventListener("click", ({ target }) => {
      const child = this.#childOf(target);
      if (child && target.closest("button")) play(child.text);
    });
    this.show(null);
    // Lines show as many moves as there is room for.
    new ResizeObserver(() => this.show(this.message, this.isPast)).observe(box);
  }

  #childOf(target) {
    const text = target.closest?.("tr")?.dataset.move;
    return this.message?.report?.children.find((child) => child.text === text) ?? null;
  }

  /// Shows the news of a search; nothing for null. Those of the search whose move was played last are past: their moves
  /// are played no more.
  show(message, isPast = false) {
    Object.assign(this, { message, isPast });
    const report = message?.report;
    const figure = (name, value) => [element("dt", {}, name), element("dd", {}, value)];
    const known = (value) => (report && !report.isClosed ? value() : "–");
    this.figures.replaceChildren(
      ...figure("state", STATES[message?.state ?? "new"]),
      ...figure(
        "playouts",
        known(() => grouped(report.iterations + report.inherited)),
      ),
      ...figure(
        "playouts a second",
        known(() => short(report.perSecond)),
      ),
      ...figure(
        "time",
        known(() => `${report.seconds.toFixed(1)} s`),
      ),
      ...figure(
        "depth",
        known(() => String(report.depth)),
      ),
      ...figure(
        "memory",
        known(() => bytes(report.bytes)),
      ),
      ...figure(
        "cores busy, whole program",
        known(() => (report.busy === null ? "–" : report.busy.toFixed(1))),
      ),
      ...figure(
        "ended by",
        known(() => (message.state === "running" ? "–" : report.stop)),
      ),
    );
    const closed = report?.isClosed ? "The moves are hidden from this seat." : "";
    this.note.textContent = message?.note ?? (isPast && !closed ? `The search that played ${report.best}.` : closed);
    const children = report?.children ?? [];
    const shown = this.all ? children : children.slice(0, FEW);
    this.#fill(shown, report);
    this.more.hidden = children.length <= FEW;
    this.more.textContent = this.all ? "Fewer moves" : `All ${children.length} moves`;
    this.warnings.replaceChildren(...(report?.warnings ?? []).map((warning) => element("li", {}, warning)));
  }

  /// Fills the rows in place, so that a pointer stays above its row.
  #fill(children, report) {
    const longest = Math.max(4, ...children.map(({ text }) => text.length));
    this.rows.parentElement.style.setProperty("--move", `${Math.min(12, 0.56 * longest + 2)}rem`);
    while (this.rows.rows.length > children.length) this.rows.deleteRow(-1);
    children.forEach((child, place) => {
      const row = this.rows.rows[place] ?? this.#newRow();
      const [button] = row.cells[0].children;
      row.dataset.move = child.text;
      row.classList.toggle("best", child.text === report.best);
      const set = (node, text) => {
        if (node.textContent !== text) node.textContent = text;
      };
      set(button, child.text);
      button.disabled = this.isPast;
      set(row.cells[1], grouped(child.playouts));
      const mean = child.playouts ? worth(child.mean, report.scores) : "–";
      const [value, narrow] = row.cells[2].children;
      const interval = child.proven !== null ? "proven" : child.interval ? intervalOf(child.interval) : "";
      set(value, child.proven === null ? mean : worth(child.proven, report.scores));
      row.cells[2].title = child.proven === null ? "" : `mean ${mean}`;
      // Where the table has no room for the interval beside the worth it stands below.
      set(narrow, interval);
      set(row.cells[3], interval);
      set(row.cells[4], firstMoves(child.line, row.cells[4].clientWidth / LETTER));
      row.cells[4].title = child.line.join(" ");
    });
  }

  #newRow() {
    const row = this.rows.insertRow();
    const move = row.insertCell();
    move.append(element("button", { type: "button", class: "quiet", title: "play this move" }));
    for (let cell = 1; cell < 5; cell += 1) row.insertCell();
    row.cells[2].append(element("span"), element("small", { class: "interval" }));
    return row;
  }
}

/// An interval in percent: its bounds, or half its width where they would be rounded to the same.
function intervalOf([low, high]) {
  if (high - low < 0.02) return `± ${(50 * (high - low)).toFixed(1)}`;
  return [low, high].map((bound) => (100 * bound).toFixed(0)).join("–");
}

/// The first moves of a line that have room.
function firstMoves(line, room) {
  let text = "";
  for (const [at, move] of line.entries()) {
    const next = text ? `${text} ${move}` : move;
    if (next.length + (at + 1 < line.length ? 2 : 0) > room - 2) return text ? `${text} …` : "…";
    text = next;
  }
  return text;
}
