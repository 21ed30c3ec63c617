/// The win rate over the game, with the moves that lost much of it.

import { lossOf } from "./verdict.js";
import { moveName, worth } from "./words.js";

/// The size of the drawing.
const [WIDE, HIGH] = [600, 120];

/// Draws the values of the places of a line for the first player. `go(place)` is called with a place that is clicked.
export function drawGraph(figure, game, scores, go) {
  const name = scores ? "expected score" : "win rate of the first player";
  const line = game.line();
  const known = line.map((place, ply) => ({ place, ply, value: place.value })).filter(({ value }) => value !== null);
  if (known.length < 2) {
    const text = `The ${name} over the game is drawn here when two positions have been searched.`;
    figure.replaceChildren(element("figcaption", {}, text));
    return;
  }
  const values = known.map(({ value }) => value);
  const [least, most] = scores ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const range = most - least || 1;
  const x = (ply) => (WIDE * ply) / Math.max(1, line.length - 1);
  const y = (value) => (HIGH * (most - value)) / range;
  const svg = drawn("svg", {
    viewBox: `-4 -6 ${WIDE + 8} ${HIGH + 12}`,
    role: "img",
    "aria-label": `${name} over the game`,
  });
  if (!scores) svg.append(drawn("line", { x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2, class: "half" }));
  svg.append(
    drawn("polyline", { points: known.map(({ ply, value }) => `${x(ply)},${y(value)}`).join(" "), class: "line s0" }),
  );
  const now = line.indexOf(game.at);
  svg.append(drawn("line", { x1: x(now), x2: x(now), y1: -6, y2: HIGH + 6, class: "now" }));
  const mistakes = known.filter(({ place }) => lossOf(place) > 0);
  for (const { ply, value, place } of mistakes) {
    const mark = drawn("circle", { cx: x(ply), cy: y(value), r: 5, class: "mistake" });
    mark.append(drawn("title", {}, mistakeText(place, ply, scores)));
    svg.append(mark);
  }
  svg.addEventListener("click", ({ clientX }) => {
    const box = svg.getBoundingClientRect();
    const ply = Math.round(((clientX - box.left) / box.width) * (line.length - 1));
    go(line[Math.max(0, Math.min(line.length - 1, ply))]);
  });
  const list = element("ul", { class: "mistakes" });
  for (const { place, ply } of mistakes) {
    const button = element("button", { type: "button", class: "quiet" }, mistakeText(place, ply, scores));
    button.addEventListener("click", () => go(place));
    const item = element("li");
    item.append(button);
    list.append(item);
  }
  const caption = element(
    "figcaption",
    {},
    `${name}${game.at.value === null ? "" : `: ${worth(game.at.value, scores)}`}`,
  );
  const focused = Array.from(figure.querySelectorAll("button")).indexOf(document.activeElement);
  const ticks = scores ? [most, least].map((value) => worth(value, true)) : ["100 %", "50 %", "0 %"];
  const scale = element("div", { class: "scale", "aria-hidden": "true" });
  scale.append(...ticks.map((tick) => element("span", {}, tick)));
  const scaled = element("div", { class: "scaled" });
  scaled.append(scale, svg);
  figure.replaceChildren(caption, scaled, list);
  list.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
}

function mistakeText(place, ply, scores) {
  const loss = lossOf(place);
  const lost = scores ? loss.toFixed(2) : `${Math.round(100 * loss)} percentage points`;
  return `${ply}. ${moveName(place.text)} lost ${lost} against ${moveName(place.rival.text)}`;
}
