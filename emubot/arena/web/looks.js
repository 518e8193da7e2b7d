// How the cells of each family look, and its words, as the server has told. Knows no canvas and no frame.

import { settings } from "./settings.js";

const families = new Map(); // name -> looks

/** Takes the looks of families by name. */
export function learnLooks(looks) {
  for (const [name, one] of Object.entries(looks)) families.set(name, one);
}

export function looksOf(family) {
  return families.get(family) ?? { kinds: [], piece: "piece", count: { counter: "lines", noun: "line" }, level: "level" };
}

/**
 * Returns how a cell of this kind looks; a kind beyond the last one looks like the last one. A kind of one piece alone
 * has a colour of its own, or the console's.
 */
export function kindOf(family, number) {
  const { kinds, pieces, own } = looksOf(family);
  const piece = pieces?.[number - own];
  if (piece) return settings.ownColours ? piece : kinds[piece.plain];
  return kinds[Math.min(number, kinds.length - 1)];
}

/** Returns a number with its noun. */
export function many(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns a number of pieces, in the family's own word. */
export function pieces(family, count) {
  return many(count, looksOf(family).piece);
}

/** Returns what a game's count says at its end, or so far: the sum, or the longest one. */
export function counted(family, number) {
  const { count } = looksOf(family);
  return count.longest ? `longest ${count.noun} ${number.toLocaleString("en")}` : many(number, count.noun);
}

/** Returns the cells on which the piece in the air comes to rest if nobody moves it any more. */
export function shadowOf(board, family) {
  if (!board.inControl || board.air.length === 0) return [];
  const isFree = (column, row) =>
    row < board.rows && (row < 0 || board.cells[row * board.columns + column] === 0);
  if (!looksOf(family).falls_apart) {
    let by = 0;
    while (board.air.every((cell) => isFree(cell.column, cell.row + by + 1))) by += 1;
    return board.air.map((cell) => ({ ...cell, row: cell.row + by }));
  }
  const resting = [];
  for (const cell of [...board.air].sort((one, other) => other.row - one.row)) {
    const isOpen = (row) => isFree(cell.column, row) && !resting.some((one) => one.column === cell.column && one.row === row);
    let row = cell.row;
    while (isOpen(row + 1)) row += 1;
    resting.push({ ...cell, row });
  }
  return resting;
}
