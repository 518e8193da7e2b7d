// Pictures of training runs: fitness by generation, and weights as what they reward. Knows no server.

import { make } from "./dom.js";

const LEFT = 64;
const BELOW = 28;
const COLOURS = ["--accent", "--second"];

/** Draws every individual's fitness as dots, and mean (dashed) and best (whole line) of each run, in its own colour. */
export function drawHistory(canvas, runs, isLogarithm) {
  const ratio = devicePixelRatio;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  const colour = (name) => getComputedStyle(canvas).getPropertyValue(name);
  pen.clearRect(0, 0, width, height);
  const drawn = runs.filter((run) => run.generations.length);
  canvas.setAttribute("aria-label", drawn.length ? `Fitness by generation of ${drawn.map((run) => run.name).join(" and ")}` : "No generations yet");
  if (!drawn.length) return;
  const scale = isLogarithm ? (value) => Math.sign(value) * Math.log10(1 + Math.abs(value)) : (value) => value;
  const values = drawn.flatMap((run) => run.generations.flatMap((one) => [one.mean, one.best, ...one.fitness])).map(scale);
  const [low, high] = values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
  const count = Math.max(2, ...drawn.map((run) => run.generations.at(-1).generation));
  const x = (generation) => LEFT * ratio + ((generation - 1) / (count - 1)) * (width - (LEFT + 12) * ratio);
  const y = (value) => height - BELOW * ratio - ((scale(value) - low) / (high - low || 1)) * (height - (BELOW + 12) * ratio);
  axes(pen, colour, { low, high, count, isLogarithm, x, width, height, ratio });
  drawn.forEach((run, index) => {
    pen.fillStyle = pen.strokeStyle = colour(COLOURS[index]);
    pen.globalAlpha = 0.25;
    for (const one of run.generations) for (const value of one.fitness) pen.fillRect(x(one.generation) - ratio, y(value) - ratio, 2 * ratio, 2 * ratio);
    pen.globalAlpha = 1;
    for (const [name, dash] of [["mean", [6 * ratio, 4 * ratio]], ["best", []]]) {
      pen.setLineDash(dash);
      pen.lineWidth = 2 * ratio;
      pen.beginPath();
      for (const one of run.generations) pen.lineTo(x(one.generation), y(one[name]));
      pen.stroke();
    }
  });
  pen.setLineDash([]);
}

function axes(pen, colour, { low, high, count, isLogarithm, x, width, height, ratio }) {
  pen.fillStyle = colour("--soft");
  pen.strokeStyle = colour("--line");
  pen.lineWidth = ratio;
  pen.font = `${12 * ratio}px system-ui, sans-serif`;
  pen.textAlign = "right";
  for (let part = 0; part <= 4; part += 1) {
    const value = low + ((high - low) * part) / 4;
    const at = height - BELOW * ratio - (part / 4) * (height - (BELOW + 12) * ratio);
    const shown = isLogarithm ? Math.sign(value) * (10 ** Math.abs(value) - 1) : value;
    pen.beginPath();
    pen.moveTo(LEFT * ratio, at);
    pen.lineTo(width - 12 * ratio, at);
    pen.stroke();
    pen.fillText(shown.toLocaleString("en", { maximumSignificantDigits: 3, notation: "compact" }), (LEFT - 8) * ratio, at + 4 * ratio);
  }
  pen.textAlign = "center";
  for (const generation of new Set([1, Math.round((1 + count) / 2), count])) pen.fillText(String(generation), x(generation), height - 8 * ratio);
}

/** Shows each weight of the latest generation as a bar: to the right what it rewards, to the left what it avoids. */
export function drawWeights(table, runs) {
  const drawn = runs.filter((run) => run.features?.length && run.generations.length);
  table.hidden = !drawn.length;
  if (!drawn.length) return;
  const names = [...new Set(drawn.flatMap((run) => run.features))];
  const head = make("tr", {}, make("th", { scope: "col" }, "feature"), ...drawn.map((run) => make("th", { scope: "col" }, run.name)));
  const rows = names.map((name) => make("tr", {}, make("th", { scope: "row" }, name.replaceAll("_", " ")), ...drawn.map((run, index) => bar(run, name, index))));
  table.replaceChildren(make("caption", {}, "Weights of the favourite: what they reward, and what they avoid"), make("thead", {}, head), make("tbody", {}, ...rows));
}

function bar(run, name, index) {
  const weights = run.generations.at(-1).weights;
  const weight = weights[run.features.indexOf(name)];
  if (weight === undefined) return make("td", {}, "not used");
  const most = Math.max(...weights.map(Math.abs)) || 1;
  const word = weight > 0 ? "rewards" : weight < 0 ? "avoids" : "ignores";
  const stroke = make("span", { className: `weight run-${index} ${word}` });
  stroke.style.setProperty("--share", `${(50 * Math.abs(weight)) / most}%`);
  const number = weight.toLocaleString("en", { maximumSignificantDigits: 3 });
  return make("td", {}, make("span", { className: "weight-line", role: "presentation" }, stroke), ` ${word} (${number})`);
}
