// "Play on" in a saved match: a live game begins at the frame that is shown. Knows no board and no server.

import { byId, make } from "./dom.js";

const USUAL = "middle"; // who plays the other side if that was a person

/** Offers the bots that can play the other side. */
export function offerRivals(bots) {
  byId("play-on-bot").replaceChildren(make("option", { value: "" }, "as recorded"), ...bots.map(({ id, title }) => make("option", { value: id }, title)));
}

export class PlayOn {
  #tick = 0;
  #side = 0;
  #free = [];

  constructor(net) {
    byId("play-on").addEventListener("click", () => {
      const bot = byId("play-on-bot").value;
      net.say({ type: "play-on", tick: this.#tick, side: this.#side, ...(bot ? { bot } : {}) });
    });
  }

  /** Another match is shown: `free` are the sides that a person can take, `players` who had them. */
  open(free, players) {
    this.#free = free;
    this.choose(0);
    byId("play-on-against").hidden = players.length < 2;
    const [recorded] = byId("play-on-bot").options;
    if (!recorded) return; // of a guest's page
    recorded.hidden = recorded.disabled = !players.some(({ bot }) => bot);
    byId("play-on-bot").value = recorded.hidden ? USUAL : "";
  }

  /** The person would take this side. */
  choose(side) {
    this.#side = side;
    this.#show(false);
  }

  /** This frame is shown; where the game is over nobody plays on. */
  see(tick, boards) {
    this.#tick = tick;
    this.#show(boards.some(({ over }) => over));
  }

  #show(isOver) {
    byId("play-on").disabled = isOver || !this.#free.includes(this.#side);
  }
}
