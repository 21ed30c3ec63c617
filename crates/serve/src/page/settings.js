/// The settings of an agent: a control for each of its options, and the text that names it on the command line.

export class AgentSettings {
  /// `changed()` is called after each change.
  constructor({ select, keys, summary, text, threads, agents, changed }) {
    Object.assign(this, { select, keys, summary, text, threads, agents, changed, values: new Map() });
    select.addEventListener("change", () => {
      this.values.clear();
      this.#draw();
      changed();
    });
    threads.addEventListener("change", () => this.#set("threads", threads.value));
  }

  /// Offers the agents of a game.
  offer(game) {
    this.game = game;
    const fitting = this.agents.filter((agent) => agent.game === null || agent.game === game.name);
    this.select.replaceChildren(...fitting.map(({ name }) => element("option", { value: name }, name)));
  }

  /// Takes the agent of a text. Returns the names of options that it does not have, or its own if the game has no such
  /// agent; the agent of the game takes its place.
  read(text) {
    const [name, options = ""] = split(text, ":");
    const isKnown = Array.from(this.select.options).some(({ value }) => value === name);
    if (!isKnown) return [...this.read(this.game.agent), name];
    this.values = new Map(
      options
        .split(",")
        .filter((pair) => pair.includes("="))
        .map((pair) => split(pair, "=")),
    );
    this.select.value = name;
    this.#draw();
    return Array.from(this.values.keys()).filter((key) => !this.controls.has(key));
  }

  /// Returns true if the agent is made for this game, and searches for a second unless it has a limit.
  isForContest() {
    return this.#agent().game !== null;
  }

  /// The text of the agent.
  spec() {
    const pairs = this.#agent()
      .keys.filter(({ name }) => this.values.has(name))
      .map(({ name }) => `${name}=${this.values.get(name)}`);
    return this.select.value + (pairs.length ? `:${pairs.join(",")}` : "");
  }

  #agent() {
    const agents = this.agents.filter(({ name }) => name === this.select.value);
    return agents.find(({ game }) => game === this.game.name) ?? agents[0] ?? { keys: [], summary: "", game: null };
  }

  #set(name, value) {
    const key = this.#agent().keys.find((known) => known.name === name);
    if (value === "" || value === key?.default) this.values.delete(name);
    else this.values.set(name, value);
    this.#show();
    this.changed();
  }

  #draw() {
    const agent = this.#agent();
    this.summary.textContent = agent.summary;
    this.controls = new Map();
    this.keys.replaceChildren(
      ...agent.keys.map((key) => {
        const control = controlOf(key);
        control.title = `${key.help} (${key.values})`;
        control.addEventListener("change", () => this.#set(key.name, control.value));
        this.controls.set(key.name, control);
        const label = element("label", {}, `${key.name} `);
        label.append(control, element("small", { class: "dim" }, `${key.help}; ${key.values}`));
        return label;
      }),
    );
    this.threads.disabled = !this.controls.has("threads");
    this.#show();
  }

  #show() {
    for (const [name, control] of this.controls) {
      const value = this.values.get(name);
      const key = this.#agent().keys.find((known) => known.name === name);
      control.value = value ?? (control.tagName === "SELECT" ? key.default : "");
      control.classList.toggle("changed", value !== undefined);
    }
    this.threads.value =
      this.values.get("threads") ?? this.#agent().keys.find(({ name }) => name === "threads")?.default ?? "";
    this.text.textContent = this.spec();
  }
}

/// The control of an option: a list where its values are names, a number where they are a range, else a text.
function controlOf({ values, default: usual }) {
  const range = /^a (?:whole )?number from (\S+) to (\S+)$/.exec(values);
  if (range) {
    const step = values.startsWith("a whole") ? 1 : "any";
    return element("input", { type: "number", min: range[1], max: range[2], step, placeholder: usual });
  }
  const names = values.split(/, | or /);
  if (names.length > 1 && names.every((name) => /^[\w+.-]+$/.test(name))) {
    const select = element("select");
    select.append(
      ...names.map((name) => element("option", { value: name }, name === usual ? `${name} (usual)` : name)),
    );
    return select;
  }
  return element("input", { type: "text", placeholder: usual, spellcheck: "false", autocomplete: "off" });
}

/// The two parts of a text around the first sign.
function split(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
