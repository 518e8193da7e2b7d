// A match as a film: the last seconds of a game are kept and shown again, and what the boards show is recorded. Knows no server.

import { byId, make } from "./dom.js";

const SECONDS = 20; // of a film at most
const KIND = "video/webm";
const [MARGIN, TITLE, ASIDE] = [16, 28, 88]; // pixels
const RATE = 30; // pictures a second

/** Whether this browser can record. */
export const canFilm = typeof MediaRecorder === "function" && MediaRecorder.isTypeSupported(KIND);

/** The frames of the last seconds, each with its time. */
export class Memory {
  #frames = [];

  forget() {
    this.#frames = [];
  }

  add(frame) {
    const now = performance.now();
    this.#frames.push([now, frame]);
    if (now - this.#frames[0][0] > SECONDS * 1000) this.#frames.splice(0, 60);
  }

  /** Shows all of it again at the speed at which it was seen; `isWanted` ends it early. */
  async play(show, isWanted) {
    const frames = this.#frames;
    const began = performance.now();
    for (let at = 0; at < frames.length && isWanted();) {
      const now = await new Promise(requestAnimationFrame);
      while (at < frames.length - 1 && frames[at][0] - frames[0][0] < now - began) at += 1;
      show(frames[at][1]);
      if (at === frames.length - 1) return;
    }
  }
}

/** Records what boards show: `views` with their titles, until `stop`. */
export class Film {
  #canvas = make("canvas");
  #views;
  #titles;
  #recorder;
  #pieces = [];
  #isOn = true;

  constructor(views, titles) {
    this.#views = views;
    this.#titles = titles;
    const fields = views.map((view) => view.canvases[0]);
    this.#canvas.width = fields.reduce((sum, field) => sum + field.width + ASIDE + MARGIN, MARGIN);
    this.#canvas.height = Math.max(...fields.map((field) => field.height)) + 2 * MARGIN + TITLE;
    this.#paint();
    this.#recorder = new MediaRecorder(this.#canvas.captureStream(RATE), { mimeType: KIND, videoBitsPerSecond: 2_500_000 });
    this.#recorder.addEventListener("dataavailable", ({ data }) => this.#pieces.push(data));
    this.#recorder.start();
    this.#go();
    setTimeout(() => { this.onFull?.(); }, SECONDS * 1000);
  }

  /** Returns the film. */
  stop() {
    this.#isOn = false;
    return new Promise((resolve) => {
      this.#recorder.addEventListener("stop", () => resolve(new Blob(this.#pieces, { type: KIND })));
      this.#recorder.stop();
    });
  }

  #go() {
    if (!this.#isOn) return;
    this.#paint();
    requestAnimationFrame(() => this.#go());
  }

  #paint() {
    const pen = this.#canvas.getContext("2d");
    const style = getComputedStyle(document.body);
    pen.fillStyle = style.backgroundColor;
    pen.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    pen.fillStyle = style.color;
    pen.font = "600 15px system-ui, sans-serif";
    let left = MARGIN;
    for (const [index, view] of this.#views.entries()) {
      const [field, next] = view.canvases;
      pen.fillText(this.#titles[index], left, MARGIN + 12);
      pen.drawImage(field, left, MARGIN + TITLE);
      const aside = left + field.width + 10;
      if (next.width && next.height) pen.drawImage(next, aside, MARGIN + TITLE, ASIDE - 20, ((ASIDE - 20) * next.height) / next.width);
      view.figures.forEach(([name, text], line) => {
        pen.fillText(text, aside, MARGIN + TITLE + 100 + 42 * line);
        pen.fillText(name, aside, MARGIN + TITLE + 82 + 42 * line);
      });
      left += field.width + ASIDE + MARGIN;
    }
  }
}

/** Offers a file: the link is where the person looks, and has the focus. */
export function offerFile(place, name, blob) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name }, `Keep ${name}`);
  byId(place).append(link);
  link.focus();
}
