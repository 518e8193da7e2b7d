// Whose turn it is and how much of its time is left, where sides take turns. Knows no server.

import { byId, write } from "./dom.js";
import { STAGE } from "./wire.js";

export class TurnBar {
  #frames = 0; // of the whole turn

  /** `persons` are the sides that this page plays. */
  show(frame, persons, views) {
    const active = frame.boards.findIndex((board) => board.turn);
    byId("turn").hidden = active < 0 || frame.stage !== STAGE.PLAYING;
    byId("play").classList.toggle("in-turn", active >= 0); // there is room for the bar
    if (active < 0) return;
    const isMine = persons.includes(active);
    if (!isMine || frame.left > this.#frames) this.#frames = frame.left;
    byId("turn-bar").hidden = !isMine || frame.left === 0;
    byId("turn-bar").max = Math.max(this.#frames, 1);
    byId("turn-bar").value = frame.left;
    write("turn-text", isMine ? "Your turn" : "The bot's turn");
    views.forEach((view, index) => view.element.classList.toggle("active", index === active));
  }
}
