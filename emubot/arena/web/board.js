// Draws one side: playfield, piece, next piece, plans, figures. Decides nothing; knows no server.

import { kindOf, looksOf, shadowOf } from "./looks.js";
import { settings } from "./settings.js";

const NEXT_CELLS = 4;

export class BoardView {
  #canvas;
  #heading;
  #next;
  #figures = {};
  #shown = "";
  #colours = null;
  #drawn = "";
  #explained = null;
  #candidates = [];

  /** `title` is the player's name, `family` that of the game; a person's side has a shadow, a bot's its plan. */
  constructor(title, family, isPerson) {
    this.family = family;
    this.isPerson = isPerson;
    this.element = document.createElement("section");
    this.element.className = "board";
    this.element.setAttribute("aria-label", title);
    const heading = document.createElement("h3");
    this.#heading = heading;
    heading.textContent = title;
    this.#canvas = document.createElement("canvas");
    this.#canvas.className = "field";
    this.#canvas.setAttribute("role", "img");
    this.#next = document.createElement("canvas");
    this.#next.className = "next";
    this.#next.setAttribute("role", "img");
    this.#next.setAttribute("aria-label", `next ${looksOf(family).piece}`);
    const list = document.createElement("dl");
    const { count, level, piece } = looksOf(family);
    const names = { score: "score", count: count.counter, level, pieces: `${piece}s`, garbage: "garbage" };
    for (const [name, text] of Object.entries(names)) {
      const term = document.createElement("dt");
      term.textContent = text;
      const value = document.createElement("dd");
      value.dataset.figure = name;
      list.append(term, value);
      this.#figures[name] = value;
    }
    const aside = document.createElement("div");
    aside.className = "aside";
    aside.append(this.#next, list);
    const body = document.createElement("div");
    body.className = "body";
    body.append(this.#canvas, aside);
    this.element.append(heading, body);
  }

  rename(title) {
    this.#heading.textContent = title;
    this.element.setAttribute("aria-label", title);
  }

  /** Forgets colours and sizes: the theme or the window has changed. */
  refresh() {
    this.#colours = null;
    this.#drawn = "";
  }

  /** Shows the candidates of a decision as shades over the field, and what they are worth beside it; null for none. */
  showCandidates(found) {
    if (found === this.#explained) return;
    this.#explained = found;
    this.#candidates = found?.placements ?? [];
    this.#drawn = "";
  }

  draw(board) {
    this.#write(board);
    const picture = `${board.cells}|${JSON.stringify([board.air, board.next, board.aim, board.plan])}|${board.over}`;
    if (picture === this.#drawn) return;
    this.#drawn = picture;
    this.#colours ??= coloursOf(this.element);
    this.element.style.setProperty("--columns", board.columns);
    this.element.style.setProperty("--rows", board.rows);
    const size = this.#fit(this.#canvas, board.columns, board.rows);
    const pen = this.#canvas.getContext("2d");
    const cell = size / board.columns;
    pen.fillStyle = this.#colours.field;
    pen.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    pen.strokeStyle = this.#colours.grid;
    pen.lineWidth = 1;
    pen.beginPath();
    for (let column = 1; column < board.columns; column += 1) line(pen, column * cell, 0, column * cell, board.rows * cell);
    for (let row = 1; row < board.rows; row += 1) line(pen, 0, row * cell, board.columns * cell, row * cell);
    pen.stroke();
    this.#heat(pen, cell);
    if (settings.plans) {
      for (const one of board.plan) this.#outline(pen, cell, one, [cell / 8, cell / 8]);
      for (const one of board.aim) this.#outline(pen, cell, one, []);
    }
    if (this.isPerson && settings.shadow) for (const one of shadowOf(board, this.family)) this.#outline(pen, cell, one, []);
    for (let at = 0; at < board.cells.length; at += 1) {
      if (board.cells[at]) this.#cell(pen, cell, at % board.columns, Math.floor(at / board.columns), board.cells[at]);
    }
    for (const one of board.air) this.#cell(pen, cell, one.column, one.row, one.kind);
    if (board.over) {
      pen.fillStyle = this.#colours.veil;
      pen.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    }
    this.#canvas.setAttribute("aria-label", `${this.element.getAttribute("aria-label")}: playfield, ${board.rows} rows of ${board.columns}`);
    this.#drawNext(board.next);
  }

  /** Shades each landing place: the better a candidate, the stronger. */
  #heat(pen, size) {
    const values = this.#candidates.map((one) => one.value).filter((value) => value > -1e9);
    if (!values.length) return;
    const [worst, best] = [Math.min(...values), Math.max(...values)];
    for (const one of [...this.#candidates].reverse()) {
      const share = best > worst ? (Math.max(one.value, worst) - worst) / (best - worst) : 1;
      pen.globalAlpha = 0.08 + 0.32 * share;
      pen.fillStyle = this.#colours.heat;
      for (const [column, row] of one.cells) if (row >= 0) pen.fillRect(column * size, row * size, size, size);
    }
    pen.globalAlpha = 1;
  }

  #drawNext(cells) {
    const size = this.#fit(this.#next, NEXT_CELLS, 3);
    const cell = size / NEXT_CELLS;
    const pen = this.#next.getContext("2d");
    pen.clearRect(0, 0, this.#next.width, this.#next.height);
    if (!cells.length) return;
    this.#next.setAttribute("aria-label", `next ${looksOf(this.family).piece}: ${cells.map((one) => kindOf(this.family, one.kind)?.name).join(", ")}`);
    const columns = cells.map((one) => one.column);
    const rows = cells.map((one) => one.row);
    const dx = (NEXT_CELLS - 1 - Math.min(...columns) - Math.max(...columns)) / 2;
    const dy = (2 - Math.min(...rows) - Math.max(...rows)) / 2;
    for (const one of cells) this.#cell(pen, cell, one.column + dx, one.row + dy, one.kind);
  }

  /** Makes a canvas as sharp as the screen and returns its width in its own pixels. */
  #fit(canvas, columns, rows) {
    const box = canvas.clientWidth * devicePixelRatio;
    const cell = Math.max(1, Math.floor(box / columns));
    if (canvas.width !== cell * columns || canvas.height !== cell * rows) {
      canvas.width = cell * columns;
      canvas.height = cell * rows;
    }
    return cell * columns;
  }

  #cell(pen, size, column, row, kind) {
    const look = kindOf(this.family, kind);
    if (!look?.colour || row < 0) return;
    const [x, y, gap] = [column * size, row * size, Math.max(1, size / 24)];
    pen.fillStyle = this.#colourOf(look);
    pen.beginPath();
    if (looksOf(this.family).is_round) pen.arc(x + size / 2, y + size / 2, size / 2 - gap, 0, 2 * Math.PI);
    else pen.roundRect(x + gap, y + gap, size - 2 * gap, size - 2 * gap, size / 8);
    pen.fill();
    if (settings.marks && look.sign) this.#mark(pen, size, x + size / 2, y + size / 2, look.sign);
  }

  #colourOf(look) {
    return (this.#colours.scheme === "light" && look.on_light) || look.colour;
  }

  #mark(pen, size, x, y, mark) {
    const r = size / 5;
    pen.strokeStyle = pen.fillStyle = this.#colours.mark;
    pen.lineWidth = Math.max(1.5, size / 12);
    pen.beginPath();
    if (mark === "dot") pen.arc(x, y, r * 0.7, 0, 2 * Math.PI);
    else if (mark === "ring") pen.arc(x, y, r, 0, 2 * Math.PI);
    else if (mark === "bar") line(pen, x - r, y, x + r, y);
    else if (mark === "cross") { line(pen, x - r, y - r, x + r, y + r); line(pen, x + r, y - r, x - r, y + r); }
    else if (mark === "corner") { pen.moveTo(x - r, y + r); pen.lineTo(x, y - r); pen.lineTo(x + r, y + r); }
    else { line(pen, x, y - r, x, y + r); }
    if (mark === "dot") pen.fill();
    else pen.stroke();
  }

  #outline(pen, size, cell, dashes) {
    if (cell.row < 0) return;
    const look = kindOf(this.family, cell.kind);
    pen.strokeStyle = look?.colour ? this.#colourOf(look) : this.#colours.grey;
    pen.lineWidth = Math.max(1.5, size / 12);
    pen.setLineDash(dashes);
    pen.strokeRect(cell.column * size + pen.lineWidth, cell.row * size + pen.lineWidth, size - 2 * pen.lineWidth, size - 2 * pen.lineWidth);
    pen.setLineDash([]);
  }

  #write(figures) {
    const shown = Object.keys(this.#figures).map((name) => figures[name]).join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const [name, element] of Object.entries(this.#figures)) element.textContent = figures[name]?.toLocaleString("en") ?? "–";
  }
}

function line(pen, x1, y1, x2, y2) {
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
}

function coloursOf(element) {
  const style = getComputedStyle(element);
  const names = ["heat", "field", "grid", "veil", "mark", "grey", "scheme"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--cell-${name}`).trim()]));
}
