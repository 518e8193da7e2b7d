// The tabs of the start screen: one panel is shown, arrow keys go from tab to tab. Knows no panel's content.

import { byId } from "./dom.js";

/** `onSelect` gets the id of the panel that is shown. */
export function setUpTabs(list, onSelect) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];
  const select = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
    onSelect(chosen.getAttribute("aria-controls"));
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const other = tabs[(index + step + tabs.length) % tabs.length];
      select(other);
      other.focus();
    });
  });
}
