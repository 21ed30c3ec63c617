/// Who plays each seat, and which seat looks on in a game with secrets.

import { leaveKeys } from "./keys.js";
import { capital, seatName } from "./words.js";

/// Draws the choices of a position. `byAgent` is the set of seats that the agent plays, and `viewer` the seat that looks
/// on. `changed()` is called after a change of the set, and `look(viewer)` with another seat, or null for an onlooker.
export function drawSeats(root, view, { byAgent, viewer, changed, look }) {
  const labels = Array.from({ length: view.players }, (_, seat) => {
    const name = view.players === 1 ? "Player" : capital(seatName(seat));
    return choice(name, { person: "person", agent: "agent" }, byAgent.has(seat) ? "agent" : "person", (who) => {
      if (who === "agent") byAgent.add(seat);
      else byAgent.delete(seat);
      changed();
    });
  });
  if (view.information !== "perfect") {
    const seats = Array.from({ length: view.players }, (_, seat) => [seat, `the ${seatName(seat)} player`]);
    const viewers = Object.fromEntries([...seats, ["all", "an onlooker, who sees all"]]);
    labels.push(
      choice("Seen by", viewers, String(viewer ?? "all"), (value) => look(value === "all" ? null : Number(value))),
    );
  }
  const focused = Array.from(root.querySelectorAll("select")).indexOf(document.activeElement);
  root.replaceChildren(element("legend", {}, "Seats"), ...labels);
  root.querySelectorAll("select")[focused]?.focus();
}

/// A list of values with their names.
function choice(name, values, chosen, act) {
  const label = element("label", {}, name);
  const select = element("select");
  select.append(...Object.entries(values).map(([value, text]) => element("option", { value }, text)));
  select.value = chosen;
  leaveKeys(select);
  select.addEventListener("change", () => act(select.value));
  label.append(select);
  return label;
}
