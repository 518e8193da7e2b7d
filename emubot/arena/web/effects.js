// What is seen over a board when something happens there, for a moment; nothing where people want less motion.

import { make } from "./dom.js";
import { kindOf, looksOf } from "./looks.js";

const FULL = 30; // units of garbage that fill the meter: what falls at once at most
const SWEEP = 150; // milliseconds in which a row turns white, and again in which it goes
const RARE = 300; // milliseconds between two locks at least
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Effects {
  #family;
  #garbage = 0;
  #nudged = 0; // when
  #layer = make("div", { className: "effects", "aria-hidden": "true" });
  #meter = make("div", { className: "meter", "aria-hidden": "true" });

  /** `well` is the element around the canvas. */
  constructor(well, family) {
    this.well = well;
    this.#family = family;
    well.append(this.#layer, this.#meter);
  }

  /** Shows what a frame has brought. */
  show(board, happened) {
    if (board.garbage !== this.#garbage) this.#meter.style.setProperty("--share", String(Math.min(1, board.garbage / FULL)));
    this.#garbage = board.garbage;
    this.well.classList.toggle("danger", !board.over && isHigh(board));
    if (calm.matches) return;
    if (happened.locked) this.#nudge();
    for (const { at, kind } of happened.gone) this.#burst(board, at, kind);
    if (happened.chain > 1 && happened.burst.length) this.#say(board, happened.burst, `${happened.chain} ${looksOf(this.#family).count.noun}`);
  }

  /** A lock has weight, but a board that is played many times as fast as a console does not shake. */
  #nudge() {
    const now = performance.now();
    if (now - this.#nudged > RARE) this.well.animate([{ transform: "translateY(0.25rem)" }, { transform: "none" }], { duration: 90, easing: "ease-out" });
    this.#nudged = now;
  }

  #burst(board, at, kind) {
    const bit = this.#put(board, at, "bit");
    bit.style.setProperty("--colour", kindOf(this.#family, kind)?.colour || "#ffffff");
  }

  /** Writes words where cells burst. */
  #say(board, places, text) {
    const middle = (of) => places.map(of).reduce((sum, one) => sum + one, 0) / places.length;
    const column = Math.round(Math.min(board.columns - 3, Math.max(2, middle((at) => at % board.columns)))); // words are wide
    const row = Math.floor(middle((at) => Math.floor(at / board.columns)));
    this.#put(board, row * board.columns + column, "word").textContent = text;
  }

  /** Shows a mark over cells: it stays still, for that is to be read. */
  mark(board, cells, text, name, milliseconds) {
    for (const old of this.#layer.querySelectorAll(".mark")) old.remove();
    const middle = (of) => cells.reduce((sum, cell) => sum + of(cell), 0) / cells.length;
    const [column, row] = [Math.round(middle(([column]) => column)), Math.max(0, Math.round(middle(([, row]) => row)))];
    const element = this.#put(board, row * board.columns + column, `mark ${name}`);
    element.textContent = text;
    setTimeout(() => element.remove(), milliseconds);
  }

  /** Returns a new element over a cell; it is gone when its animation is. */
  #put(board, at, className) {
    const element = make("span", { className });
    element.style.setProperty("--x", `${(100 * (at % board.columns + 0.5)) / board.columns}%`);
    element.style.setProperty("--y", `${(100 * (Math.floor(at / board.columns) + 0.5)) / board.rows}%`);
    element.style.setProperty("--cell", `${100 / board.columns}%`);
    element.addEventListener("animationend", () => element.remove());
    this.#layer.append(element);
    return element;
  }
}

/** Returns how a cell of a cleared row looks after these milliseconds: "", "white" or "gone", from the middle outwards. */
export function sweptAt(column, columns, milliseconds) {
  const fromMiddle = Math.abs(column + 0.5 - columns / 2) / (columns / 2);
  if (milliseconds >= SWEEP * (1 + fromMiddle)) return "gone";
  return milliseconds >= SWEEP * fromMiddle ? "white" : "";
}

/** Whether cleared rows stay until they are swept. */
export function isSwept() {
  return !calm.matches;
}

/** Whether what has piled up reaches the top fifth. */
function isHigh({ cells, rows, columns }) {
  return cells.subarray(0, Math.floor(rows / 5) * columns).some((kind) => kind);
}
