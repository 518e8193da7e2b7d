// How the cells of each family look: shape, colour and mark by kind. Knows no canvas and no frame.

// Each colour has a mark of its own, so that nobody needs to tell colours apart.
const BLOCKS = [null, look("blue", "dot"), look("orange", "bar"), look("violet", "ring"), look("dark", ""), look("grey", ""), null];
const PAIRS = [
  null, look("red", "dot"), look("green", "cross"), look("blue", "bar"), look("yellow", "ring"), look("violet", "corner"),
  look("orange", "wave"), look("grey", ""), look("flash", ""), look("white", "dot"), look("white", "ring"),
];
const MATCHING = [
  null, look("red", "dot"), look("yellow", "bar"), look("blue", "ring"), look("green", "cross"), look("violet", "corner"),
  look("orange", "wave"), look("grey", ""), look("flash", ""), null, null, look("red", "cross"), look("yellow", "corner"),
  look("blue", "wave"), look("green", "dot"), look("violet", "bar"), look("orange", "ring"), // the targets
];
const FAMILIES = {
  tetris: { shape: "square", kinds: BLOCKS, falls: "whole", count: "lines" },
  puyo: { shape: "round", kinds: PAIRS, falls: "apart", count: "chain" },
  matching: { shape: "square", kinds: MATCHING, falls: "whole", count: "chain" },
};
const OTHER = { shape: "square", kinds: PAIRS, falls: "whole", count: "count" };

function look(colour, mark) {
  return { colour, mark };
}

export function looksOf(family) {
  return FAMILIES[family] ?? OTHER;
}

/** Returns a number with its noun. */
export function many(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns what a game's count says at its end, or so far: all lines, or the longest chain. */
export function counted(family, count) {
  if (looksOf(family).count === "chain") return `longest chain ${count.toLocaleString("en")}`;
  return many(count, looksOf(family).count.replace(/s$/, ""));
}

/** Returns the cells on which the piece in the air comes to rest if nobody moves it any more. */
export function shadowOf(board, family) {
  if (!board.inControl || board.air.length === 0) return [];
  const isFree = (column, row) =>
    row < board.rows && (row < 0 || board.cells[row * board.columns + column] === 0);
  if (looksOf(family).falls === "whole") {
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
