/// The keys of the page, and the list of them in the help.

/// Listens to keys: each has its name, its name in the help and what it does, or null for both, and a function.
export function listenToKeys(keys, help) {
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || (event.repeat && !key.startsWith("Arrow"))) return;
    const isTyped = target.closest("input, select, textarea, dialog, summary");
    // A region that scrolls keeps its keys, and a button the one that presses it.
    const isScrolled = target.closest(".table-box, .wide") && /^(Arrow|Home|End| )/.test(key);
    const isPressed = target.closest("button, a") && (key === " " || key === "Enter");
    const act = keys.find(([name]) => name === key)?.[3];
    if (!act || isTyped || isScrolled || isPressed) return;
    event.preventDefault();
    act();
  });
  const named = keys.filter(([, name]) => name);
  help.replaceChildren(
    ...named.flatMap(([, name, text]) => {
      const key = element("dt");
      key.append(element("kbd", {}, name));
      return [key, element("dd", {}, text)];
    }),
  );
}

/// Lets a choice by the mouse leave the keys to the page.
export function leaveKeys(select) {
  let isByMouse = false;
  select.addEventListener("pointerdown", () => (isByMouse = true));
  select.addEventListener("keydown", () => (isByMouse = false));
  select.addEventListener("change", () => isByMouse && select.blur());
}
