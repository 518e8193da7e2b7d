// Draws a grid of cells on a canvas: what a cell shows is painted once and kept, and of a new picture only the cells that
// changed are drawn. Knows no board and no figures.

import { paintCell, paintGlow } from "./cells.js";
import { paintGhosts } from "./ghosts.js";
import { kindOf } from "./looks.js";

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
   * Draws these cells. `things` has the kind of each cell, and from bit 8 on the sides on which it is joined; `ghosts`
   * the number of the outlines over it (ghosts.js); `shades` how it is shaded.
   */
  draw(columns, rows, things, ghosts, shades) {
    if (this.#columns !== columns || this.#rows !== rows || !this.#cell) this.#fit(columns, rows);
    if (!this.#cell) return; // it is on no screen
    for (let at = 0; at < things.length; at += 1) {
      const shown = things[at] + shades[at] * 0x1000 + ghosts[at] * 0x1000000;
      if (shown === this.#drawn[at]) continue;
      this.#drawn[at] = shown;
      this.#pen.drawImage(this.#picture(shown, things[at], ghosts[at], shades[at]), (at % columns) * this.#cell, Math.floor(at / columns) * this.#cell);
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

  #picture(shown, thing, ghost, shade) {
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
    if (ghost) paintGhosts(pen, size, this.#family, ghost, this.#colours);
    const kind = thing & 0xff;
    if (kind) paintCell(pen, size, 0, 0, this.#family, kind, thing >> 8, this.#colours);
    if (shade & GLOW) paintGlow(pen, size, kindOf(this.#family, kind)?.shape === "disk");
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
