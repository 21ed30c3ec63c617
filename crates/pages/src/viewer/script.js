
{
  const { contestants, legend, cards, shapes, games } = JSON.parse(document.getElementById("games").textContent);
  const part = (id) => document.getElementById(id);
  const [list, viewer, board, moves, slider, play] = ["list", "viewer", "board", "moves", "slider", "play"].map(part);
  const rows = new Map(Array.from(list.rows, (row) => [Number(row.dataset.game), row]));

  /// The size of a graph.
  const [WIDE, HIGH] = [300, 90];
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

  function boardOf(text, before) {
    if (pictures.length) return [drawPicture(pictures[ply], pictures[Math.max(0, ply - 1)])];
    if (game.shape === null) return [drawLines(text, before)];
    const { svg, rest } = drawGrid(text, before, shapes[game.shape], `the board after ${ply} plies`);
    return rest ? [svg, withDiscs(element("p"), rest)] : [svg];
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
    attributes["aria-label"] = `ply ${number + 1}: ${words || move}`;
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
