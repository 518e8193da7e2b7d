// What a person has reached, on the first page: the day's best score, days in a row, games against each bot. Knows no match.

import { byId, make } from "./dom.js";

const COLUMNS = ["against", "games", "won", "in a row", "longest", "best score"];

export function showResults({ today, title, best, days, rivals }) {
  const row = days > 1 ? ` · ${days} days in a row` : "";
  byId("day-words").textContent = `${today}: ${title.toLowerCase()}, the same for everybody${best === null ? "" : ` · your best: ${count(best)}`}${row}`;
  byId("results").hidden = best === null && !days && !rivals.length;
  byId("results-days").textContent = `Today's pieces: ${best === null ? "not played yet" : `best score ${count(best)}`}${row}.`;
  const head = make("tr", {}, ...COLUMNS.map((text) => make("th", { scope: "col" }, text)));
  const rows = rivals.map((one) => {
    const numbers = [one.games, one.won, one.streak, one.longest, one.best];
    return make("tr", {}, make("th", { scope: "row" }, one.title), ...numbers.map((number) => make("td", {}, number === null ? "–" : count(number))));
  });
  byId("results-table").hidden = !rivals.length;
  byId("results-table").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}

function count(number) {
  return number.toLocaleString("en");
}
