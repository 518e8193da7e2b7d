// The tables of a wall: each bot's games, or who has beaten whom. Knows no board.

import { make } from "./dom.js";
import { looksOf } from "./looks.js";

const known = new WeakMap(); // table -> what it shows

/** Shows the games of each bot: `rows` are in their order. */
export function showAlone(table, names, rows, family, caption) {
  const { count } = looksOf(family);
  const figure = count.longest ? `longest ${count.noun}` : `${count.noun}s`;
  const head = ["bot", "games", "mean score", "± 95 %", "best", figure];
  const body = rows.map((row) => [names[row.entrant], row.games, ...[row.mean, row.half, row.games ? row.best : null].map(whole), row.count === null ? "–" : row.count.toFixed(1)]);
  show(table, caption, head, body);
}

/** Shows who has won how often against whom, row against column. */
export function showCross(table, names, rows, { won, played }, caption) {
  const order = rows.map((row) => row.entrant);
  const head = ["bot", "won", ...order.map((_, place) => String(place + 1))];
  const body = rows.map((row, place) => [
    `${place + 1} ${names[row.entrant]}`, `${row.won} of ${row.played}`,
    ...order.map((other) => (other === row.entrant ? "" : played[row.entrant][other] ? `${won[row.entrant][other]}/${played[row.entrant][other]}` : "–")),
  ]);
  show(table, caption, head, body);
}

function show(table, caption, head, body) {
  const shown = JSON.stringify([caption, head, body]);
  if (known.get(table) === shown && table.rows.length) return;
  known.set(table, shown);
  const rows = body.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((text) => make("td", {}, String(text)))));
  table.replaceChildren(
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...rows),
  );
}

function whole(number) {
  return number === null ? "–" : Math.round(number).toLocaleString("en");
}
