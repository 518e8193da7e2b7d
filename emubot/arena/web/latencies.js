// How long keys take to the screen: from the press of an input to the frame that shows it. Knows no server.

const MOST_WAITING = 200;
const MOST_KEPT = 5000;

export class Latencies {
  #number = 0;
  #pressed = new Map(); // number of an input -> when its key went down

  constructor() {
    this.times = []; // milliseconds
  }

  /** Notes an input, and returns its number. */
  press(time) {
    this.#number += 1;
    this.#pressed.set(this.#number, time);
    if (this.#pressed.size > MOST_WAITING) this.#pressed.delete(this.#pressed.keys().next().value);
    return this.#number;
  }

  /** Another game begins. */
  forget() {
    this.#pressed.clear();
  }

  /** A frame is drawn that has seen all inputs up to this number. */
  show(seen) {
    if (!this.#pressed.size || seen === 0) return;
    const done = [...this.#pressed.keys()].filter((number) => number <= seen);
    if (!done.length) return;
    const times = done.map((number) => this.#pressed.get(number));
    for (const number of done) this.#pressed.delete(number);
    requestAnimationFrame(() => {
      const now = performance.now();
      for (const time of times) this.times.push(now - time);
      if (this.times.length > MOST_KEPT) this.times.splice(0, 1000);
    });
  }
}
