// What a wall of bots is to be: a game, and one click, or the weights and the strength of each board. Knows no board.

import { byId, make } from "./dom.js";

const MOST = 16;
const FULL = "full"; // the bot of presets: it can play with all weights

export class WallForm {
  #offers = null;
  #entrants = [];

  /** `onStart` gets the wall that the person wants. */
  constructor(net, onStart) {
    this.net = net;
    this.onStart = onStart;
    byId("wall-game").addEventListener("change", () => this.#choose());
    byId("wall-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start(this.#seats, !byId("wall-meet").checked, byId("wall-same").checked);
    });
    byId("wall-same-bot").addEventListener("click", () => this.#start(Array(MOST).fill(this.#seat(this.#usual)), true, false));
    byId("wall-shipped").addEventListener("click", () => this.#start(this.#of("shipped", "own").map(this.#seat), true, true));
    byId("wall-runs").addEventListener("click", () => this.#start(this.#of("run").map(this.#seat), true, true));
    byId("wall-tournament").addEventListener("click", () => this.#start(this.#of("shipped", "own", "run").map(this.#seat), false, true));
  }

  offer(offers) {
    this.#offers = offers;
    byId("wall-game").replaceChildren(...offers.games.map(({ id, title }) => make("option", { value: id }, title)));
    this.net.addEventListener("entrants", ({ detail }) => {
      if (JSON.stringify(detail.entrants) === JSON.stringify(this.#entrants)) return; // what is chosen stays
      this.#entrants = detail.entrants;
      this.#choose();
    });
  }

  /** The panel is shown: whose weights there are is asked anew. */
  open() {
    this.net.say({ type: "entrants" });
  }

  /** Returns the game of an id. */
  gameOf(id) {
    return this.#offers.games.find((game) => game.id === id);
  }

  get #own() {
    const { family } = this.gameOf(byId("wall-game").value);
    return this.#entrants.filter((one) => one.family === family);
  }

  #of(...kinds) {
    return this.#own.filter(({ kind }) => kinds.includes(kind)).slice(0, MOST);
  }

  /** The weights of the family's own play. */
  get #usual() {
    return this.#own.find(({ usual }) => usual);
  }

  #seat = ({ id }) => ({ entrant: id, bot: FULL });

  get #seats() {
    return [...byId("wall-seats").children].flatMap((row) => {
      const [entrant, bot] = [...row.querySelectorAll("select")].map((select) => select.value);
      return entrant ? [{ entrant, bot }] : [];
    });
  }

  #choose() {
    const ids = this.#own.map(({ id, title, kind }) => make("option", { value: id }, kind === "run" ? `${title} (training)` : title));
    const rows = Array.from({ length: MOST }, (_, place) => {
      const whose = make("select", { "aria-label": `Board ${place + 1}: weights` }, make("option", { value: "" }, "nobody"), ...ids.map((option) => option.cloneNode(true)));
      const bot = make("select", { "aria-label": `Board ${place + 1}: how hard it thinks` }, ...this.#offers.bots.map(({ id, title }) => make("option", { value: id }, title)));
      whose.value = this.#own[place]?.id ?? "";
      bot.value = FULL;
      return make("div", { className: "seat" }, `${place + 1}`, whose, bot);
    });
    byId("wall-seats").replaceChildren(...rows);
    const [shipped, runs] = [this.#of("shipped", "own").length, this.#of("run").length];
    byId("wall-shipped").disabled = !shipped;
    byId("wall-same-bot").disabled = !this.#usual;
    byId("wall-go").disabled = !this.#own.length;
    byId("wall-tournament").disabled = this.#own.length < 2;
    byId("wall-runs").disabled = !runs;
    byId("wall-runs-words").textContent = runs ? `${runs} trained: the best individual of each` : "No training of this game yet: train a bot first";
    byId("wall-shipped-words").textContent = `${shipped} sets, on the same pieces`;
  }

  #start(seats, alone, same) {
    if (!seats.length) return;
    const seed = byId("wall-seed").value;
    this.onStart({
      game: byId("wall-game").value, seats, alone, same,
      pieces: Number(byId("wall-pieces").value), pace: Number(byId("wall-pace").value),
      ...(seed ? { seed: Number(seed) } : {}),
    });
  }
}
