/// Pictures of a search tree: an icicle, whose widths are visits, or nodes and links. Both can be zoomed and panned.

import { counted, grouped, short, worth } from "./words.js";

/// The height of a layer of an icicle in pixels, as long as it is not zoomed.
const LAYER = 40;
/// The width of a letter in an icicle, and the distance of nodes in a picture of nodes.
const LETTER = 9;
const [STEP_X, STEP_Y] = [56, 62];
/// The longest time between two clicks that are one.
const TWICE_MS = 450;
/// The most layers of a picture of nodes, but for nodes that are marked.
const MOST_LAYERS = 5;

/// A picture of a tree with its view. `choose(path)` is called with a node that is clicked, `enter(path)` with one that
/// is clicked twice.
export class TreePicture {
  constructor(root, { choose, enter }) {
    Object.assign(this, { root, choose, enter, kind: "icicle", chosen: [], marks: new Map() });
    this.svg = drawn("svg", { class: "tree", role: "group", "aria-label": "search tree", tabindex: 0 });
    const tools = element("p", { class: "controls tools" });
    for (const [text, name, act] of [
      ["+", "zoom in", () => this.#zoom(0.7)],
      ["−", "zoom out", () => this.#zoom(1 / 0.7)],
      ["⤢", "whole picture", () => this.#whole()],
    ]) {
      const button = element("button", { type: "button", "aria-label": name, title: name }, text);
      button.addEventListener("click", act);
      tools.append(button);
    }
    root.replaceChildren(this.svg, tools);
    this.svg.addEventListener("click", (event) => this.#click(event));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.shiftKey) return;
        event.preventDefault();
        this.#zoom(event.deltaY < 0 ? 0.8 : 1.25, this.#spot(event));
      },
      { passive: false },
    );
    this.svg.addEventListener("pointerdown", (event) => {
      this.grip = { spot: this.#spot(event), moved: false };
    });
    this.svg.addEventListener("pointermove", (event) => this.#pan(event));
    window.addEventListener("pointerup", () => {
      this.grip = null;
    });
  }

  /// Shows a tree whose top has this path. Marks are classes of nodes by their path from the top.
  show(tree, path, marks = new Map()) {
    Object.assign(this, { tree, path, marks });
    const focus = document.activeElement?.dataset?.path;
    this.least = tree.visits;
    const isWhole = !this.view || this.isWhole;
    const [shapes, box] = this.kind === "icicle" ? this.#icicle() : this.#nodes();
    this.svg.replaceChildren(...shapes);
    this.box = box;
    if (isWhole) this.#whole();
    if (focus !== undefined) this.svg.querySelector(`[data-path="${CSS.escape(focus)}"]`)?.focus();
  }

  clear(text) {
    this.tree = null;
    this.svg.replaceChildren();
    const note = drawn("text", { x: 10, y: 30, class: "tree-note" }, text);
    this.svg.append(note);
    this.box = [0, 0, this.#wide(), 60];
    this.#whole();
  }

  #icicle() {
    const shapes = [];
    let depth = 0;
    const walk = (node, path, x, width, layer) => {
      depth = Math.max(depth, layer + 1);
      shapes.push(this.#box(node, path, x, width, layer));
      let at = x;
      for (const child of node.children) {
        const part = (width * child.visits) / Math.max(1, node.visits);
        if (part >= 1.5) walk(child, [...path, child.text], at, part, layer + 1);
        at += part;
      }
    };
    walk(this.tree, [], 0, this.#wide(), 0);
    return [shapes, [0, 0, this.#wide(), Math.max(depth, 6) * LAYER]];
  }

  /// The width of the picture in pixels.
  #wide() {
    return this.svg.clientWidth || 600;
  }

  #box(node, path, x, width, layer) {
    const group = this.#node(node, path);
    group.append(
      drawn("rect", { x: x + 0.5, y: layer * LAYER + 0.5, width: Math.max(0.5, width - 1), height: LAYER - 1, rx: 3 }),
    );
    const name = path.at(-1) ?? this.#top();
    const label = (text, y, kind) => {
      if (text.length * LETTER < width - 4)
        group.append(drawn("text", { x: x + width / 2, y: layer * LAYER + y, class: kind }, text));
    };
    label(name, 17, "tree-name");
    label(path.length ? `${short(node.visits)} ${this.#mean(node)}` : short(node.visits), 35, "tree-number");
    return group;
  }

  #nodes() {
    const [links, nodes] = [[], []];
    const shown = this.#mostVisited();
    let [next, depth] = [0, 0];
    const walk = (node, path, layer) => {
      depth = Math.max(depth, layer);
      const children = node.children.filter((child) => shown.has(child));
      const places = children.map((child) => walk(child, [...path, child.text], layer + 1));
      const x = places.length ? (places[0] + places.at(-1)) / 2 : (next += STEP_X) - STEP_X;
      const y = layer * STEP_Y;
      children.forEach((child, at) => {
        const link = drawn("path", { d: `M ${x} ${y} L ${places[at]} ${y + STEP_Y}`, class: "link" });
        link.style.strokeWidth = 1 + 9 * Math.sqrt(child.visits / Math.max(1, this.tree.visits));
        if (this.marks.has(pathKey([...path, child.text]))) link.classList.add("on-path");
        links.push(link);
      });
      const group = this.#node(node, path);
      const r = 14 + 9 * Math.sqrt(node.visits / Math.max(1, this.tree.visits));
      group.append(
        drawn("circle", { cx: x, cy: y, r }),
        drawn("text", { x, y: y - 1, class: "tree-name" }, path.at(-1) ?? this.#top()),
        drawn("text", { x, y: y + 11, class: "tree-number" }, short(node.visits)),
      );
      nodes.push(group);
      return x;
    };
    walk(this.tree, [], 0);
    return [
      [...links, ...nodes],
      [-40, -40, Math.max(next, STEP_X) + 30, Math.max(depth, 3) * STEP_Y + 80],
    ];
  }

  /// The nodes with the most visits that find room, and all that are marked.
  #mostVisited() {
    const shown = new Set();
    const inner = new Set();
    const mostLeaves = Math.max(4, Math.floor(this.#wide() / STEP_X));
    const waiting = [{ node: this.tree, path: [] }];
    while (waiting.length) {
      const { node, path, parent } = waiting.shift();
      const isMarked = this.marks.has(pathKey(path));
      // The first child that is shown stands below its parent, and takes no more room.
      const isFull = shown.size - inner.size >= mostLeaves && (!parent || inner.has(parent));
      if ((isFull || path.length >= MOST_LAYERS) && !isMarked) continue;
      shown.add(node);
      if (parent) inner.add(parent);
      for (const child of node.children) waiting.push({ node: child, path: [...path, child.text], parent: node });
      waiting.sort((one, other) => other.node.visits - one.node.visits);
    }
    return shown;
  }

  /// The group of a node, with its colour, its name for screen readers, and its marks.
  #node(node, path) {
    const key = pathKey(path);
    const chosen = key === pathKey(this.chosen) ? " chosen" : "";
    const proven = node.proven === null || node.proven === undefined ? "" : " proven";
    const name = path.at(-1) ?? this.#top();
    const group = drawn("g", {
      class: `node${chosen}${proven} ${this.marks.get(key) ?? ""}`,
      role: "button",
      tabindex: -1,
      "data-path": key,
      "aria-label": `${name}: ${counted(node.visits, "visits")}${path.length ? `, ${this.#mean(node)}` : ""}`,
    });
    // The colour says how good the action is for the player who chooses it, where rewards are win rates.
    if (path.length && !this.scores)
      group.style.setProperty("--good", `${Math.round(100 * Math.max(0, Math.min(1, node.mean)))}%`);
    return group;
  }

  /// The name of the node at the top.
  #top() {
    return this.path?.at(-1) ?? "root";
  }

  #mean(node) {
    return worth(node.mean, this.scores);
  }

  /// The first click draws the nodes anew, so the browser knows of no double click.
  #click(event) {
    const [before, at] = [this.clicked, performance.now()];
    this.#pick(event, (path) => {
      const key = pathKey(path);
      const isSecond = before?.key === key && at - before.at < TWICE_MS;
      this.clicked = isSecond ? null : { key, at };
      if (isSecond) this.enter(path);
      else this.choose(path);
    });
  }

  #pick(event, act) {
    const key = event.target.closest?.("[data-path]")?.dataset.path;
    if (key === undefined || this.grip?.moved) return;
    act(key === "" ? [] : JSON.parse(key));
  }

  /// Arrow keys go from node to node; Enter chooses one, and with Shift shows the tree below it.
  #key(event) {
    const nodes = Array.from(this.svg.querySelectorAll("[data-path]"));
    if (!/^(Arrow|Enter$)/.test(event.key) || !nodes.length) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") return this.#pick(event, event.shiftKey ? this.enter : this.choose);
    const key = event.target.dataset?.path;
    const path = key ? JSON.parse(key) : [];
    const children = (of) =>
      nodes.filter(({ dataset: { path: other } }) => {
        const words = other ? JSON.parse(other) : [];
        return words.length === of.length + 1 && of.every((text, at) => words[at] === text);
      });
    const siblings = path.length ? children(path.slice(0, -1)) : [];
    const at = siblings.findIndex(({ dataset }) => dataset.path === key);
    const to =
      key === undefined
        ? nodes.find(({ dataset }) => dataset.path === "")
        : {
            ArrowDown: children(path)[0],
            ArrowUp: nodes.find(({ dataset }) => dataset.path === pathKey(path.slice(0, -1))),
            ArrowLeft: siblings[at - 1],
            ArrowRight: siblings[at + 1],
          }[event.key];
    to?.focus();
  }

