/// The analysis of a whole game: every place of a line is searched for a short time, and so is the place after the best
/// move where another one was played.

import { mayBeBest, valueOf } from "./verdict.js";

/// The time of each position without limits of its own, in milliseconds.
const POSITION_MS = 300;

export class Review {
  #left = [];
  #total = 0;
  #place = null;
  #tag = 0;

  /// `order(order, more)` is sent to the server, `search(place)` is the search of a place, `positionAt(place)` its
  /// position, `keep(place, value)` keeps its value, and `tell(text)` says how far the analysis is; an empty
  /// text is its end.
  constructor(calls) {
    this.calls = calls;
  }

  get isRunning() {
    return this.#place !== null;
  }

  begin(places) {
    for (const place of places) [place.found, place.rival] = [null, null];
    this.#left = places.slice();
    this.#total = places.length;
    this.#next();
  }

  end() {
    if (!this.isRunning) return;
    this.#place = null;
    this.calls.order("leave");
    this.calls.tell("");
  }

  #next() {
    if (!this.#left.length) return this.end();
    this.#place = this.#left.shift();
    this.calls.tell(`position ${this.#total - this.#left.length} of ${this.#total}`);
    let search;
    try {
      search = this.calls.search(this.#place);
    } catch (error) {
      this.end();
      throw error;
    }
    if (search.time === null && search.iterations === null) search.time = POSITION_MS;
    this.#tag = search.tag;
    this.calls.order("search", { search });
  }

  /// Hears the news of the search of a place.
  async hear(message) {
    const [place, tag] = [this.#place, this.#tag];
    const isDone = message.fault || message.state === "ended" || message.state === "failed";
    if (!place || message.tag !== tag || !isDone) return;
    const position = await this.calls.positionAt(place);
    // It may have ended, or begun anew, meanwhile.
    if (this.#tag !== tag || !this.isRunning) return;
    place.seat = position.moves.at(-1)?.seat ?? null;
    if (position.rewards && position.players <= 2) {
      const [value] = position.rewards;
      place.found = { value, interval: [value, value] };
    } else if (message.report) {
      place.found = valueOf(position, message.report);
      this.#findRival(place, message.report);
    } else if (position.turn === "player") {
      this.end();
      throw new Error(message.fault ?? message.note);
    }
    if (place.found) this.calls.keep(place, place.found.value);
    this.#next();
  }

  /// Searches the place after the best move too, if the line goes on with one that is worse.
  #findRival(place, report) {
    const [next] = this.#left;
    if (next?.parent !== place) return;
    next.rival = null;
    if (!place.found || mayBeBest(report, next.text)) return;
    next.rival = { text: report.best, parent: place, children: [], value: null };
    this.#left.unshift(next.rival);
    this.#total += 1;
  }
}
