// Draws an emulator's own picture. Knows no board.

import { byId, make } from "./dom.js";

let canvases = [];
const COLOURS = new Uint32Array(65536); // RGB565 to the canvas's bytes, alpha 255
for (let value = 0; value < COLOURS.length; value += 1) {
  const red = ((value >> 11) * 527 + 23) >> 6;
  const green = (((value >> 5) & 63) * 259 + 33) >> 6;
  const blue = ((value & 31) * 527 + 23) >> 6;
  COLOURS[value] = (255 << 24) | (blue << 16) | (green << 8) | red;
}

export function clearPictures() {
  canvases = [];
  byId("play").classList.remove("pictured");
  byId("pictures").replaceChildren();
}

export function drawPicture({ number, width, height, pixels }) {
  if (!canvases[number]) {
    canvases[number] = make("canvas", { role: "img", "aria-label": "the emulator's picture" });
    byId("pictures").append(canvases[number]);
    byId("play").classList.add("pictured");
  }
  const canvas = canvases[number];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const image = new ImageData(width, height);
  const out = new Uint32Array(image.data.buffer);
  for (let at = 0; at < out.length; at += 1) out[at] = COLOURS[pixels[2 * at] | (pixels[2 * at + 1] << 8)];
  canvas.getContext("2d").putImageData(image, 0, 0);
}
