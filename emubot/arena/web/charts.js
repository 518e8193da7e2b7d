// The show: what bots reach that play as fast as they can, and their evaluation over time. Knows no server.

import { byId, make } from "./dom.js";
import { counted, pieces } from "./looks.js";

const POINTS = 240;

export class Charts {
  #panels = [];
  #then = null;

  clear() {
    this.#panels = [];
    this.#then = null;
    byId("charts").replaceChildren();
  }

  /** Draws all values anew. */
  draw() {
    for (const panel of this.#panels) draw(panel);
  }

  add(sides, frames, titles, families) {
    const now = performance.now();
    const seconds = this.#then ? (now - this.#then.now) / 1000 : 0;
    sides.forEach((side, index) => {
      const panel = (this.#panels[index] ??= this.#panel(titles[index] ?? ""));
      const before = this.#then?.sides[index];
      if (before && seconds > 0) {
        const rate = (name) => Math.max(0, (side[name] - before[name]) / seconds);
        panel.text.textContent = `${pieces(families[index], side.pieces)}, ${counted(families[index], side.count)} · `
          + `${rate("pieces").toFixed(0)} pieces a second · ${Math.round(rate("nodes")).toLocaleString("en")} evaluations a second · `
          + `${Math.round((frames - this.#then.frames) / seconds).toLocaleString("en")} frames a second`;
      }
      if (side.value !== null && Math.abs(side.value) < 1e9) panel.values.push(side.value);
      panel.values.splice(0, Math.max(0, panel.values.length - POINTS));
      draw(panel);
    });
    this.#then = { now, frames, sides };
  }

  #panel(title) {
    const canvas = make("canvas", { role: "img", "aria-label": `the value of each decision of ${title}, over time` });
    const text = make("p");
    byId("charts").append(make("section", { className: "chart" }, make("h3", {}, title), text, canvas));
    return { canvas, text, values: [] };
  }
}

function draw({ canvas, values }) {
  const [width, height] = [canvas.clientWidth * devicePixelRatio, canvas.clientHeight * devicePixelRatio].map(Math.round);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, width, height);
  if (values.length < 2) return;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (value) => height - 4 - ((value - low) / (high - low || 1)) * (height - 8);
  pen.strokeStyle = getComputedStyle(canvas).getPropertyValue("--accent");
  pen.lineWidth = 2 * devicePixelRatio;
  pen.beginPath();
  values.forEach((value, index) => pen.lineTo((index / (POINTS - 1)) * width, y(value)));
  pen.stroke();
}
