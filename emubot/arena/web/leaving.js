// Asks before a running game is lost, by the button and by the browser's Back. Knows no match and no server.

import { byId } from "./dom.js";

export class Leaving {
  /** `ask` has what the match answers and does: `isLost`, `hold`, `release`, `leave`; `screen` is where it is shown. */
  constructor(ask, screen = "match") {
    this.ask = ask;
    const dialog = byId("leaving");
    dialog.addEventListener("close", () => {
      if (byId(screen).hidden) return; // another screen has asked
      ask.release();
      if (dialog.returnValue === "leave") this.#leave();
    });
    addEventListener("popstate", () => {
      if (byId(screen).hidden || history.state?.isMatch) return;
      if (ask.isLost()) this.enter(); // so that there is a step back again
      this.leave();
    });
  }

  /** A match is shown: the browser's Back leads out of it, and not away from the page. */
  enter() {
    if (!history.state?.isMatch) history.pushState({ isMatch: true }, "");
  }

  /** Leaves what is shown; asks before, if a running game would be lost. */
  leave() {
    if (!this.ask.isLost()) {
      this.#leave();
      return;
    }
    this.ask.hold();
    byId("leaving").returnValue = "";
    if (!byId("leaving").open) byId("leaving").showModal();
  }

  #leave() {
    this.ask.leave();
    if (history.state?.isMatch) history.back();
  }
}
