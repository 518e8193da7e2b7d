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
    for (const side of [0, 1]) {
      byId(`next-${side}`).addEventListener("click", () => net.say({ type: "next", side }));
      byId(`advice-${side}`).addEventListener("click", () => net.say({ type: "advice", side }));
      byId(`race-${side}`).addEventListener("click", () => net.say({ type: "race", side }));
      byId(`review-${side}`).addEventListener("click", () => {
        net.say({ type: "review", side });
        this.#noPage("The review is being made …");
      });
    }
  }

  /** The match is there: its ticks, the sides that a person can take from here, and who played them. */
  open({ ticks, free }, players) {
    const sides = players.length;
    this.#playOn.open(free, players);
    this.#ticks = ticks;
    byId("tick").max = String(ticks);
    this.#isOpen = true;
    this.#at(0);
    this.#noPage("");
    this.#graph.show([]);
    for (const name of ["next-1", "advice-1", "race-1", "review-1"]) byId(name).hidden = sides < 2;
    for (const [name, text] of [["next-0", "Next piece"], ["advice-0", "What would the bot do?"], ["race-0", "Race"], ["review-0", "Review"]]) {
      byId(name).textContent = sides < 2 ? text : byId(name).textContent;
    }
  }

  /** Offers a review as a file: one page that opens without a server. */
  onReview({ name, page, moves }) {
    this.#graph.show(moves);
    const link = byId("review-page");
    this.#noPage(`Keep the review: ${name}`);
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
