/// Games as files: the text of game.js for every game, and SGF where it exists.

import { Game } from "./game.js";
import { ask } from "./server.js";

/// Offers a text as a file to save.
export function save(name, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/// The game in SGF: the moves of the shown line.
export async function sgfOf(game) {
  const moves = game
    .line()
    .slice(1)
    .map(({ text }) => text);
  return (await ask("/api/sgf/write", { game: game.spec, moves })).text;
}

/// Reads a game from the text of a file.
export async function read(text, spec) {
  if (!text.trimStart().startsWith("(")) return Game.parse(text);
  const { game, moves } = await ask("/api/sgf/read", { game: spec, text });
  const made = new Game(game);
  for (const move of moves) made.play(move, null);
  made.first();
  return made;
}
