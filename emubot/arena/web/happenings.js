// What happens on a board, from one frame to the next: a lock, rows that clear, groups that burst, garbage. Knows no canvas.

import { looksOf } from "./looks.js";

const NOTHING = { locked: false, rows: [], burst: [], gone: [], chain: 0, announced: false };

/** Looks at one side's frames, in their order. */
export class Happenings {
  #family;
  #last = null;
  #held = null; // {cells, rows, count, since}: the board whose rows are being cleared
  #former = new Uint8Array(0); // of each cell that is about to vanish: what it was

  constructor(family) {
    this.#family = family;
  }

  /** The board whose rows are being cleared, until the next piece comes; null for none. */
  get held() {
    return this.#held;
  }

  /** What the cell was before it began to vanish; 0 if it does not vanish, or nobody saw what it was. */
  formerAt(at) {
    return this.#former[at];
  }

  /** Takes the next frame; returns what has happened since the last one. */
  see(board) {
    const last = this.#last;
    this.#last = board;
    if (!last || last.cells.length !== board.cells.length) {
      this.#held = null;
      this.#former = new Uint8Array(board.cells.length);
      return NOTHING;
    }
    const looks = looksOf(this.#family);
    const rows = looks.clears_rows ? this.#rows(board, last) : [];
    const [burst, gone] = this.#burst(board, last, looks.vanishing ?? []);
    return {
      locked: board.pieces > last.pieces,
      rows,
      burst,
      gone,
      chain: looks.count.longest && board.count > last.count ? board.count : 0,
      announced: board.garbage > last.garbage,
    };
  }

  /** Returns the rows that have just become full: they clear, and a console counts them when they are gone. */
  #rows(board, last) {
    if (board.inControl || board.over) this.#held = null;
    if (this.#held || board.inControl || board.over) return [];
    const rows = fullRows(board);
    if (!rows.length || fullRows(last).length) return [];
    this.#held = { cells: board.cells, rows, count: board.count + rows.length, since: performance.now() };
    return rows;
  }

  /** Returns the places of cells that begin to vanish, and of those that are gone, with what they were. */
  #burst(board, last, vanishing) {
    const [begun, gone] = [[], []];
    for (let at = 0; at < board.cells.length; at += 1) {
      if (!vanishing.includes(board.cells[at])) {
        if (this.#former[at]) gone.push({ at, kind: this.#former[at] });
        this.#former[at] = 0;
      } else if (!this.#former[at] && last.cells[at] && !vanishing.includes(last.cells[at])) {
        this.#former[at] = last.cells[at];
        begun.push(at);
      }
    }
    return [begun, gone];
  }
}

function fullRows({ cells, rows, columns }) {
  const full = [];
  for (let row = 0; row < rows; row += 1) if (cells.subarray(row * columns, (row + 1) * columns).every((kind) => kind)) full.push(row);
  return full;
}
