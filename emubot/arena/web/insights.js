// The panels that explain the bots: candidates with their values, the taps of the plan. Knows no server.

import { byId, make } from "./dom.js";

const SHOWN = 6;

export class Insights {
  #panels = new Map(); // side -> {taps, body, title}

  clear() {
    this.#panels.clear();
    byId("insights").replaceChildren();
  }

  /** Shows the taps of a plan: one cell for each run of frames. */
  plan(side, title, { inputs, frames }) {
    const { taps } = this.#panel(side, title);
    const cells = [];
    let at = 1;
    for (const one of inputs) {
      if (one.first > at) cells.push(strip("", one.first - at, frames));
      cells.push(strip(sign(one.buttons), one.last - one.first + 1, frames));
      at = one.last + 1;
    }
    taps.replaceChildren(...cells);
    taps.setAttribute("aria-label", `${frames} frames: ${inputs.map((one) => `${one.buttons} in frame ${one.first}`).join(", ") || "no button"}`);
  }

  /** Shows the candidates of a decision. */
  insight(side, title, found) {
    const { body } = this.#panel(side, title);
    const rows = found.placements.slice(0, SHOWN).map((one) => {
      const parts = one.parts.filter((part) => Math.abs(part.value) >= 0.5).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 3);
      const row = make("tr", {}, make("td", {}, one.name), make("td", { className: "number" }, number(one.value)),
        make("td", {}, parts.map((part) => `${part.name.replaceAll("_", " ")} ${number(part.value)}`).join(", ")));
      if (one.chosen) row.className = "chosen";
      return row;
    });
    const head = make("tr", {}, make("th", { scope: "col" }, "place"), make("th", { scope: "col" }, found.unit || "value"), make("th", { scope: "col" }, "of this"));
    body.replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)), make("p", {}, found.meaning));
  }

  #panel(side, title) {
    if (!this.#panels.has(side)) {
      const taps = make("div", { className: "taps", role: "img" });
      const body = make("div");
      byId("insights").append(make("section", { className: "insight", "aria-label": `What ${title} thinks` }, make("h3", {}, title), taps, body));
      this.#panels.set(side, { taps, body });
    }
    return this.#panels.get(side);
  }
}

function strip(text, frames, of) {
  const span = make("span", { className: text ? "pressed" : "" }, text);
  span.style.setProperty("width", `${(100 * frames) / Math.max(of, 1)}%`);
  return span;
}

function sign(buttons) {
  return buttons.replace("LEFT", "←").replace("RIGHT", "→").replace("DOWN", "↓").replace("UP", "↑").replaceAll("+", "");
}

function number(value) {
  return Math.abs(value) >= 1e9 ? "loses" : value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 });
}
