/// Numbers and names in words.

/// A number in a few digits: 950, 12.3k, 4.56M.
export function short(number) {
  if (number < 1000) return String(Math.round(number));
  const [divisor, unit] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return (number / divisor).toPrecision(3) + unit;
}

/// A number with its digits in groups of three.
export function grouped(number) {
  return Math.round(number).toLocaleString("en");
}

/// A number of things, which are given in their plural.
export function counted(number, things) {
  return `${grouped(number)} ${number === 1 ? things.replace(/s$/, "") : things}`;
}

/// A mean reward: a win rate in percent, or a score.
export function worth(mean, scores) {
  if (scores && Math.abs(mean) >= 1000) return grouped(mean);
  return scores ? mean.toFixed(2) : `${(100 * mean).toFixed(1)} %`;
}

/// A size of memory.
export function bytes(number) {
  const [divisor, unit] = number < 1 << 20 ? [1 << 10, "KiB"] : number < 1 << 30 ? [1 << 20, "MiB"] : [1 << 30, "GiB"];
  return `${(number / divisor).toFixed(number < 10 * divisor ? 1 : 0)} ${unit}`;
}

/// The name of a seat.
export function seatName(seat) {
  return ["first", "second", "third", "fourth"][seat] ?? `${seat + 1}th`;
}

/// The mark of a hidden move, in words.
export function moveName(text) {
  return text.startsWith("?") ? "hidden" : text;
}

/// A text with a capital at its beginning.
export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/// A text as a sentence.
export function sentence(text) {
  return capital(text) + (text.endsWith(".") ? "" : ".");
}
