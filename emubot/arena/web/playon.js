// "Play on" in a saved match: a live game begins at the frame that is shown. Knows no board and no server.

import { byId, make } from "./dom.js";

const USUAL = "middle"; // who plays the other side if that was a person

/** Offers the bots that can play the other side. */
export function offerRivals(bots) {
  byId("play-on-bot").replaceChildren(make("option", { value: "" }, "as recorded"), ...bots.map(({ id, title }) => make("option", { value: id }, title)));
}

export class PlayOn {
  #tick = 0;

  constructor(net) {
    for (const side of [0, 1]) {
      byId(`play-on-${side}`).addEventListener("click", () => {
        const bot = byId("play-on-bot").value;
        net.say({ type: "play-on", tick: this.#tick, side, ...(bot ? { bot } : {}) });
      });
    }
  }

  /** Another match is shown: `sides` are those that a person can take, `players` who had them. */
  open(sides, players) {
    for (const side of [0, 1]) byId(`play-on-${side}`).hidden = !sides.includes(side);
    byId("play-on-0").textContent = players.length > 1 ? "Play on, left" : "Play on";
    byId("play-on-against").hidden = players.length < 2;
    const [recorded] = byId("play-on-bot").options;
    if (!recorded) return; // of a guest's page
    recorded.hidden = recorded.disabled = !players.some(({ bot }) => bot);
    byId("play-on-bot").value = recorded.hidden ? USUAL : "";
  }

  /** This frame is shown; where the game is over nobody plays on. */
  see(tick, boards) {
    this.#tick = tick;
    const isOver = boards.some(({ over }) => over);
    for (const side of [0, 1]) byId(`play-on-${side}`).disabled = isOver;
  }
}
