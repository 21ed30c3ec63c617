/// The pieces that decided a game: lines of pieces, and ways from side to side.

/// The ways over the middles of cells, each a list of their indices, that decided a game which is over.
export function decidingWays(board, { hexagons, cells, line, sides }, spots) {
  const pieces = cells.map(({ at, length }) => board.slice(at, at + length).trim());
  const next = (cell, [dx, dy]) =>
    spots.findIndex(({ x, y }) => Math.abs(x - spots[cell].x - dx) < 0.1 && Math.abs(y - spots[cell].y - dy) < 0.1);
  const ahead = hexagons ? [[1, 0], [0.5, ROW], [-0.5, ROW]] : [[1, 0], [0, 1], [1, 1], [-1, 1]];
  const same = (cell, step) => {
    const other = next(cell, step);
    return other >= 0 && pieces[other] === pieces[cell] ? other : -1;
  };
  const back = ([dx, dy]) => [-dx, -dy];

  /// The line that begins with a cell.
  const lineFrom = (first, step) => {
    const way = [];
    if (same(first, back(step)) >= 0) return way;
    for (let cell = first; cell >= 0; cell = same(cell, step)) way.push(cell);
    return way;
  };

  /// The shortest way between both sides of a seat, if its pieces connect them.
  const wayOf = (seat, isFirst, isLast) => {
    const isOwn = (cell) => SEAT_OF[pieces[cell]] === seat;
    const open = Array.from(spots.keys()).filter((cell) => isOwn(cell) && isFirst(cell)).map((cell) => [cell]);
    const seen = new Set(open.flat());
    for (const way of open) {
      if (isLast(way.at(-1))) return way;
      for (const step of [...ahead, ...ahead.map(back)]) {
        const cell = same(way.at(-1), step);
        if (cell < 0 || seen.has(cell)) continue;
        seen.add(cell);
        open.push([...way, cell]);
      }
    }
    return [];
  };

  if (line) {
    const owned = Array.from(spots.keys()).filter((cell) => /[A-Z]/.test(pieces[cell]));
    return owned.flatMap((cell) => ahead.map((step) => lineFrom(cell, step))).filter((way) => way.length >= line);
  }
  if (!sides || !hexagons) return [];
  const isEdge = (...step) => (cell) => next(cell, step) < 0;
  const [top, bottom] = [Math.min, Math.max].map((end) => end(...spots.map(({ y }) => y)));
  return [
    wayOf(sides[0], (cell) => spots[cell].y === top, (cell) => spots[cell].y === bottom),
    wayOf(sides[1], isEdge(-1, 0), isEdge(1, 0)),
  ].filter((way) => way.length);
}
