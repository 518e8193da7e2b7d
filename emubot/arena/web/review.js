// The review of a side in a saved match: a bar for each placement, the higher the worse; a click or an arrow key leads to it.
// Knows no board and no server.

import { byId } from "./dom.js";

const HIGH = 64; // pixels

export class ReviewGraph {
  #moves = [];
  #now = 0; // number of the placement that is shown

  /** `onGo` gets the frame of a placement. */
  constructor(onGo) {
    this.onGo = onGo;
    const canvas = byId("review-graph");
    canvas.addEventListener("click", (event) => {
      const { left, width } = canvas.getBoundingClientRect();
      this.#go(Math.floor(((event.clientX - left) / width) * this.#moves.length));
    });
    addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const isFree = canvas.checkVisibility() && !event.target.closest?.("input, select, dialog, pre");
      if (!step || !isFree || !this.#moves.length || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#go(this.#now + step);
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Shows what was judged: {piece, frame, accuracy, why, best} of each placement. */
  show(moves) {
    this.#moves = moves;
    this.#now = 0;
    byId("review").hidden = !moves.length;
    byId("review-graph").setAttribute("aria-valuemax", String(moves.length));
    byId("review-words").textContent = moves.length ? "A bar for each placement: the higher, the worse. Click one, or go from one to the next with the arrow keys." : "";
    this.draw();
  }

  /** Another frame is shown. */
  see(tick) {
    if (!this.#moves.length) return;
    const after = this.#moves.findIndex((move) => move.frame > tick);
    const now = Math.max(0, (after < 0 ? this.#moves.length : after) - 1);
    if (now === this.#now) return;
    this.#now = now;
    this.#say();
    this.draw();
  }

  draw() {
    const canvas = byId("review-graph");
    const [width, height] = [canvas.clientWidth, HIGH].map((size) => Math.round(size * devicePixelRatio));
    if (!width || !this.#moves.length) return;
    Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d");
    const colour = (name) => getComputedStyle(canvas).getPropertyValue(name);
    const wide = width / this.#moves.length;
    this.#moves.forEach((move, index) => {
      const high = Math.max(1, height * (1 - move.accuracy));
      pen.fillStyle = colour(move.accuracy < 0.5 ? "--alarm" : "--accent");
      pen.fillRect(index * wide, height - high, Math.max(wide * 0.8, 1), high);
    });
    pen.strokeStyle = colour("--text");
    pen.lineWidth = 2 * devicePixelRatio;
    pen.strokeRect(this.#now * wide, devicePixelRatio, Math.max(wide * 0.8, 3), height - 2 * devicePixelRatio);
  }

  #go(number) {
    this.#now = Math.max(0, Math.min(this.#moves.length - 1, number));
    this.#say();
    this.draw();
    this.onGo(this.#moves[this.#now].frame);
  }

  #say() {
    const { piece, accuracy, why, best } = this.#moves[this.#now];
    const reason = accuracy < 1 ? `: ${why.join("; ") || "is worth less further on"}. Better: ${best}` : ": the best";
    const words = `Piece ${piece}, accuracy ${Math.round(100 * accuracy)} %${reason}.`;
    byId("review-words").textContent = words;
    byId("review-graph").setAttribute("aria-valuenow", String(this.#now + 1));
    byId("review-graph").setAttribute("aria-valuetext", words);
  }
}
