/// A game with its variations: a tree of moves, and the place that is shown.

export class Game {
  constructor(spec) {
    this.spec = spec;
    this.root = { text: null, parent: null, children: [], value: null };
    this.at = this.root;
  }

  /// The texts of the moves to a place.
  moves(place = this.at) {
    const texts = [];
    for (let node = place; node.parent; node = node.parent) texts.unshift(node.text);
    return texts;
  }

  /// Goes on over what chance has done after the current place.
  passChance() {
    while (this.#next(this.at)?.seat === null) this.at = this.#next(this.at);
  }

  /// Plays a move from the current place, along a variation that has it or as a new one.
  play(text, seat) {
    const child = this.add(text);
    if (seat !== undefined) child.seat = seat;
    this.at.next = child;
    this.at = child;
  }

  /// Takes the moves to the current place as the server tells them: it may have taken a text apart, let chance act, or
  /// revealed what was hidden.
  take(moves) {
    const line = [];
    for (let node = this.at; node.parent; node = node.parent) line.unshift(node);
    if (line.length === moves.length) {
      line.forEach((node, at) => {
        const known = node.parent.children.find((other) => other !== node && other.text === moves[at].text);
        if (known && !node.children.length) {
          node.parent.children = node.parent.children.filter((other) => other !== known);
          for (const child of known.children) child.parent = node;
          Object.assign(node, { children: known.children, next: known.next });
        }
        Object.assign(node, moves[at]);
      });
      return;
    }
    const last = line.find(({ text }, at) => text !== moves[at]?.text);
    // The text that is taken apart goes.
    if (last && !last.children.length) {
      last.parent.children = last.parent.children.filter((node) => node !== last);
      if (last.parent.next === last) last.parent.next = undefined;
    }
    this.first();
    for (const { text, seat } of moves) this.play(text, seat);
  }

  /// Goes back by one move, and by what chance did before it. Returns the move that is taken back.
  undo() {
    let gone;
    do {
      gone = this.at;
      this.at = gone.parent ?? gone;
    } while (gone.seat === null && this.at.parent);
    return gone;
  }

  /// Goes forth by one move along the variation that was shown last, and by what chance does after it.
  redo() {
    this.at = this.#next(this.at) ?? this.at;
    this.passChance();
  }

  first() {
    this.at = this.root;
  }

  last() {
    while (this.#next(this.at)) this.redo();
  }

  #next(node) {
    return node.next ?? node.children[0];
  }

  /// Deletes the current move, with what chance did after it, and what follows.
  delete() {
    let gone = this.at;
    while (gone.seat === null) gone = gone.parent;
    // What chance does first is no move of a person.
    if (!gone.parent) return;
    this.at = gone.parent;
    this.at.children = this.at.children.filter((child) => child !== gone);
    if (this.at.next === gone) this.at.next = this.at.children[0];
  }

  /// The places from the start along the shown line to its end.
  line() {
    const places = [];
    for (let node = this.at; node; node = node.parent) places.unshift(node);
    for (let node = this.#next(this.at); node; node = this.#next(node)) places.push(node);
    return places;
  }

  /// All moves in a list, each with the index of the one that it follows.
  list() {
    const moves = [];
    const open = this.root.children.map((child) => [child, null]).reverse();
    while (open.length) {
      const [node, after] = open.pop();
      open.push(...node.children.map((child) => [child, moves.length]).reverse());
      moves.push({ after, text: node.text, seat: node.seat, value: node.value });
    }
    return moves;
  }

  /// The game of a list that `list` has made.
  static ofList(spec, moves) {
    const game = new Game(spec);
    const nodes = [];
    for (const { after, text, seat, value = null } of moves) {
      game.at = after === null ? game.root : nodes[after];
      nodes.push(Object.assign(game.add(text), { seat, value }));
    }
    game.first();
    return game;
  }

  /// The move of this text after the current place, which is added if it is new.
  add(text) {
    const known = this.at.children.find((child) => child.text === text);
    const child = known ?? { text, parent: this.at, children: [], value: null };
    if (!known) this.at.children.push(child);
    return child;
  }

  /// The game as text: its spec on the first line, and then the moves, with variations in parentheses after the move
  /// that they replace.
  text() {
    const words = [];
    const write = (node) => {
      const [main, ...others] = node.children;
      if (!main) return;
      words.push(quoted(main.text));
      for (const other of others) {
        words.push("(", quoted(other.text));
        write(other);
        words.push(")");
      }
      write(main);
    };
    write(this.root);
    return `${this.spec}\n${words.join(" ")}\n`;
  }

  /// Reads a text that `text` has written.
  static parse(text) {
    const [spec, ...rest] = text.split("\n");
    const game = new Game(spec.trim());
    const marks = [];
    for (const word of rest.join(" ").match(/"[^"]*"|[()]|[^\s()]+/g) ?? []) {
      if (word === "(") {
        marks.push(game.at);
        game.at = game.at.parent ?? game.root;
      } else if (word === ")") {
        if (!marks.length) throw new Error("the file has a closing parenthesis too many");
        game.at = marks.pop();
      } else {
        game.at = game.add(word.replaceAll('"', ""));
      }
    }
    if (marks.length) throw new Error("the file has an opening parenthesis too many");
    game.first();
    return game;
  }
}

function quoted(text) {
  return /[\s()]/.test(text) ? `"${text}"` : text;
}
