/// The tabs beside the board.

const TABS = ["moves", "tree", "steps", "compare"];

export class Tabs {
  /// `opened(name)` is called with a tab that is opened.
  constructor(opened) {
    this.opened = opened;
    TABS.forEach((name, at) => {
      const tab = document.getElementById(`tab-${name}`);
      tab.addEventListener("click", () => this.open(name));
      tab.addEventListener("keydown", (event) => {
        const to = { ArrowLeft: at + TABS.length - 1, ArrowRight: at + 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        this.open(TABS[to % TABS.length]);
        document.getElementById(`tab-${TABS[to % TABS.length]}`).focus();
      });
    });
  }

  open(name) {
    for (const other of TABS) {
      document.getElementById(`panel-${other}`).hidden = other !== name;
      const tab = document.getElementById(`tab-${other}`);
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
    }
    this.opened(name);
  }
}
