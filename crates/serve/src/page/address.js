/// The view of the page as the address of a link, and as a command line.

/// The limits and the seed, by the names of their fields.
export const FIELDS = ["seed", "time", "iterations"];

/// The address of a view.
export function addressOf({ spec, moves, agent, fields, viewer, byAgent, isFlipped }) {
  const words = new URLSearchParams({ game: spec });
  if (moves.length) words.set("moves", JSON.stringify(moves).slice(1, -1));
  words.set("agent", agent);
  for (const name of FIELDS) {
    if (fields[name] && fields[name] !== "0") words.set(name, fields[name]);
  }
  if (viewer !== undefined) words.set("viewer", viewer ?? "all");
  if (byAgent.size) words.set("seats", Array.from(byAgent).join(","));
  if (isFlipped) words.set("flipped", "1");
  return `#${words}`;
}

/// The view of an address. What it does not say is undefined.
export function viewOf(address) {
  const words = new URLSearchParams(address.slice(1));
  const word = (name) => words.get(name) ?? undefined;
  const seen = word("viewer");
  return {
    spec: word("game"),
    moves: words.has("moves") ? JSON.parse(`[${words.get("moves")}]`) : [],
    agent: word("agent"),
    fields: Object.fromEntries(FIELDS.map((name) => [name, word(name)])),
    viewer: seen === undefined || seen === "all" ? null : Number(seen),
    hasViewer: seen !== undefined,
    byAgent: new Set((word("seats") ?? "").split(",").filter(Boolean).map(Number)),
    isFlipped: words.has("flipped"),
  };
}

/// The command line that searches a position.
export function commandOf({ spec, moves, agent, fields }) {
  const quote = (text) => (/^[\w:=.,+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const words = ["boughs analyze", quote(spec)];
  if (moves.length) words.push("--position", quote(moves.join(" ")));
  words.push("--agent", quote(agent));
  if (fields.seed && fields.seed !== "0") words.push("--seed", fields.seed);
  if (fields.time) words.push("--time", `${fields.time}s`);
  if (fields.iterations) words.push("--iterations", fields.iterations);
  return words.join(" ");
}
