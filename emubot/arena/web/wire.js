// The binary messages of a match: frames in, inputs out. The same layout as wire.py; knows no socket and no canvas.

export const PAD = { RIGHT: 0x01, LEFT: 0x02, DOWN: 0x04, UP: 0x08, B: 0x40, A: 0x80 };
export const STAGE = { COUNTDOWN: 0, PLAYING: 1, PAUSED: 2, OVER: 3 };
const FRAME_KIND = 1;
const INPUT_KIND = 2;
const PICTURE_KIND = 3;
const LISTS = ["air", "next", "aim", "plan"];

/** Returns the frame in an ArrayBuffer; throws RangeError if it is cut short, and returns null for another message. */
export function unpackFrame(buffer) {
  const view = new DataView(buffer);
  if (view.getUint8(0) !== FRAME_KIND) return null;
  const frame = { tick: view.getUint32(1, true), stage: view.getUint8(5), left: view.getUint16(6, true), boards: [] };
  const sides = view.getUint8(8);
  let at = 9;
  for (let side = 0; side < sides; side += 1) {
    const flags = view.getUint8(at + 5);
    const board = {
      echo: view.getUint32(at, true),
      pad: view.getUint8(at + 4),
      inControl: (flags & 1) !== 0,
      over: (flags & 2) !== 0,
      turn: (flags & 4) !== 0,
      score: (flags & 8) !== 0 ? null : view.getUint32(at + 6, true), // null: the game has no points
      count: view.getUint16(at + 10, true),
      level: view.getUint8(at + 12),
      garbage: view.getUint16(at + 13, true),
      pieces: view.getUint32(at + 15, true),
      rows: view.getUint8(at + 19),
      columns: view.getUint8(at + 20),
    };
    at += 21;
    board.cells = new Uint8Array(buffer, at, board.rows * board.columns);
    at += board.cells.length;
    board.joins = (flags & 16) === 0 ? null : unpackJoins(new Uint8Array(buffer, at, (board.cells.length + 1) >> 1), board.cells.length);
    at += board.joins ? (board.cells.length + 1) >> 1 : 0;
    for (const name of LISTS) {
      const count = view.getUint8(at);
      at += 1;
      board[name] = [];
      for (let cell = 0; cell < count; cell += 1) {
        board[name].push({ column: view.getInt8(at), row: view.getInt8(at + 1), kind: view.getUint8(at + 2), joins: view.getUint8(at + 3) });
        at += 4;
      }
    }
    frame.boards.push(board);
  }
  return frame;
}

/** Returns the sides on which each cell is joined, of which two are in a byte. */
function unpackJoins(packed, count) {
  return Uint8Array.from({ length: count }, (_, at) => (at & 1 ? packed[at >> 1] >> 4 : packed[at >> 1] & 15));
}

/** Returns the picture in an ArrayBuffer: its number, width, height and pixels as RGB565; null for another message. */
export function unpackPicture(buffer) {
  const view = new DataView(buffer);
  if (view.getUint8(0) !== PICTURE_KIND) return null;
  const [number, width, height] = [view.getUint8(1), view.getUint16(2, true), view.getUint16(4, true)];
  return { number, width, height, pixels: new Uint8Array(buffer, 6, 2 * width * height) };
}

/** Returns the message that a side holds these buttons from now on. */
export function packInput(side, number, pad) {
  const view = new DataView(new ArrayBuffer(7));
  view.setUint8(0, INPUT_KIND);
  view.setUint8(1, side);
  view.setUint32(2, number, true);
  view.setUint8(6, pad);
  return view.buffer;
}
