// Places where a piece goes: one outline around all cells of a place, drawn cell by cell. Knows no board.

import { tonesOf } from "./cells.js";
import { kindOf, looksOf } from "./looks.js";

export const [PLAN, AIM, SHADOW] = [0, 1, 2]; // dashed; solid; thin, and lightly filled
// The neighbours of a cell, clockwise from the upper left one: those at odd places have a side in common with it.
const AROUND = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];
const CODES = 1 << 18; // of a cell's place in one outline: its style, its kind, which neighbours are in it

const numbers = new Map(); // code, after the number of those below it -> number
const lists = [[]]; // number -> codes, the lowest first

/**
 * Lays an outline over those that are there: `ghosts` has a number for each cell of the board, 0 for none.
 * Cells of different kinds are one outline.
 */
export function layGhost(ghosts, board, cells, style) {
  for (const { column, row, kind } of cells) {
    if (row < 0 || row >= board.rows || column < 0 || column >= board.columns) continue;
    const around = AROUND.reduce((bits, [dx, dy], place) =>
      bits | (cells.some((one) => one.column === column + dx && one.row === row + dy) << place), 0);
    const at = row * board.columns + column;
    ghosts[at] = numberOf(ghosts[at], (style << 16) | (kind << 8) | around);
  }
}

function numberOf(below, code) {
  const key = below * CODES + code;
  let number = numbers.get(key);
  if (number === undefined) {
    number = lists.push([...lists[below], code]) - 1;
    numbers.set(key, number);
  }
  return number;
}

/** Paints a cell of the outlines with this number. */
export function paintGhosts(pen, size, family, number, colours) {
  const { relief } = looksOf(family);
  for (const code of lists[number]) {
    const [style, around] = [code >> 16, code & 0xff];
    const kind = (code >> 8) & 0xff;
    const isDisk = kindOf(family, kind)?.shape === "disk";
    const colour = tonesOf(family, kind, colours.scheme)?.[0] ?? colours.grey;
    const radius = isDisk ? 0.42 * size : relief.corner * size;
    if (style === SHADOW) {
      pen.globalAlpha = relief.fill;
      pen.fillStyle = colour;
      pen.beginPath();
      pen.roundRect(0, 0, size, size, [7, 1, 3, 5].map((place) => ((around >> place) | (around >> ((place + 2) & 7))) & 1 ? 0 : radius));
      pen.fill();
      pen.globalAlpha = 1;
    }
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(style === SHADOW ? 1 : 1.5, size * relief.ghost * (style === SHADOW ? 0.5 : 1));
    const dash = size * relief.dash;
    pen.setLineDash(style === PLAN ? [dash, dash] : []);
    pen.lineDashOffset = dash / 2; // half a dash at each border: the next cell has the other half
    strokeSides(pen, size, around, pen.lineWidth / 2, radius);
    pen.setLineDash([]);
  }
}

/** Strokes the sides of a cell that have no neighbour in the outline, round where two of them meet. */
function strokeSides(pen, size, around, inset, radius) {
  const corners = [[inset, inset], [size - inset, inset], [size - inset, size - inset], [inset, size - inset]];
  const has = (place) => (around >> (place & 7)) & 1;
  pen.beginPath();
  for (let side = 0; side < 4; side += 1) { // above, right, below, left
    const [place, next] = [2 * side + 1, 2 * side + 3];
    const corner = corners[(side + 1) & 3];
    const [ahead, back] = [AROUND[next & 7], AROUND[(next + 4) & 7]];
    if (!has(place)) {
      pen.moveTo(...(has(place - 2) ? atBorder(corners[side], back, size) : moved(corners[side], ahead, radius)));
      pen.lineTo(...(has(next) ? atBorder(corner, ahead, size) : moved(corner, back, radius)));
      if (!has(next)) pen.arcTo(...corner, ...moved(corner, AROUND[(place + 4) & 7], radius), radius);
    } else if (has(next) && !has(place + 1)) { // the outline turns inwards
      pen.moveTo(...atBorder(corner, AROUND[place], size));
      pen.lineTo(...corner);
      pen.lineTo(...atBorder(corner, ahead, size));
    }
  }
  pen.stroke();
}

function moved([x, y], [dx, dy], by) {
  return [x + dx * by, y + dy * by];
}

/** Returns a corner moved to the border of its cell in this direction. */
function atBorder([x, y], [dx, dy], size) {
  return [dx ? (dx > 0 ? size : 0) : x, dy ? (dy > 0 ? size : 0) : y];
}