  #spot({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const [x, y, width, height] = this.view;
    return [x + ((clientX - box.left) / box.width) * width, y + ((clientY - box.top) / box.height) * height];
  }

  #zoom(factor, middle) {
    const [x, y, width, height] = this.view;
    const [mx, my] = middle ?? [x + width / 2, y + height / 2];
    this.#look([mx - (mx - x) * factor, my - (my - y) * factor, width * factor, height * factor]);
    this.isWhole = false;
  }

  #pan(event) {
    if (!this.grip || event.buttons === 0) return;
    const [x, y] = this.#spot(event);
    const [dx, dy] = [x - this.grip.spot[0], y - this.grip.spot[1]];
    if (!this.grip.moved && Math.hypot(dx, dy) < this.view[2] / 100) return;
    this.grip.moved = true;
    this.isWhole = false;
    this.#look([this.view[0] - dx, this.view[1] - dy, this.view[2], this.view[3]]);
  }

  #whole() {
    this.isWhole = true;
    if (this.box) this.#look(this.box);
  }

  #look(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", view.join(" "));
  }
}

/// A path as text; empty for the top.
export function pathKey(path) {
  return path.length ? JSON.stringify(path) : "";
}

/// Shows the numbers of a node and its children.
export function showNode(root, part, scores) {
  const { tree, path, isKeyed } = part;
  const title = element("h3", {}, path.length ? `After ${path.join(" ")}` : "The root");
  const visits = counted(tree.visits, "visits");
  const children = tree.width === 1 ? "1 child" : `${tree.width} children`;
  const facts = element("p", {}, `${visits}, ${tree.inFlight} in flight, ${children}.`);
  const table = element("table", { class: "measured" });
  const head = table.createTHead().insertRow();
  const titles = ["move", "visits", "mean", "exploration", "sum", "prior", "in flight", "proven"];
  for (const text of titles) head.append(element("th", { scope: "col" }, text));
  const body = table.createTBody();
  for (const child of tree.children) {
    const row = body.insertRow();
    const terms = child.exploration === null ? null : child.exploration;
    const cells = [
      child.text,
      grouped(child.visits),
      child.visits ? worth(child.mean, scores) : "–",
      terms === null ? "–" : terms.toFixed(4),
      terms === null || scores ? "–" : (child.mean + terms).toFixed(4),
      child.prior === null ? "–" : child.prior.toFixed(4),
      String(child.inFlight),
      child.proven === null ? "–" : worth(child.proven, scores),
    ];
    cells.forEach((text, at) => {
      row.insertCell().textContent = text;
      row.cells[at].dataset.title = titles[at];
    });
  }
  const box = element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "children of the node" });
  box.append(table);
  const keyed = isKeyed
    ? [
        element(
          "p",
          { class: "dim" },
          "Below the root this tree has information sets, which depend on what players see; they are not shown.",
        ),
      ]
    : [];
  root.replaceChildren(title, facts, ...keyed, box);
}
