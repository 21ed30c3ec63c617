
"use strict";
{
  const { contestants, legend, cards, shapes, games } = JSON.parse(document.getElementById("games").textContent);
  const part = (id) => document.getElementById(id);
  const [list, viewer, board, moves, slider, play] = ["list", "viewer", "board", "moves", "slider", "play"].map(part);
  const rows = new Map(Array.from(list.rows, (row) => [Number(row.dataset.game), row]));

  /// The distance of rows of hexagons, in widths of a cell.
  const ROW = Math.sqrt(3) / 2;
  /// The seats of the pieces on the boards of all games.
  const SEAT_OF = { X: 0, W: 0, O: 1, B: 1, Y: 2 };
  /// The size of a graph.
  const [WIDE, HIGH] = [300, 90];
  /// The directions of the sun as a board writes them, in sixths of a turn from right to above.
  const SUN = ["right", "up and right", "up and left", "left", "down and left", "down and right"];
  /// The time between two moves that are played automatically.
  const PACE_MS = 700;

  let game = null;
  let boards = [];
  /// The pictures of a game that has them instead of boards.
  let pictures = [];
  /// The plies that begin days, on boards that have days.
  let dawns = [];
  let ply = 0;
  let timer = null;

  function drawn(name, attributes, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.textContent = text;
    return made;
  }

  /// Returns the boards of a game as texts.
  function allBoards({ start, plies }) {
    const texts = [start];
    for (const { change } of plies) {
      let text = texts[texts.length - 1];
      if (typeof change === "string") {
        text = change;
      } else {
        for (const [at, piece] of change) text = text.slice(0, at) + piece + text.slice(at + piece.length);
      }
      texts.push(text);
    }
    return texts;
  }

  const drawPicture = pictureDrawer(cards, (seat) => contestants[game.seats[seat]]?.[0] ?? "");

  /// Returns the pictures of a game; none if it has boards.
  function allPictures({ picture, plies }) {
    if (!picture) return [];
    const all = [picture];
    for (const { parts = [] } of plies) {
      const next = all[all.length - 1].slice();
      for (const [at, part] of parts) next[at] = part;
      all.push(next);
    }
    return all;
  }

  function cell(x, y, hexagon, isChanged) {
    const kind = isChanged ? "cell changed" : "cell";
    if (!hexagon) return drawn("rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: kind });
    const corner = (turn) => {
      const angle = (turn + 0.5) * Math.PI / 3;
      return `${x + Math.cos(angle) / Math.sqrt(3)},${y + Math.sin(angle) / Math.sqrt(3)}`;
    };
    return drawn("polygon", { points: [0, 1, 2, 3, 4, 5].map(corner).join(" "), class: kind });
  }

  /// Draws a cell that is a word: a sign with a number, and perhaps a shade.
  function plot(word, x, y, hexagons, isChanged) {
    const [, sign, size, shade = 0] = /^(.)(.)(?:\/(.))?/.exec(word);
    const ground = cell(x, y, hexagons, isChanged);
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

  /// Writes a number with its digits in groups of three.
  function grouped(number) {
    return number.toLocaleString("en");
  }

  /// Draws a number of each player over the game, with its first and last value, the days, and the current ply.
  function graph({ name, lines }) {
    const values = lines.flat();
    const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
    const spot = (value, at) => [WIDE * at / Math.max(1, lines[0].length - 1), HIGH * (most - value) / (most - least)];
    const svg = drawn("svg", {
      viewBox: `-2 -6 ${WIDE + 4} ${HIGH + 12}`, role: "img", "aria-label": `${name} of each player`,
    });
    for (const dawn of dawns) {
      svg.append(drawn("line", { x1: spot(0, dawn)[0], x2: spot(0, dawn)[0], y1: HIGH, y2: HIGH + 6, class: "dawn" }));
    }
    svg.append(drawn("line", { x1: spot(0, ply)[0], x2: spot(0, ply)[0], y1: -6, y2: HIGH + 6, class: "now" }));
    for (const [seat, line] of lines.entries()) {
      const points = line.map(spot).map((point) => point.join(",")).join(" ");
      svg.append(drawn("polyline", { points, class: `line s${seat}` }));
      for (const [at, anchor] of [[0, "start"], [line.length - 1, "end"]]) {
        const [x, y] = spot(line[at], at);
        // One text is enough for two lines that are level.
        if (lines.findIndex((other) => other[at] === line[at]) !== seat) continue;
        const place = { x, y: Math.max(9, y - 3), class: `end s${seat}`, "text-anchor": anchor };
        svg.append(drawn("text", place, grouped(line[at])));
      }
    }
    const figure = element("figure");
    figure.append(element("figcaption", {}, `${name}: ${lines.map((line) => grouped(line[ply])).join(" : ")}`), svg);
    return figure;
  }

  /// The referee's remarks on the last move.
  function remarks() {
    return (game.remarks ?? []).filter((remark) => remark.ply === ply)
      .map(({ seat, text }) =>
        element("li", { class: `seat s${seat}` }, `${contestants[game.seats[seat]][0]} ${text}`));
  }

  /// Draws a board whose cells are known, and marks the cells that changed since `before`.
  function grid(text, before, { hexagons, cells, labels, end, names = [] }) {
    const height = hexagons ? ROW : 1;
    const all = [...cells, ...labels];
    const [left, right] = [Math.min(...all.map(({ x }) => x)) - 0.7, Math.max(...all.map(({ x }) => x)) + 0.7];
    const [top, bottom] = [-0.7, Math.max(...all.map(({ y }) => y)) * height + 0.7];
    const svg = drawn("svg", { viewBox: `${left} ${top} ${right - left} ${bottom - top}`, role: "img" });
    svg.setAttribute("aria-label", `the board after ${ply} plies`);
    svg.style.width = `${Math.min(34, 4 * (right - left))}rem`;
    for (const [place, { at, length, x, y: row }] of cells.entries()) {
      const [now, was] = [text, before].map((board) => board.slice(at, at + length).trim());
      const y = row * height;
      if (length > 1) {
        // Shades do not count as changes: shadows move over half the board with the sun.
        svg.append(...plot(now, x, y, hexagons, now.split("/")[0] !== was.split("/")[0]));
        if (names[place]) svg.append(drawn("text", { x, y: y - 0.41, class: "name" }, names[place]));
        continue;
      }
      svg.append(cell(x, y, hexagons, now !== was));
      if (/[A-Z]/.test(now)) {
        svg.append(drawn("circle", { cx: x, cy: y, r: 0.37, class: `piece s${SEAT_OF[now] ?? 4}` }));
        if (!(now in SEAT_OF)) {
          svg.append(drawn("text", { x, y, class: "sign" }, now));
        } else if (now !== was && !/[A-Z]/.test(was)) {
          svg.append(drawn("circle", { cx: x, cy: y, r: 0.1, class: "new" }));
        }
      } else if (now !== ".") {
        svg.append(drawn("text", { x, y, class: "sign faint" }, now));
      }
    }
    for (const { at, length, x, y } of labels) {
      svg.append(drawn("text", { x, y: y * height, class: "label" }, text.slice(at, at + length)));
    }
    const rest = text.slice(end).trim();
    svg.append(...sun(/\bsun shines (\w+(?: and \w+)?)/.exec(rest)?.[1], left + 0.9, top + 0.7));
    return rest ? [svg, withDiscs(element("p"), rest)] : [svg];
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
  function lines(text, before) {
    const old = before.split("\n");
    const made = element("pre");
    text.trimEnd().split("\n").forEach((line, number) => {
      made.append(line === old[number] ? line : element("mark", {}, line), "\n");
    });
    return made;
  }

  function boardOf(text, before) {
    if (pictures.length) return [drawPicture(pictures[ply], pictures[Math.max(0, ply - 1)])];
    return game.shape === null ? [lines(text, before)] : grid(text, before, shapes[game.shape]);
  }

  function show(wanted) {
    ply = Math.max(0, Math.min(game.plies.length, wanted));
    const [text, before] = [boards[ply], boards[Math.max(0, ply - 1)]];
    board.replaceChildren(...boardOf(text, before));
    const { values = [], move, words } = game.plies[ply - 1] ?? {};
    part("values").replaceChildren(...values.map((value) => valueOf(value, move)));
    part("said").replaceChildren(...remarks());
    part("graphs").replaceChildren(...(game.graphs ?? []).map(graph));
    const last = ply > 0 ? `, ${move}${words ? `: ${words}` : ""}` : "";
    part("place").textContent = `ply ${ply} of ${game.plies.length}${last}`;
    slider.value = ply;
    moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = moves.children[ply - 1]?.firstChild;
    current?.setAttribute("aria-current", "step");
    moves.scrollTop = current ? current.offsetTop - moves.offsetTop - moves.clientHeight / 2 : 0;
    history.replaceState(null, "", `#game-${game.number}-${ply}`);
  }

  function valueOf([text, worth], chosen) {
    const line = element("li", text === chosen ? { "aria-current": "true" } : {});
    line.append(element("b", {}, text), ` ${worth}`);
    return line;
  }

  function seatLine(contestant, seat) {
    const [letter, name] = contestants[contestant];
    const line = element("li");
    line.append(element("span", { class: `seat s${seat}` }, `${letter} `), element("code", {}, name));
    line.append(element("div", { class: "did" }, game.did[seat]));
    return line;
  }

  function moveButton({ seat, move, words }, number) {
    const line = element("li");
    const kind = `${number < game.opening ? "opening" : ""} ${seat === null ? "" : `s${seat}`}`;
    const attributes = { type: "button", class: kind, title: `ply ${number + 1}: ${move}`, "data-ply": number + 1 };
    line.append(element("button", attributes, words || move));
    return line;
  }

  function saidBy(text, seat) {
    const details = element("details");
    const [letter] = contestants[game.seats[seat]];
    details.append(element("summary", {}, `What ${letter} said on standard error`), element("pre", {}, text));
    return details;
  }

  function open(number, wanted = 0) {
    game = games.find((one) => one.number === number);
    if (!game) return;
    stop();
    boards = allBoards(game);
    pictures = allPictures(game);
    const days = boards.map((text) => /^day \d+/m.exec(text)?.[0]);
    dawns = Array.from(days.keys()).filter((at) => days[at] && days[at] !== days[at - 1]);
    viewer.classList.toggle("pictured", pictures.length > 0);
    part("days").hidden = dawns.length < 2;
    list.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
    rows.get(number).setAttribute("aria-selected", "true");
    viewer.hidden = false;
    part("legend").textContent = game.shape === null && !pictures.length ? "" : legend;
    part("name").textContent = game.name ?? `Game ${number}`;
    part("seats").replaceChildren(...game.seats.map(seatLine));
    part("ending").textContent = `Ended: ${game.ending}`;
    moves.replaceChildren(...game.plies.map(moveButton));
    slider.max = game.plies.length;
    part("notes").replaceChildren(...game.notes.map((text, seat) => text && saidBy(text, seat)).filter(Boolean));
    part("replay").textContent = game.replay;
    show(wanted);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "play";
  }

  function step() {
    show(ply + 1);
    if (ply === game.plies.length) stop();
  }

  const go = {
    first: () => show(0),
    previous: () => show(ply - 1),
    next: () => show(ply + 1),
    last: () => show(game.plies.length),
    dayBefore: () => show(dawns.findLast((dawn) => dawn < ply) ?? 0),
    dayAfter: () => show(dawns.find((dawn) => dawn > ply) ?? game.plies.length),
  };
  const keys = {
    ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", "[": "dayBefore", "]": "dayAfter",
  };

  list.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (!row) return;
    open(Number(row.dataset.game));
    viewer.focus({ preventScroll: true });
    viewer.scrollIntoView({ block: "nearest", behavior: "smooth" });
  });
  viewer.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button || button === play) return;
    stop();
    if (button.dataset.go) go[button.dataset.go]();
    if (button.dataset.ply) show(Number(button.dataset.ply));
  });
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (ply === game.plies.length) show(0);
    play.textContent = "pause";
    timer = setInterval(step, PACE_MS);
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  document.addEventListener("keydown", (event) => {
    const name = keys[event.key];
    const isElsewhere = event.target === slider || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const scrolls = name === "first" || name === "last";
    if (!name || isElsewhere || (scrolls && !viewer.contains(event.target))) return;
    event.preventDefault();
    stop();
    go[name]();
  });

  const [, number, wanted] = location.hash.match(/^#game-(\d+)-(\d+)$/) ?? [];
  open(games[0].number);
  if (number) {
    open(Number(number), Number(wanted));
    const row = rows.get(game.number);
    list.closest(".list").scrollTop = row.offsetTop - 2 * row.offsetHeight;
    viewer.scrollIntoView();
  }
}
