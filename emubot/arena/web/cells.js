// Paints one cell of a piece with light and depth, joined with its neighbours. Knows the looks, no board and no field.

import { kindOf, looksOf } from "./looks.js";
import { settings } from "./settings.js";

export const [LEFT, RIGHT, UP, DOWN] = [1, 2, 4, 8]; // sides on which a cell is joined
const SPREAD = Math.PI / 3; // from the middle of a bridge to where it leaves the disk

/** Returns the tones of a kind on the ground of now: the middle, the lit edge and the dark edge; null if it has none. */
export function tonesOf(family, kind, scheme) {
  return kindOf(family, kind)?.tones?.[scheme] ?? null;
}

/** Paints a cell without its ground. */
export function paintCell(pen, size, x, y, family, kind, joins, colours) {
  const tones = tonesOf(family, kind, colours.scheme);
  if (!tones) return;
  const { relief, bridge, signs } = looksOf(family);
  const { shape, sign } = kindOf(family, kind);
  pen.save();
  pen.translate(x, y);
  if (shape === "disk") paintDisk(pen, size, joins, bridge, tones, relief);
  else if (shape === "facet") paintFacet(pen, size, tones, relief);
  else paintBlock(pen, size, joins, tones, relief, colours.scheme);
  if (settings.marks && sign) paintSign(pen, size, signs[sign], sign === "dot", relief, colours.mark);
  pen.restore();
}

function paintBlock(pen, size, joins, [base, lit, dark], relief, scheme) {
  const gap = Math.max(1, size * relief.gap);
  const edge = Math.max(1, Math.round(size * relief.edge));
  const [left, top] = [joins & LEFT ? 0 : gap, joins & UP ? 0 : gap];
  const [right, bottom] = [joins & RIGHT ? size : size - gap, joins & DOWN ? size : size - gap];
  const corner = (sides) => (joins & sides ? 0 : size * relief.corner);
  pen.save();
  pen.beginPath();
  pen.roundRect(left, top, right - left, bottom - top, [corner(LEFT | UP), corner(RIGHT | UP), corner(RIGHT | DOWN), corner(LEFT | DOWN)]);
  pen.clip();
  pen.fillStyle = base;
  pen.fillRect(0, 0, size, size);
  pen.fillStyle = lit;
  if (!(joins & UP)) pen.fillRect(0, top, size, edge);
  pen.fillStyle = dark;
  if (!(joins & DOWN)) pen.fillRect(0, bottom - edge, size, edge);
  pen.restore();
  if (joins) outlineBody(pen, [left, top, right, bottom], joins, size * relief.outline, scheme === "dark" ? lit : dark);
}

/** A piece in one body has a line around it. */
function outlineBody(pen, [left, top, right, bottom], joins, width, colour) {
  const inset = width / 2;
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.lineCap = "square";
  pen.beginPath();
  if (!(joins & UP)) line(pen, left + inset, top + inset, right - inset, top + inset);
  if (!(joins & DOWN)) line(pen, left + inset, bottom - inset, right - inset, bottom - inset);
  if (!(joins & LEFT)) line(pen, left + inset, top + inset, left + inset, bottom - inset);
  if (!(joins & RIGHT)) line(pen, right - inset, top + inset, right - inset, bottom - inset);
  pen.stroke();
  pen.lineCap = "butt";
}

function paintDisk(pen, size, joins, bridge, [base, lit, dark], relief) {
  const [middle, radius] = [size / 2, size / 2 - Math.max(1, size * relief.gap)];
  pen.save();
  pen.beginPath();
  pen.arc(middle, middle, radius, 0, 2 * Math.PI);
  [RIGHT, DOWN, LEFT, UP].forEach((side, turns) => {
    if (joins & side) addBridge(pen, middle, radius, bridge, turns * Math.PI / 2);
  });
  pen.clip("nonzero");
  pen.fillStyle = base;
  pen.fillRect(0, 0, size, size);
  const glow = pen.createRadialGradient(0.36 * size, 0.3 * size, 0, 0.36 * size, 0.3 * size, 0.42 * size);
  glow.addColorStop(0, lit);
  glow.addColorStop(1, `${base}00`);
  pen.fillStyle = glow;
  pen.fillRect(0, 0, size, size);
  if (!(joins & DOWN)) { // below a bridge there is no edge
    const shadow = pen.createLinearGradient(0, size * (1 - 2 * relief.edge), 0, size);
    shadow.addColorStop(0, `${dark}00`);
    shadow.addColorStop(0.7, dark);
    pen.fillStyle = shadow;
    pen.fillRect(0, 0, size, size);
  }
  pen.restore();
}

/** A bridge from a disk to the border of its cell; one as wide as the disk makes a capsule of two halves. */
function addBridge(pen, middle, radius, bridge, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (along, across) => [middle + along * cos - across * sin, middle + along * sin + across * cos];
  const half = radius * bridge;
  const [from, across] = bridge < 1 ? [radius * Math.cos(SPREAD), radius * Math.sin(SPREAD)] : [0, radius];
  pen.moveTo(...at(from, -across));
  pen.quadraticCurveTo(...at(middle * 0.8, -half), ...at(middle, -half));
  pen.lineTo(...at(middle, half));
  pen.quadraticCurveTo(...at(middle * 0.8, half), ...at(from, across));
  pen.closePath();
}

/** What is to be cleared, and no piece: cut corners, and a dark rim inside. */
function paintFacet(pen, size, [base, lit, dark], relief) {
  const gap = Math.max(1, size * relief.gap);
  pen.save();
  addFacet(pen, size, gap, 2 * relief.corner);
  pen.clip();
  pen.fillStyle = base;
  pen.fillRect(0, 0, size, size);
  pen.fillStyle = lit;
  pen.fillRect(0, 0, size, gap + size * relief.edge);
  pen.fillStyle = dark;
  pen.fillRect(0, size - gap - size * relief.edge, size, size);
  pen.strokeStyle = dark;
  pen.lineWidth = size * relief.outline;
  addFacet(pen, size, gap + size * relief.edge, relief.corner);
  pen.stroke();
  pen.restore();
}

function addFacet(pen, size, gap, share) {
  const [low, high, cut] = [gap, size - gap, size * share];
  pen.beginPath();
  for (const [x, y] of [[low + cut, low], [high - cut, low], [high, low + cut], [high, high - cut], [high - cut, high], [low + cut, high], [low, high - cut], [low, low + cut]]) pen.lineTo(x, y);
  pen.closePath();
}

/** `lines` are those of a sign, or the radius of a circle. */
function paintSign(pen, size, lines, isFilled, relief, colour) {
  const [middle, reach] = [size / 2, size * relief.sign];
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = Math.max(1.5, size * relief.pen);
  pen.beginPath();
  if (typeof lines === "number") pen.arc(middle, middle, reach * lines, 0, 2 * Math.PI);
  else for (const points of lines) points.forEach(([x, y], at) => pen[at ? "lineTo" : "moveTo"](middle + x * reach, middle + y * reach));
  if (isFilled) pen.fill();
  else pen.stroke();
}

/** A cell that is about to vanish keeps its colour and gets a bright rim. */
export function paintGlow(pen, size, isDisk) {
  const rim = Math.max(2, size / 7);
  pen.strokeStyle = "#ffffff";
  pen.lineWidth = rim;
  pen.beginPath();
  if (isDisk) pen.arc(size / 2, size / 2, size / 2 - rim, 0, 2 * Math.PI);
  else pen.roundRect(rim, rim, size - 2 * rim, size - 2 * rim, size / 8);
  pen.stroke();
}

function line(pen, x1, y1, x2, y2) {
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
}
