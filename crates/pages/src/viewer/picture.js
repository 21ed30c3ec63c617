
function element(name, attributes = {}, text = "") {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.textContent = text;
  return made;
}

/// Returns the function that draws a picture, given the one before it, and marks the parts that the last move changed.
/// `cards` are the names of the kinds of cards, and `letterOf` gives the letter of a seat's contestant.
function pictureDrawer(cards, letterOf) {
  /// Writes cards of one kind, with their number if it is given.
  function card(kind, number) {
    const made = element("span", { class: "card" }, cards[kind]);
    made.style.setProperty("--hue", `${Math.round(360 * kind / cards.length)}`);
    if (number !== undefined) made.append(" ", element("b", {}, `${number}`));
    return made;
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

  function partOf({ seat, text, ring: counts, pieces, name, pile, sets }) {
    if (text !== undefined) return element("p", { class: seat === null ? "" : `seat s${seat}` }, text);
    if (counts) return ring({ ring: counts, pieces });
    if (pile) return row(name, pile.flatMap((number, kind) => number ? [card(kind, number)] : []));
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
