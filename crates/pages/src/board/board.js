
"use strict";

/// The drawing of boards and pictures, for the viewer of games and for the board that is played on.

/// The distance of rows of hexagons, in widths of a cell.
const ROW = Math.sqrt(3) / 2;
/// The seats of the pieces on the boards of all games.
const SEAT_OF = { X: 0, W: 0, O: 1, B: 1, Y: 2 };
/// The directions of the sun as a board writes them, in sixths of a turn from right to above.
const SUN = ["right", "up and right", "up and left", "left", "down and left", "down and right"];

function element(name, attributes = {}, text = "") {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.textContent = text;
  return made;
}

function drawn(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.textContent = text;
  return made;
}

/// Draws the ground of a cell.
function groundOf(x, y, hexagon, isChanged) {
  const kind = isChanged ? "cell changed" : "cell";
  if (!hexagon) return drawn("rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: kind });
  const corner = (turn) => {
    const angle = (turn + 0.5) * Math.PI / 3;
    return `${x + Math.cos(angle) / Math.sqrt(3)},${y + Math.sin(angle) / Math.sqrt(3)}`;
  };
  return drawn("polygon", { points: [0, 1, 2, 3, 4, 5].map(corner).join(" "), class: kind });
}

/// Draws the sides of a board of hexagons in the colours of the seats that they belong to: `[top and bottom, left and
/// right]`.
function sidesOf(spots, seats) {
  const ys = spots.map(({ y }) => y);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const corner = ({ x, y }, turn) => {
    const angle = (turn + 0.5) * Math.PI / 3;
    return `${x + Math.cos(angle) / Math.sqrt(3)} ${y + Math.sin(angle) / Math.sqrt(3)}`;
  };
  return spots.flatMap((spot) => [0, 1, 2, 3, 4, 5].flatMap((turn) => {
    const [dx, dy] = [Math.cos(turn * Math.PI / 3), Math.sin(turn * Math.PI / 3)];
    const isNext = ({ x, y }) => Math.abs(x - spot.x - dx) < 0.1 && Math.abs(y - spot.y - dy) < 0.1;
    if (spots.some(isNext)) return [];
    const isUpright = (spot.y === top && dy < -0.1) || (spot.y === bottom && dy > 0.1);
    const d = `M ${corner(spot, turn - 1)} L ${corner(spot, turn)}`;
    return [drawn("path", { d, class: `side s${seats[isUpright ? 0 : 1]}` })];
  }));
}

/// Draws a cell with a number.
function tile(word, x, y, isChanged) {
  const ground = groundOf(x, y, false, isChanged);
  const text = drawn("text", { x, y, class: "number-on-tile" }, word);
  ground.classList.add("tile");
  ground.style.setProperty("--worth", `${Math.min(100, 8 * Math.log2(Number(word)))}%`);
  text.style.fontSize = `${Math.min(0.42, 1.2 / word.length)}px`;
  return [ground, text];
}

/// Draws a cell that is a word: a sign with a number, and perhaps a shade.
function plot(word, x, y, hexagons, isChanged) {
  if (word === ".") return [groundOf(x, y, hexagons, isChanged)];
  if (/^\d+$/.test(word)) return tile(word, x, y, isChanged);
  const [, sign, size, shade = 0] = /^(.)(.)(?:\/(.))?/.exec(word);
  const ground = groundOf(x, y, hexagons, isChanged);
  ground.classList.add(sign === "#" ? "hole" : `shade${shade}`);
  if (sign === "#") return [ground];
  const seat = SEAT_OF[sign.toUpperCase()];
  if (sign === ".") return [ground, ...dots(Number(size), x, y)];
  if (seat === undefined) return [ground, drawn("text", { x, y, class: "sign faint" }, word)];
  const kind = `piece s${seat}${/[a-z]/.test(sign) ? " tired" : ""}`;
  const r = 0.17 + 0.065 * Number(size);
  const text = drawn("text", { x, y, class: "sign" }, size);
  text.style.fontSize = `${Math.min(0.36, 1.5 * r)}px`;
  return [ground, drawn("circle", { cx: x, cy: y, r, class: kind }), text];
}

/// Draws a number of dots side by side.
function dots(count, x, y) {
  const dot = (_, n) => drawn("circle", { cx: x + 0.2 * (n - (count - 1) / 2), cy: y, r: 0.05, class: "dot" });
  return Array.from({ length: count }, dot);
}

/// Draws the direction of the sun as an arrow in a corner of the board.
function sun(direction, x, y) {
  const turn = SUN.indexOf(direction);
  if (turn < 0) return [];
  const arrow = drawn("g", { transform: `translate(${x} ${y}) rotate(${-60 * turn})`, class: "sun" });
  arrow.append(drawn("title", {}, `the sun shines ${direction}`), drawn("circle", { cx: -0.35, cy: 0, r: 0.22 }),
    drawn("path", { d: "M -0.05 0 H 0.6 M 0.35 -0.2 L 0.62 0 L 0.35 0.2" }));
  return [arrow];
}

/// Draws a board whose cells are known, and marks the cells that changed since `before`. Returns the drawing, the middle
/// of each cell in it, and the text after the board.
function drawGrid(text, before, shape, label) {
  const { hexagons, intersections, stones, cells, labels, end, names = [], sides = null } = shape;
  const height = hexagons ? ROW : 1;
  const all = [...cells, ...labels];
  const [left, right] = [Math.min(...all.map(({ x }) => x)) - 0.7, Math.max(...all.map(({ x }) => x)) + 0.7];
  const [top, bottom] = [-0.7, Math.max(...all.map(({ y }) => y)) * height + 0.7];
  const svg = drawn("svg", { viewBox: `${left} ${top} ${right - left} ${bottom - top}`, role: "img" });
  svg.setAttribute("aria-label", label);
  svg.classList.toggle("stones", Boolean(stones));
  svg.style.width = `${Math.min(34, 4 * (right - left))}rem`;
  const spots = cells.map(({ x, y }) => ({ x, y: y * height }));
  if (intersections) svg.append(...linesBetween(spots));
  for (const [place, { at, length }] of cells.entries()) {
    const [now, was] = [text, before].map((board) => board.slice(at, at + length).trim());
    const { x, y } = spots[place];
    if (length > 1) {
      // Shades do not count as changes: shadows move over half the board with the sun.
      svg.append(...plot(now, x, y, hexagons, now.split("/")[0] !== was.split("/")[0]));
      if (names[place]) svg.append(drawn("text", { x, y: y - 0.41, class: "name" }, names[place]));
      continue;
    }
    if (!intersections) svg.append(groundOf(x, y, hexagons, now !== was));
    if (/[A-Z]/.test(now)) {
      const [r, seat] = [intersections ? 0.46 : 0.37, SEAT_OF[now]];
      svg.append(drawn("circle", { cx: x, cy: y, r, class: `piece s${seat ?? 4}` }));
      if (seat === undefined) {
        svg.append(drawn("text", { x, y, class: "sign" }, now));
      } else if (now !== was && !/[A-Z]/.test(was)) {
        svg.append(drawn("circle", { cx: x, cy: y, r: 0.1, class: "new" }));
      }
    } else if (now !== ".") {
      svg.append(drawn("text", { x, y, class: "sign faint" }, now));
    } else if (intersections && now !== was) {
      svg.append(drawn("circle", { cx: x, cy: y, r: 0.12, class: "gone" }));
    }
  }
  for (const { at, length, x, y } of labels) {
    svg.append(drawn("text", { x, y: y * height, class: "label" }, text.slice(at, at + length)));
  }
  if (sides && hexagons) svg.append(...sidesOf(spots, sides));
  const rest = text.slice(end).trim();
  svg.append(...sun(/\bsun shines (\w+(?: and \w+)?)/.exec(rest)?.[1], left + 0.9, top + 0.7));
  return { svg, spots, rest };
}

/// Draws the lines of a board whose pieces stand on intersections, with the star points of a board of Go.
function linesBetween(spots) {
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const ground = { x: left - 0.5, y: top - 0.5, width: right - left + 1, height: bottom - top + 1, class: "cell" };
  const size = right - left + 1;
  const edge = size < 12 ? 2 : 3;
  const stars = [edge, (size - 1) / 2, size - 1 - edge].filter((at) => Number.isInteger(at));
  // Small boards have stars in the corners and in the middle alone.
  const isStar = (x, y) => size > 14 || (x === stars[1]) === (y === stars[1]) || stars.length < 3;
  const dotAt = (x, y) => drawn("circle", { cx: left + x, cy: top + y, r: 0.1, class: "star" });
  const isBoard = size > 8 && bottom - top === right - left;
  return [drawn("rect", ground),
    ...Array.from(new Set(xs), (x) => drawn("path", { d: `M ${x} ${top} V ${bottom}`, class: "grid" })),
    ...Array.from(new Set(ys), (y) => drawn("path", { d: `M ${left} ${y} H ${right}`, class: "grid" })),
    ...(isBoard ? stars.flatMap((x) => stars.filter((y) => isStar(x, y)).map((y) => dotAt(x, y))) : [])];
}

/// Appends a text in which the letters of seats are the discs that stand for them on the board.
function withDiscs(line, text) {
  text.split(/(\(\b[A-Z]\)|\b[A-Z]\b)/).forEach((part, number) => {
    const letter = part.replace(/^\((.)\)$/, "$1");
    const seat = number % 2 === 1 ? SEAT_OF[letter] : undefined;
    const kind = { class: `seat s${seat}`, role: "img", "aria-label": letter };
    line.append(seat === undefined ? part : element("span", kind));
  });
  return line;
}

/// Shows any other board as text, and marks the lines that changed.
function drawLines(text, before) {
  const old = before.trimEnd().split("\n");
  const made = element("pre");
  text.trimEnd().split("\n").forEach((line, number) => {
    made.append(line === old[number] ? line : element("mark", {}, line), "\n");
  });
  return made;
}

/// Returns the function that draws a picture, given the one before it, and marks the parts that the last move changed.
/// `cards` are the names of the kinds of cards, and `letterOf` gives the letter of a seat's contestant. `playerOf` gives
/// the element of a card that can be played now, from the seat whose hand it is in and its name; nothing for any other.
function pictureDrawer(cards, letterOf, playerOf = () => null) {
  /// Writes cards of one kind, with their number if it is given.
  function card(kind, number, handOf = null) {
    const made = playerOf(handOf, cards[kind]) ?? element("span", {}, cards[kind]);
    made.classList.add("card");
    // A card with the sign of a suit has the colour of the suit.
    const suit = /[♣♦♥♠]$/.exec(cards[kind])?.[0];
    if (suit) made.classList.add("suited", ..."♦♥".includes(suit) ? ["red"] : []);
    else made.style.setProperty("--hue", `${Math.round(360 * kind / cards.length)}`);
    if (number !== undefined) made.append(" ", element("b", {}, `${number}`));
    return made;
  }

  /// Draws the cards of a pile, those that the viewer does not see as one.
  function cardsOf({ pile, hidden, handOf }) {
    const seen = pile.flatMap((number, kind) => number ? [card(kind, number > 1 ? number : undefined, handOf)] : []);
    return hidden ? [...seen, element("span", { class: "card back" }, `${hidden} hidden`)] : seen;
  }

  /// Draws eight places in a ring, each with its cards and the seats of the pieces that are there.
  function ring({ ring: counts, pieces }) {
    const made = element("div", { class: "ring" });
    counts.forEach((number, place) => {
      const at = element("div", { class: number ? "place" : "place empty" });
      at.append(card(place, number));
      pieces.forEach((piece, seat) => {
        if (piece === place) at.append(element("div", { class: `seat s${seat}` }, letterOf(seat)));
      });
      made.append(at);
    });
    return made;
  }

  /// Draws cards in a row after the name of the part.
  function row(name, all) {
    const made = element("div", { class: "pile" });
    const held = element("div", { class: "cards" });
    held.append(...all);
    if (!all.length) held.append("–");
    made.append(element("div", { class: "pileName" }, name), held);
    return made;
  }

  function partOf(part) {
    const { seat, text, ring: counts, pieces, name, pile, sets } = part;
    if (text !== undefined) return element("p", { class: seat === null ? "" : `seat s${seat}` }, text);
    if (counts) return ring({ ring: counts, pieces });
    if (pile) return row(name, cardsOf(part));
    return row(name, sets.map(([label, kinds]) => {
      const made = element("span", { class: "set", title: label });
      made.append(...kinds.map((kind) => card(kind)));
      return made;
    }));
  }

  return (now, before) => {
    const made = element("div", { class: "picture" });
    now.forEach((part, number) => {
      const drawnPart = partOf(part);
      if (part !== before[number]) drawnPart.classList.add("changedPart");
      made.append(drawnPart);
    });
    return made;
  };
}
