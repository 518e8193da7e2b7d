// A finger on the boards: drag the piece, flick it to the wall or down, tap to turn it. Knows no server.

import { wake } from "./sound.js";

const TAP = 10; // pixels that a finger may stray in a tap
const FLICK = 0.7; // pixels in a millisecond
const RECENT = 90; // milliseconds before a finger leaves in which its speed counts
const FAST_TAP = 350; // milliseconds

export class Gestures {
  #input;
  #own; // returns {board, view} that this page plays, null for none
  #finger = null; // {id, x, y, from: where the piece was last moved to, since, trail, isDown}
  #dropped = -1; // the piece that was flicked down

  /** `element` is touched, `input` gets the moves. */
  constructor(element, input, own) {
    this.#input = input;
    this.#own = own;
    element.addEventListener("pointerdown", (event) => this.#begin(element, event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", (event) => this.#end(event));
    element.addEventListener("pointercancel", () => this.#forget());
  }

  /** Takes each frame of the own board: a piece that was flicked down is let go when it has locked. */
  see(board) {
    if (this.#dropped < 0 || (board.pieces === this.#dropped && board.inControl)) return;
    this.#dropped = -1;
    this.#hold("DOWN", false);
  }

  #begin(element, event) {
    const own = this.#own();
    if (event.pointerType === "mouse" || !own || this.#finger) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    wake();
    const { clientX: x, clientY: y, timeStamp } = event;
    this.#finger = { id: event.pointerId, x, y, from: { x, y }, since: timeStamp, trail: [[timeStamp, x, y]], isDown: false };
  }

  #move(event) {
    const [finger, own] = [this.#finger, this.#own()];
    if (finger?.id !== event.pointerId || !own) return;
    const { clientX: x, clientY: y, timeStamp } = event;
    finger.trail.push([timeStamp, x, y]);
    while (finger.trail.length > 2 && timeStamp - finger.trail[0][0] > RECENT) finger.trail.shift();
    const cell = own.view.cellSize;
    if (!cell) return;
    while (Math.abs(x - finger.from.x) >= cell) {
      const step = Math.sign(x - finger.from.x);
      this.#tap(step < 0 ? "LEFT" : "RIGHT");
      finger.from = { x: finger.from.x + step * cell, y };
    }
    const isDown = y - finger.from.y > cell;
    if (isDown !== finger.isDown) this.#hold("DOWN", isDown);
    finger.isDown = isDown;
  }

  #end(event) {
    const [finger, own] = [this.#finger, this.#own()];
    if (finger?.id !== event.pointerId) return;
    this.#finger = null;
    if (finger.isDown) this.#hold("DOWN", false);
    if (!own) return;
    const { clientX: x, clientY: y, timeStamp } = event;
    if (Math.hypot(x - finger.x, y - finger.y) < TAP) {
      const { left, width } = own.view.element.querySelector("canvas.field").getBoundingClientRect();
      if (timeStamp - finger.since < FAST_TAP) this.#tap(x < left + width / 2 ? "B" : "A");
      return;
    }
    const [then, fromX, fromY] = finger.trail[0];
    const [dx, dy] = [x - fromX, y - fromY].map((way) => way / Math.max(1, timeStamp - then));
    if (dy > FLICK && dy > Math.abs(dx)) this.#drop(own.board);
    else if (Math.abs(dx) > FLICK && Math.abs(dx) > Math.abs(dy)) this.#push(own.board, Math.sign(dx));
  }

  #forget() {
    if (this.#finger?.isDown) this.#hold("DOWN", false);
    this.#finger = null;
  }

  /** Holds down until the piece has locked. */
  #drop(board) {
    if (!board.inControl) return;
    this.#dropped = board.pieces;
    this.#hold("DOWN", true);
  }

  /** Taps until the piece is at the wall. */
  #push({ air, columns }, step) {
    const places = air.map((cell) => cell.column);
    if (!places.length) return;
    const count = step < 0 ? Math.min(...places) : columns - 1 - Math.max(...places);
    for (let tap = 0; tap < count; tap += 1) this.#tap(step < 0 ? "LEFT" : "RIGHT");
  }

  #tap(move) {
    this.#hold(move, true);
    this.#hold(move, false);
  }

  #hold(move, isDown) {
    this.#input.touch(move, isDown, performance.now());
  }
}
