/// The values of positions, and the moves that are mistakes.

/// The least loss of a mistake, as a win rate, and the width of an interval that says little.
const MISTAKE = 0.1;
const WIDE = 0.2;

/// The value of a position for the first player with its interval, as the report of a search says; null if it has none.
export function valueOf(position, report) {
  const { seat, players, scores } = position;
  const best = report.children.find(({ text }) => text === report.best);
  // A value by the game's evaluation is no win rate.
  if (!best?.playouts || report.unit === "value" || seat === null || (players > 2 && seat !== 0)) return null;
  const [value, interval] = [best.proven ?? best.mean, intervalOf(best)];
  if (scores || seat === 0 || players !== 2) return { value, interval };
  return { value: 1 - value, interval: interval && [1 - interval[1], 1 - interval[0]] };
}

function intervalOf(child) {
  return child.proven === null ? child.interval : [child.proven, child.proven];
}

/// Returns true if a move is the best one of a search, or may be by its interval. A wide interval says nothing: a
/// search visits a bad move seldom.
export function mayBeBest(report, text) {
  const [played, best] = [text, report.best].map((name) => report.children.find((child) => child.text === name));
  const [own, most] = [played, best].map((child) => child && intervalOf(child));
  return text === report.best || Boolean(own && most && own[1] - own[0] < WIDE && own[1] >= most[0]);
}

/// The loss of the player who made a move, if it is a mistake, and 0 if not. The position after the move is compared
/// with that after its rival, the best move of a search before it: both are searched with equal effort, and have the
/// same player to act. The loss counts between the near ends of both intervals, because values differ by chance too.
export function lossOf({ seat, found, rival }) {
  if (!found?.interval || !rival?.found?.interval) return 0;
  const [better, worse] = seat === 0 ? [rival.found, found] : [found, rival.found];
  return better.interval[0] - worse.interval[1] > MISTAKE ? better.value - worse.value : 0;
}
