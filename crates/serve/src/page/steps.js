/// Iterations one by one, with their four steps made visible.

import { TreePicture, pathKey } from "./tree.js";
import { counted, worth } from "./words.js";

/// The four steps.
const PHASES = ["Selection", "Expansion", "Simulation", "Backpropagation"];

export class Steps {
  /// `order(count)` asks for iterations.
  constructor({ picture, phases, board, order }) {
    Object.assign(this, { phases, board, order, phase: 3, last: null });
    this.picture = new TreePicture(picture, { choose: () => {}, enter: () => {} });
    this.picture.kind = "nodes";
    this.reset();
  }

  reset() {
    Object.assign(this, { phase: 3, last: null, before: null });
    this.board.replaceChildren();
    this.picture.clear("No iteration yet.");
    this.#showPhases();
  }

  /// Goes on by one of the four steps, and asks for an iteration when all are shown.
  next() {
    if (this.phase === 3) return this.#ask(1, 0);
    this.phase += 1;
    this.#show();
  }

  /// Makes iterations, and shows the last one whole.
  many(count) {
    this.#ask(count, 3);
  }

  #ask(count, phase) {
    this.wanted = phase;
    this.before = this.last?.tree ?? null;
    this.order(count);
  }

  /// Shows an iteration that the server has made.
  hear({ iteration, tree }, scores) {
    this.scores = scores;
    this.picture.scores = scores;
    if (!iteration) {
      this.board.textContent =
        "This iteration tells nothing: it ended at a proven node, or the whole position is proven.";
      return;
    }
    this.last = { iteration, tree };
    this.phase = this.wanted ?? 3;
    this.#show();
  }

  #show() {
    const { iteration, tree } = this.last;
    const marks = new Map([["", "on-path"]]);
    iteration.path.forEach((_, at) => marks.set(pathKey(iteration.path.slice(0, at + 1)), "on-path"));
    const leaf = pathKey(iteration.path);
    if (this.phase >= 1 && iteration.isNew) marks.set(leaf, "on-path new-leaf");
    if (this.phase === 3) for (const [key, kind] of marks) marks.set(key, `${kind} updated`);
    this.picture.show(this.phase === 0 && this.before ? this.before : tree, [], marks);
    this.#showPhases();
  }

  #showPhases() {
    const { iteration } = this.last ?? {};
    const path = iteration?.path.join(" ") || "the root itself";
    const texts = iteration
      ? [
          `goes down by the policy: ${path}.`,
          iteration.isNew
            ? `the leaf ${iteration.path.at(-1) ?? "root"} gets its first visit.`
            : "no new node: the leaf is visited again, or the game ends there.",
          iteration.moves.length
            ? `${counted(iteration.moves.length, "moves")} to the end of the game: ${iteration.moves.join(" ")}.`
            : "none: the leaf is valued at once.",
          `rewards ${iteration.rewards.map((reward) => worth(reward, this.scores)).join(" : ")} go back over ` +
            `${counted(iteration.path.length + 1, "nodes")}.`,
        ]
      : ["goes down the tree.", "adds a node.", "plays to the end of the game.", "adds the rewards on the way back."];
    this.phases.replaceChildren(
      ...PHASES.map((name, at) => {
        const item = element("li", iteration && at === this.phase ? { "aria-current": "step" } : {});
        item.append(element("b", {}, name), ` ${iteration && at > this.phase ? "…" : texts[at]}`);
        return item;
      }),
    );
    this.board.replaceChildren(
      ...(iteration && this.phase >= 2
        ? [element("h3", {}, "The end of the simulation"), element("pre", {}, iteration.board.trimEnd())]
        : []),
    );
  }
}
