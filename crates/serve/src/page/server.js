/// The connection to the server: questions by HTTP, and searches over one WebSocket.

/// The time before a lost connection is tried again.
const AGAIN_MS = 1000;

/// Sentences for answers without one.
const SENTENCES = { 413: "that is longer than a megabyte, which is the most that the server takes" };

/// Asks a question. Throws an error with the server's sentence.
export async function ask(path, question) {
  const options = question === undefined ? {} : { method: "POST", body: JSON.stringify(question) };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("the server does not answer; is 'boughs serve' still running?");
  }
  // A request that is too large is refused before the server reads it, and not in JSON.
  const answer = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error(answer.fault ?? SENTENCES[response.status] ?? `the server answers ${response.status}`);
  return answer;
}

/// Searches by their names. `hear(name, message)` gets every message; `lost()` and `found()` are called when the
/// connection ends and when it is there again.
export class Searches {
  #socket = null;
  #waiting = [];
  #wasLost = false;
  #calls;

  constructor(calls) {
    this.#calls = calls;
    this.#connect();
  }

  #connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket`);
    socket.addEventListener("open", () => {
      this.#socket = socket;
      for (const order of this.#waiting.splice(0)) socket.send(order);
      if (this.#wasLost) this.#calls.found();
      this.#wasLost = false;
    });
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      this.#calls.hear(message.name, message);
    });
    socket.addEventListener("close", () => {
      const wasOpen = this.#socket === socket;
      this.#socket = null;
      this.#wasLost = true;
      // What was ordered before is asked for anew.
      this.#waiting = [];
      if (wasOpen) this.#calls.lost();
      setTimeout(() => this.#connect(), AGAIN_MS);
    });
  }

  /// Sends an order about a search.
  order(name, order, more = {}) {
    const text = JSON.stringify({ name, order, ...more });
    if (this.#socket) this.#socket.send(text);
    else this.#waiting.push(text);
  }
}
