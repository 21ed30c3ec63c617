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
  if (!/^(all|\d+)$/.test(seen ?? "all")) throw new Error("the viewer of the link is the number of a seat, or all");
  const known = ["game", "moves", "agent", "viewer", "seats", "flipped", ...FIELDS];
  return {
    unknown: Array.from(words.keys()).filter((name) => !known.includes(name)),
    spec: word("game"),
    moves: movesOf(words.get("moves")),
    agent: word("agent"),
    fields: Object.fromEntries(FIELDS.map((name) => [name, word(name)])),
    viewer: seen === undefined || seen === "all" ? null : Number(seen),
    hasViewer: seen !== undefined,
    byAgent: new Set((word("seats") ?? "").split(",").filter(Boolean).map(Number)),
    isFlipped: words.has("flipped"),
  };
}

/// The moves of a link.
function movesOf(text) {
  if (text === null) return [];
  let moves;
  try {
    moves = JSON.parse(`[${text}]`);
  } catch {
    moves = null;
  }
  if (!moves?.every((move) => typeof move === "string")) {
    throw new Error('the moves of the link are no list such as "4","5"');
  }
  return moves;
}

/// The limits and the seed of a search, as numbers; the seed is a text, because it has up to 20 digits.
export function limitsOf({ seed, time, iterations }) {
  if (!/^\d*$/.test(seed.trim()) || BigInt(seed.trim() || 0) >= 2n ** 64n) {
    throw new Error("the seed should be a whole number from 0 to 18446744073709551615");
  }
  const [seconds, playouts] = [Number(time || 0), Number(iterations || 0)];
  if (!(seconds >= 0)) throw new Error("the time should be a number of seconds, such as 0.5, or nothing");
  if (!(playouts >= 0) || !Number.isSafeInteger(playouts)) {
    throw new Error("the playouts should be a whole number, or nothing");
  }
  return {
    seed: seed.trim() || "0",
    time: seconds > 0 ? Math.max(1, Math.round(1000 * seconds)) : null,
    iterations: playouts > 0 ? playouts : null,
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
