// Shows one side: playfield, piece, next piece, plans, figures. Decides nothing; knows no server.

import { paintCell } from "./cells.js";
import { make } from "./dom.js";
import { Effects, isSwept, sweptAt } from "./effects.js";
import { coloursOf, Field, GLOW, SHADES, sharpen, VEIL, WHITE } from "./field.js";
import { AIM, layGhost, PLAN, SHADOW } from "./ghosts.js";
import { Happenings } from "./happenings.js";
import { kindOf, looksOf, shadowOf } from "./looks.js";
import { settings } from "./settings.js";

const NEXT_CELLS = 4;

export class BoardView {
  #canvas;
  #field;
  #heading;
  #next;
  #figures = {};
  #shown = "";
  #drawnNext = "";
  #board = null;
  #happenings;
  #effects;
  #explained = null;
  #better = []; // cells of the placement that the coach would have chosen
  #heat = null; // how each cell is shaded by candidates
  #things = new Uint16Array(0);
  #ghosts = new Uint16Array(0);
  #shades = new Uint16Array(0);

  /** `title` is the player's name, `family` that of the game; a person's side has a shadow, a bot's its plan. */
  constructor(title, family, isPerson) {
    this.family = family;
    this.isPerson = isPerson;
    this.happened = null; // what the frame that is shown has brought
    this.#happenings = new Happenings(family);
    const { count, level, piece } = looksOf(family);
    this.#heading = make("h3", {}, title);
    this.#canvas = make("canvas", { className: "field", role: "img" });
    this.#next = make("canvas", { className: "next", role: "img", "aria-label": `next ${piece}` });
    const list = make("dl");
    const names = { score: "score", count: count.counter, level, pieces: `${piece}s`, garbage: "garbage" };
    for (const [name, text] of Object.entries(names)) {
      this.#figures[name] = make("dd", { "data-figure": name });
      list.append(make("dt", {}, text), this.#figures[name]);
    }
    const well = make("div", { className: "well" }, this.#canvas);
    this.#effects = new Effects(well, family);
    const body = make("div", { className: "body" }, well, make("div", { className: "aside" }, this.#next, list));
    this.element = make("section", { className: "board" }, this.#heading, body);
    this.rename(title);
    this.#field = new Field(this.#canvas, family);
    new ResizeObserver(() => this.refresh()).observe(this.#canvas);
  }

  /** Pixels of the page that a cell is wide; 0 if it is on no screen. */
  get cellSize() {
    return this.#board ? this.#canvas.clientWidth / this.#board.columns : 0;
  }

  /** The canvases of the field and of the next piece. */
  get canvases() {
    return [this.#canvas, this.#next];
  }

  /** The figures as they are written: [name, text]. */
  get figures() {
    return [...this.element.querySelectorAll("dl:first-of-type dt")].map((term) => [term.textContent, term.nextElementSibling.textContent]);
  }

  rename(title) {
    this.#heading.textContent = title;
    this.element.setAttribute("aria-label", title);
    this.#name();
  }

  /** Shows it anew: the theme, the marks or the window have changed. */
  refresh() {
    this.#field.refresh();
    this.#drawnNext = "";
    this.#show();
  }

  /** Shows the candidates of a decision as shades over the field; null for none. */
  showCandidates(found) {
    if (found === this.#explained) return;
    this.#explained = found;
    this.#heat = null;
  }

  /** Outlines the placement that the coach would choose. */
  showBetter(cells) {
    this.#better = cells;
  }

  /** Shows a mark over cells for some milliseconds. */
  mark(cells, text, name, milliseconds) {
    if (this.#board) this.#effects.mark(this.#board, cells, text, name, milliseconds);
  }

  draw(board) {
    if (board !== this.#board) this.happened = this.#happenings.see(board);
    if (this.#board?.columns !== board.columns || this.#board.rows !== board.rows) {
      this.element.style.setProperty("--columns", board.columns);
      this.element.style.setProperty("--rows", board.rows);
      this.#things = new Uint16Array(board.columns * board.rows);
      this.#ghosts = new Uint16Array(board.columns * board.rows);
      this.#shades = new Uint16Array(board.columns * board.rows);
      this.#heat = null;
    }
    const [isNew, isNext] = [this.#board === null, this.#board !== board];
    this.#board = board;
    if (isNew) this.#name();
    this.#show();
    if (isNext) this.#effects.show(board, this.happened);
  }

  #name() {
    const board = this.#board;
    if (board) this.#canvas.setAttribute("aria-label", `${this.element.getAttribute("aria-label")}: playfield, ${board.rows} rows of ${board.columns}`);
  }

  #show() {
    const board = this.#board;
    if (!board) return;
    this.#write({ ...board, count: Math.max(board.count, this.#happenings.held?.count ?? 0) });
    this.#heat ??= this.#heated(board);
    this.#lay(board);
    this.#field.draw(board.columns, board.rows, this.#things, this.#ghosts, this.#shades);
    this.#drawNext(board.next);
  }

  /** Says what each cell shows. */
  #lay(board) {
    const [things, shades] = [this.#things, this.#shades];
    for (let at = 0; at < things.length; at += 1) {
      const former = this.#happenings.formerAt(at);
      things[at] = former || (board.cells[at] | ((board.joins?.[at] ?? 0) << 8));
      shades[at] = this.#heat[at] | (former ? GLOW : 0) | (board.over ? VEIL : 0);
    }
    if (this.#happenings.held && isSwept()) this.#sweep(board, this.#happenings.held);
    this.#ghosts.fill(0);
    if (this.isPerson && settings.shadow) layGhost(this.#ghosts, board, shadowOf(board, this.family), SHADOW);
    if (settings.plans) {
      layGhost(this.#ghosts, board, board.plan, PLAN);
      layGhost(this.#ghosts, board, board.aim, AIM);
    }
    layGhost(this.#ghosts, board, this.#better, AIM);
    for (const one of board.air) {
      const at = placeOf(board, one);
      if (at >= 0) [things[at], this.#ghosts[at]] = [one.kind | (one.joins << 8), 0];
    }
  }

  /** Rows that are cleared turn white and go, and what is above them stays so long. */
  #sweep({ columns }, { cells, rows, since }) {
    const passed = performance.now() - since;
    this.#things.set(cells);
    for (const row of rows) {
      for (let column = 0; column < columns; column += 1) {
        const [at, swept] = [row * columns + column, sweptAt(column, columns, passed)];
        if (swept === "white") this.#shades[at] |= WHITE;
        if (swept === "gone") this.#things[at] = 0;
      }
    }
  }

  /** Shades each landing place: the better a candidate, the stronger. */
  #heated(board) {
    const heat = new Uint16Array(board.columns * board.rows);
    const candidates = this.#explained?.placements ?? [];
    const values = candidates.map((one) => one.value).filter((value) => value > -1e9);
    if (!values.length) return heat;
    const [worst, best] = [Math.min(...values), Math.max(...values)];
    for (const one of candidates) {
      const share = best > worst ? (Math.max(one.value, worst) - worst) / (best - worst) : 1;
      for (const [column, row] of one.cells) {
        const at = placeOf(board, { column, row });
        if (at >= 0) heat[at] = SHADES * (1 - (1 - heat[at] / SHADES) * (0.92 - 0.32 * share)); // one shade over another
      }
    }
    return heat;
  }

  #drawNext(cells) {
    const shown = cells.map((one) => [one.column, one.row, one.kind, one.joins]).join();
    if (shown === this.#drawnNext) return;
    const size = sharpen(this.#next, NEXT_CELLS, 3);
    if (!size) return;
    this.#drawnNext = shown;
    const pen = this.#next.getContext("2d");
    pen.clearRect(0, 0, this.#next.width, this.#next.height);
    if (!cells.length) return;
    this.#next.setAttribute("aria-label", `next ${looksOf(this.family).piece}: ${cells.map((one) => kindOf(this.family, one.kind)?.name).join(", ")}`);
    const columns = cells.map((one) => one.column);
    const rows = cells.map((one) => one.row);
    const dx = (NEXT_CELLS - 1 - Math.min(...columns) - Math.max(...columns)) / 2;
    const dy = (2 - Math.min(...rows) - Math.max(...rows)) / 2;
    const colours = coloursOf(this.#next);
    for (const one of cells) paintCell(pen, size, (one.column + dx) * size, (one.row + dy) * size, this.family, one.kind, one.joins, colours);
  }

  #write(figures) {
    const shown = Object.keys(this.#figures).map((name) => figures[name]).join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const [name, element] of Object.entries(this.#figures)) {
      const text = figures[name]?.toLocaleString("en") ?? "–";
      if (element.textContent !== text) element.textContent = text;
    }
  }
}

/** Returns the number of a place on the board; -1 outside of it. */
function placeOf({ columns, rows }, { column, row }) {
  return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : -1;
}
