/// The search of the current position, and a second one beside it.

/// The time of a move of an agent that has no limits of its own, in milliseconds.
const MOVE_MS = 1000;

const HIDDEN = "the moves of this player are hidden: choose their seat to look on, or let the agent move";
const NOTHING = "no player acts in this position, so there is nothing to search";

export class Searching {
  /// True while the position is analysed.
  isRunning = false;
  /// True while the search is for a move that the agent plays.
  isMoving = false;
  /// True while the second search runs.
  isSecondRunning = false;
  /// The last news of the search of the current position.
  news = null;
  /// The numbers of the searches, by which their news are known; 0 for none.
  #tags = { main: 0, second: 0 };

  /// Orders go to `searches`, and what is heard to the views. `wanted(agent)` is the search of the current position, by
  /// the agent of the settings or by another. `heard(report)` is called with news, `play(text)` with the move of an
  /// agent, `changed()` when a search begins or ends, and `fault(text)` with what is wrong.
  constructor({ searches, table, secondTable, tree, wanted, heard, play, changed, fault }) {
    Object.assign(this, { searches, table, secondTable, tree, wanted, heard, play, changed, fault });
  }

  /// Takes another position, and begins the search that it asks for. `isMoving` is true if an agent acts there.
  follow(position, isMoving) {
    // News of the position before are no news of this one.
    this.#tags = { main: 0, second: 0 };
    this.isSecondRunning = false;
    this.position = position;
    this.isMoving = isMoving;
    if (this.isRunning || isMoving) this.start();
    else this.leave();
    this.searches.order("second", "leave");
    this.searches.order("steps", "leave");
    this.changed();
  }

  start() {
    if (this.position.turn !== "player") return this.leave();
    let search;
    try {
      search = this.wanted();
    } catch (error) {
      this.stop();
      return this.fault(error.message);
    }
    this.fault("");
    this.tree.again();
    if (this.isMoving && search.time === null && search.iterations === null) search.time = MOVE_MS;
    this.searches.order("main", "search", { search });
    this.news = { state: "new" };
    this.#tags.main = search.tag;
    this.changed();
  }

  /// Lets go of the search, and forgets its news.
  leave() {
    this.searches.order("main", "leave");
    this.#tags.main = 0;
    this.news = null;
    this.changed();
  }

  stop() {
    this.isRunning = false;
    this.isMoving = false;
    this.searches.order("main", "stop");
    this.changed();
  }

  /// Begins again with other settings if it runs, and forgets its news if not.
  again() {
    if (this.isRunning || this.isMoving) this.start();
    else this.leave();
  }

  toggle() {
    if (this.isRunning || this.isMoving) return this.stop();
    if (this.position.turn !== "player") return this.fault(NOTHING);
    if (!this.position.legal.length) return this.fault(HIDDEN);
    this.isRunning = true;
    this.start();
  }

  toggleSecond(agent) {
    if (this.isSecondRunning) {
      this.isSecondRunning = false;
      this.searches.order("second", "stop");
    } else {
      if (this.position.turn !== "player") throw new Error(NOTHING);
      const search = this.wanted(agent);
      this.isSecondRunning = true;
      this.#tags.second = search.tag;
      this.searches.order("second", "search", { search });
    }
    this.changed();
  }

  /// Lets the agent move: at once if it has searched, else after a search.
  move() {
    if (this.position.turn !== "player") return;
    if (this.news?.report?.best) return this.play(this.news.report.best);
    this.isMoving = true;
    this.start();
  }

  /// Ends what runs without a server.
  lose() {
    this.news = null;
    this.isSecondRunning = false;
    this.stop();
  }

  /// Hears what the server says of one of both searches.
  hear(name, message) {
    if (message.tag !== this.#tags[name]) return;
    if (name === "main") this.#hearMain(message);
    else this.#hearSecond(message);
  }

  #hearMain(message) {
    if (message.part) return this.tree.hear(message.part);
    if (message.fault) return message.order === "tree" ? this.tree.refuse(message.fault) : this.stop();
    this.news = message;
    this.table.show(message);
    const { report, state } = message;
    if (report) this.heard(report);
    const isOver = ["ended", "stopped", "failed"].includes(state);
    if (state === "failed" && message.note) this.fault(message.note);
    this.tree.ask(isOver);
    if (this.isMoving && isOver) {
      // An analysis goes on at the next move of a person.
      this.isMoving = false;
      if (report?.best) this.play(report.best);
    } else if (isOver && state !== "stopped") this.isRunning = false;
    this.changed();
  }

  #hearSecond(message) {
    if (message.state) this.secondTable.show(message);
    if (message.fault || message.state === "ended" || message.state === "failed") this.isSecondRunning = false;
    this.changed();
  }
}
