// The controls of a recorded match: to any frame, to the next piece, and what the bot would do there. Shows no board.

import { byId } from "./dom.js";
import { PlayOn } from "./playon.js";
import { ReviewGraph } from "./review.js";

export class ReplayBar {
  #ticks = 0;
  #isOpen = false;
  #asked = -1;
  #graph;
  #playOn;

  constructor(net) {
    const go = (tick) => {
      this.#asked = Math.max(0, Math.min(this.#ticks, tick));
      net.say({ type: "go", tick: this.#asked });
    };
    this.#graph = new ReviewGraph(go);
    this.#playOn = new PlayOn(net);
    byId("tick").addEventListener("input", () => { byId("tick-now").value = byId("tick").value; });
    byId("tick").addEventListener("change", () => go(Number(byId("tick").value)));
    byId("step-back").addEventListener("click", () => go(Number(byId("tick").value) - 1));
    byId("step-on").addEventListener("click", () => go(Number(byId("tick").value) + 1));
    for (const [id, type] of [["next-piece", "next"], ["advice", "advice"], ["race", "race"]]) {
      byId(id).addEventListener("click", () => net.say({ type, side: this.#side }));
    }
    byId("replay-side").addEventListener("change", () => this.#playOn.choose(this.#side));
    byId("ask-review").addEventListener("click", () => {
      net.say({ type: "review", side: this.#side });
      this.#noPage("The review is being made …");
    });
  }

  /** The match is there: its ticks, the sides that a person can take from here, and who played them. */
  open({ ticks, free }, players) {
    byId("replay-side").value = "0";
    this.#playOn.open(free, players);
    this.#ticks = ticks;
    byId("tick").max = String(ticks);
    this.#isOpen = true;
    this.#at(0);
    this.#noPage("");
    this.#graph.show([]);
    byId("replay-of").hidden = players.length < 2;
    document.body.dataset.replay = "";
  }

  /** Reviews the game of this side. */
  review(side) {
    byId("replay-side").value = String(side);
    this.#playOn.choose(side);
    byId("ask-review").click();
  }

  get #side() {
    return Number(byId("replay-side").value);
  }

  /** Offers a review as a file: one page that opens without a server. */
  onReview({ name, page, moves }) {
    this.#graph.show(moves);
    const link = byId("review-page");
    this.#noPage("Keep the review");
    link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    link.download = name;
  }

  #noPage(text) {
    const link = byId("review-page");
    if (link.href) URL.revokeObjectURL(link.href);
    link.removeAttribute("href");
    link.textContent = text;
    link.hidden = !text;
  }

  /** Draws anew: the theme has changed. */
  draw() {
    this.#graph.draw();
  }

  close() {
    this.#isOpen = false;
    delete document.body.dataset.replay;
  }

  /** Whether a recorded match is there; its controls are for whoever opened it. */
  get isOpen() {
    return this.#isOpen;
  }

  show({ tick, boards }) {
    this.#playOn.see(tick, boards);
    this.#at(tick);
  }

  #at(tick) {
    this.#graph.see(tick);
    if (document.activeElement === byId("tick") && tick !== this.#asked && byId("tick").matches(":active")) return;
    byId("tick").value = String(tick);
    byId("tick-now").value = `${tick} of ${this.#ticks}`;
  }
}
