/// The moves of a game with their variations, as buttons.

import { moveName } from "./words.js";

/// Draws all moves. `go(place)` is called with the place of a button that is pressed.
export function drawVariations(root, game, go) {
  const button = (node, name) => {
    const kind = node.seat === null || node.seat === undefined ? "" : `s${node.seat}`;
    const made = element("button", { type: "button", class: kind }, name);
    if (node === game.at) made.setAttribute("aria-current", "step");
    made.addEventListener("click", () => go(node));
    return made;
  };
  const write = (node, into) => {
    for (let at = node; at.children.length;) {
      const [first, ...others] = at.children;
      const [main, hidden] = endOfHidden(first, game.at);
      into.append(button(main, hidden > 1 ? `${hidden} hidden` : moveName(main.text)));
      for (const other of others) {
        const variation = element("div", { class: "variation" });
        variation.append(button(other, moveName(other.text)));
        write(other, variation);
        into.append(variation);
      }
      at = main;
    }
  };
  const made = element("div");
  write(game.root, made);
  const hadFocus = root.contains(document.activeElement);
  root.replaceChildren(...made.childNodes);
  const current = root.querySelector("[aria-current]");
  if (current) root.scrollTop = Math.max(0, current.offsetTop - 60);
  if (hadFocus) current?.focus({ preventScroll: true });
}

/// The last of many hidden moves in a row, such as cards that are dealt, and their number. They are one button, unless
/// one of them is the current place.
function endOfHidden(first, current) {
  let [node, count] = [first, 1];
  const isHidden = ({ text }) => text.startsWith("?");
  while (node !== current && isHidden(node) && node.children.length === 1 && isHidden(node.children[0])) {
    [node] = node.children;
    count += 1;
  }
  return [node, count];
}
