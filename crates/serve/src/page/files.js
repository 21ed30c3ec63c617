/// Games as files: the text of game.js for every game, and SGF where it exists.

import { Game } from "./game.js";
import { ask } from "./server.js";

/// Offers a text as a file to save.
export function save(name, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/// The game with its variations in SGF.
export async function sgfOf(game) {
  const moves = game.list().map(({ after, text }) => ({ after, text }));
  return (await ask("/api/sgf/write", { game: game.spec, moves })).text;
}

/// Reads a game from the text of a file. Returns it with a word about variations that are not legal, if there are any.
export async function read(text) {
  if (!text.trimStart().startsWith("(")) return { game: Game.parse(text), word: "" };
  const { game, moves, leftOut } = await ask("/api/sgf/read", { text });
  const count = leftOut.length === 1 ? "one variation is" : `${leftOut.length} variations are`;
  return { game: Game.ofList(game, moves), word: leftOut.length ? `${count} left out: ${leftOut[0]}` : "" };
}
