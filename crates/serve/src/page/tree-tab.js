/// The tab of the tree: which part of it is shown, and when it is asked for.

import { pathKey, showNode, TreePicture } from "./tree.js";

/// The least time between two pictures, the time before a search that has no tree is asked again, and the plies of a
/// picture.
const PICTURE_MS = 250;
const AGAIN_MS = 2000;
const DEPTH = 7;

export class TreeTab {
  #path = [];
  #isAsked = false;
  #last = 0;
  #part = null;

  /// `order(tree)` asks for a part, and `isOpen()` says whether the tab is shown.
  constructor({ picture, where, node, kind, order, isOpen }) {
    Object.assign(this, { where, node, order, isOpen, scores: false });
    this.picture = new TreePicture(picture, {
      choose: (path) => {
        this.picture.chosen = path;
        this.#askNode();
        this.#show();
      },
      enter: (path) => this.goTo([...this.#path, ...path]),
    });
    kind.addEventListener("change", () => {
      this.picture.kind = kind.value;
      this.picture.view = null;
      this.#show();
    });
  }

  /// Begins anew with another position.
  reset(scores) {
    this.scores = scores;
    [this.#path, this.#part] = [[], null];
    this.again();
    this.picture.chosen = [];
    this.picture.clear("No search yet.");
    this.where.textContent = "";
    this.node.replaceChildren();
  }

  /// Begins to ask another search.
  again() {
    [this.#isAsked, this.#last] = [false, 0];
  }

  /// Asks for the picture where it is shown, not too often. `isLast` asks in any case.
  ask(isLast) {
    const now = performance.now();
    const isEarly = this.#isAsked || now - this.#last < PICTURE_MS;
    if (!this.isOpen() || (isEarly && !isLast)) return;
    [this.#isAsked, this.#last] = [true, now];
    this.order({ path: this.#path, depth: DEPTH });
    this.#askNode();
  }

  #askNode() {
    this.order({ path: [...this.#path, ...this.picture.chosen], depth: 1, all: true });
  }

  /// Takes a part that the server has sent.
  hear(part) {
    if (part.isAll) return showNode(this.node, part, this.scores);
    if (pathKey(part.path) !== pathKey(this.#path)) return;
    this.#isAsked = false;
    this.#part = part;
    this.#show();
  }

  /// Shows why there is no tree. It is asked for again some time later.
  refuse(fault) {
    [this.#isAsked, this.#last] = [false, performance.now() + AGAIN_MS];
    this.picture.clear(fault);
  }

  #show() {
    if (!this.#part) return;
    this.picture.scores = this.scores;
    this.where.textContent = this.#path.length ? `below ${this.#path.join(" ")}` : "the whole tree";
    this.picture.show(this.#part.tree, this.#path);
  }

  /// Shows the part below a node.
  goTo(path) {
    this.#path = path;
    this.picture.chosen = [];
    this.picture.view = null;
    this.ask(true);
  }

  /// Goes one node further along a line.
  follow(line) {
    const isOn = this.#path.every((text, at) => text === line[at]);
    this.goTo(line.slice(0, isOn ? this.#path.length + 1 : 1));
  }
}
