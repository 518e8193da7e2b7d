// Draws a grid of cells on a canvas: what a cell shows is painted once and kept, and of a new picture only the cells that
// changed are drawn. Knows no board and no figures.

import { kindOf, looksOf } from "./looks.js";
import { settings } from "./settings.js";

export const GLOW = 0x100; // of a shade: the cell is about to vanish
export const WHITE = 0x200; // a cleared row is swept
export const VEIL = 0x400; // the game is over
export const SHADES = 0xff; // how strongly a candidate is shaded, of 255
const MOST_KEPT = 600; // cells of one size and theme, painted; shades of candidates come and go

export class Field {
  #canvas;
  #pen;
  #family;
  #cell = 0; // pixels; 0: not known yet
  #columns = 0;
  #rows = 0;
  #colours = null;
  #kept = new Map(); // what a cell shows -> its picture
  #drawn = new Float64Array(0);

  constructor(canvas, family) {
    this.#canvas = canvas;
    this.#family = family;
    // Boards change in a few cells at a time: that is soonest done without a graphics card, and must be quick without one.
    this.#pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  }

  /** Forgets colours and sizes: the theme, the marks or the window have changed. */
  refresh() {
    this.#cell = 0;
    this.#colours = null;
  }

  /**
   * Draws these cells. `things` has four kinds in a number: of the cell, and of the outlines of a plan (dashed), an aim
   * and a shadow. `shades` has how each cell is shaded.
   */
  draw(columns, rows, things, shades) {
    if (this.#columns !== columns || this.#rows !== rows || !this.#cell) this.#fit(columns, rows);
    if (!this.#cell) return; // it is on no screen
    for (let at = 0; at < things.length; at += 1) {
      const shown = things[at] + shades[at] * 0x100000000;
      if (shown === this.#drawn[at]) continue;
      this.#drawn[at] = shown;
      this.#pen.drawImage(this.#picture(shown, things[at], shades[at]), (at % columns) * this.#cell, Math.floor(at / columns) * this.#cell);
    }
  }

  /** Makes the canvas as sharp as the screen. */
  #fit(columns, rows) {
    this.#cell = sharpen(this.#canvas, columns, rows);
    this.#columns = columns;
    this.#rows = rows;
    this.#colours = coloursOf(this.#canvas);
    this.#kept.clear();
    this.#drawn = new Float64Array(columns * rows).fill(-1);
  }

  #picture(shown, thing, shade) {
    let picture = this.#kept.get(shown);
    if (picture) return picture;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const size = this.#cell;
    picture = Object.assign(document.createElement("canvas"), { width: size, height: size });
    const pen = picture.getContext("2d", { alpha: false, willReadFrequently: true });
    pen.fillStyle = this.#colours.field;
    pen.fillRect(0, 0, size, size);
    pen.fillStyle = this.#colours.grid;
    pen.fillRect(0, size - 1, size, 1);
    pen.fillRect(size - 1, 0, 1, size);
    if (shade & SHADES) {
      pen.globalAlpha = (shade & SHADES) / 255;
      pen.fillStyle = this.#colours.heat;
      pen.fillRect(0, 0, size, size);
      pen.globalAlpha = 1;
    }
    for (const [from, dashes] of [[8, [size / 8, size / 8]], [16, []], [24, []]]) {
      const kind = (thing >>> from) & 0xff;
      if (kind) outline(pen, size, this.#lookColour(kind) || this.#colours.grey, dashes);
    }
    if (thing & 0xff) paintCell(pen, size, 0, 0, this.#family, thing & 0xff, this.#colours);
    if (shade & GLOW) glow(pen, size, looksOf(this.#family).is_round);
    if (shade & WHITE) {
      pen.fillStyle = "#ffffff";
      pen.fillRect(0, 0, size, size);
    }
    if (shade & VEIL) {
      pen.fillStyle = this.#colours.veil;
      pen.fillRect(0, 0, size, size);
    }
    this.#kept.set(shown, picture);
    return picture;
  }

  #lookColour(kind) {
    const look = kindOf(this.#family, kind);
    return look?.colour ? colourOf(look, this.#colours) : "";
  }
}

/** Gives a canvas as many pixels as it covers on the screen, in whole cells, and returns those of a cell; 0 if none. */
export function sharpen(canvas, columns, rows) {
  const box = canvas.clientWidth * devicePixelRatio;
  if (!box) return 0;
  const cell = Math.max(1, Math.floor(box / columns));
  if (canvas.width !== cell * columns || canvas.height !== cell * rows) Object.assign(canvas, { width: cell * columns, height: cell * rows });
  return cell;
}

export function coloursOf(element) {
  const style = getComputedStyle(element);
  const names = ["heat", "field", "grid", "veil", "mark", "grey", "scheme"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--cell-${name}`).trim()]));
}

/** Paints a cell of a piece without its ground. */
export function paintCell(pen, size, x, y, family, kind, colours) {
  const look = kindOf(family, kind);
  if (!look?.colour) return;
  const gap = Math.max(1, size / 24);
  pen.fillStyle = colourOf(look, colours);
  pen.beginPath();
  if (looksOf(family).is_round) pen.arc(x + size / 2, y + size / 2, size / 2 - gap, 0, 2 * Math.PI);
  else pen.roundRect(x + gap, y + gap, size - 2 * gap, size - 2 * gap, size / 8);
  pen.fill();
  if (settings.marks && look.sign) paintMark(pen, size, x + size / 2, y + size / 2, look.sign, colours.mark);
}

function colourOf(look, colours) {
  return (colours.scheme === "light" && look.on_light) || look.colour;
}

function paintMark(pen, size, x, y, mark, colour) {
  const r = size / 5;
  pen.strokeStyle = pen.fillStyle = colour;
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

/** A cell that is about to vanish keeps its colour and gets a bright rim. */
function glow(pen, size, isRound) {
  const rim = Math.max(2, size / 7);
  pen.strokeStyle = "#ffffff";
  pen.lineWidth = rim;
  pen.beginPath();
  if (isRound) pen.arc(size / 2, size / 2, size / 2 - rim, 0, 2 * Math.PI);
  else pen.roundRect(rim, rim, size - 2 * rim, size - 2 * rim, size / 8);
  pen.stroke();
}

function outline(pen, size, colour, dashes) {
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1.5, size / 12);
  pen.setLineDash(dashes);
  pen.strokeRect(pen.lineWidth, pen.lineWidth, size - 2 * pen.lineWidth, size - 2 * pen.lineWidth);
  pen.setLineDash([]);
}

function line(pen, x1, y1, x2, y2) {
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
}
