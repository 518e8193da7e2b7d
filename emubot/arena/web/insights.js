// The panels that explain the bots: candidates with their values, the taps of the plan. Knows no server.

import { byId, make } from "./dom.js";
import { reasonsOf, worthOf } from "./reasons.js";

const SHOWN = 6;

export class Insights {
  #panels = new Map(); // side -> {element, taps, note, body, plan, found}: the elements, and the last words of each kind

  clear() {
    this.#panels.clear();
    byId("insights").replaceChildren();
  }

  /** Another game begins: what was said belongs to none of its pieces. */
  forget() {
    for (const panel of this.#panels.values()) panel.plan = panel.found = null;
  }

  /**
   * Shows what was said of the piece, or of the frame, that a board shows, and nothing else. Returns the candidates while
   * the piece is in the air: lines that vanish move what is shaded.
   */
  show(side, frame) {
    const [panel, board] = [this.#panels.get(side), frame.boards[side]];
    if (!panel || !board) return null;
    const [isPlanned, isFound] = [isOf(panel.plan, frame, board), isOf(panel.found, frame, board)];
    panel.taps.hidden = panel.note.hidden = panel.plan === null; // nobody asked for more than candidates
    panel.taps.classList.toggle("past", !isPlanned);
    panel.body.classList.toggle("past", !isFound);
    panel.note.classList.toggle("past", isFound || !isPlanned);
    return isFound && board.inControl ? panel.found : null;
  }

  /** Takes the taps of a plan: one cell for each run of frames. */
  plan(side, title, words) {
    const panel = this.#panel(side, title);
    const { taps } = panel;
    const { inputs, frames } = words;
    panel.plan = words;
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

  /** Takes the candidates of a decision. */
  insight(side, title, found) {
    const panel = this.#panel(side, title);
    const { body } = panel;
    panel.found = found;
    const [best, next] = found.placements;
    const rows = found.placements.slice(0, SHOWN).map((one) => {
      const why = one === best ? `the best${next ? beside(reasonsOf(best, next)) : ""}` : reasonsOf(one, best) || "nothing that counts";
      const row = make("tr", {}, make("td", {}, one.name), make("td", { className: "number" }, worthOf(one, best)), make("td", {}, why));
      if (one.chosen) row.className = "chosen";
      return row;
    });
    const head = make("tr", {}, make("th", { scope: "col" }, "place"), make("th", { scope: "col" }, found.unit || "value"), make("th", { scope: "col" }, "beside the best"));
    body.replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)), make("p", {}, found.meaning));
  }

  #panel(side, title) {
    if (!this.#panels.has(side)) {
      const taps = make("div", { className: "taps past", role: "img" });
      const note = make("p", { className: "past" }, "This piece is being explained. Pause to have time to read it.");
      const body = make("div", { className: "past" });
      const element = make("section", { className: "insight", "aria-label": `What ${title} thinks` }, make("h3", {}, title), taps, note, body);
      this.#panels.set(side, { element, taps, note, body, plan: null, found: null });
      const sides = [...this.#panels.keys()].sort((one, other) => one - other);
      byId("insights").replaceChildren(...sides.map((known) => this.#panels.get(known).element)); // as the boards stand
    }
    return this.#panels.get(side);
  }
}

/**
 * Returns whether words are of what is shown: of the piece, of the frame of a recorded match, or of everything. A piece
 * that has locked is counted, and is shown until the next one comes.
 */
function isOf(words, frame, board) {
  if (!words) return false;
  if (words.tick !== undefined) return words.tick === frame.tick;
  return words.piece === null || words.piece === board.pieces - (board.inControl ? 0 : 1);
}

function strip(text, frames, of) {
  const span = make("span", { className: text ? "pressed" : "" }, text);
  span.style.setProperty("width", `${(100 * frames) / Math.max(of, 1)}%`);
  return span;
}

function sign(buttons) {
  return buttons.replace("LEFT", "←").replace("RIGHT", "→").replace("DOWN", "↓").replace("UP", "↑").replaceAll("+", "");
}

function beside(reasons) {
  return reasons ? `; beside the next: ${reasons}` : "";
}
