// The start screen: a form made from what the server offers. Knows no match; hands the request to who begins it.

import { byId, make } from "./dom.js";
import { learnLooks } from "./looks.js";

const KEPT = "emubot-arena-choice";
const PERSON = "person";

export class Cockpit {
  #offers = null;
  #choice = null;

  constructor(onStart) {
    this.form = byId("start-form");
    byId("second").addEventListener("change", (event) => { this.#choice.two = event.target.checked; this.#show(); });
    byId("mode").addEventListener("change", (event) => { this.#choice.mode = event.target.value; });
    byId("pace").addEventListener("change", (event) => { this.#choice.pace = Number(event.target.value); });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#keep();
      onStart(this.request());
    });
  }

  /** Shows what there is to choose, with the last choice if it is still offered. */
  offer(offers) {
    this.#offers = offers;
    learnLooks(offers.looks);
    const game = offers.games[0].id;
    this.#choice ??= { two: true, mode: "", pace: 1, sides: [{ game, bot: PERSON, rules: {} }, { game, bot: "easy", rules: {} }] };
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
      const isKnown = (side) => offers.games.some((game) => game.id === side.game)
        && (side.bot === PERSON || offers.bots.some((bot) => bot.id === side.bot));
      if (kept?.sides?.length === 2 && kept.sides.every(isKnown)) this.#choice = kept;
    } catch { /* what another program left there */ }
    byId("second").checked = this.#choice.two;
    const modes = [["", "both at once"], ...offers.challenges.map((one) => [one.id, `in turn · ${one.title}`])];
    byId("mode").replaceChildren(...modes.map(([value, text]) => make("option", { value }, text)));
    this.#show();
  }

  /** Learns of games without offering them: for somebody who was invited. */
  know(offers) {
    this.#offers ??= offers;
    learnLooks(offers.looks);
  }

  /** Returns the match as the server takes it. */
  request() {
    const chosen = this.#choice.two ? this.#choice.sides : this.#choice.sides.slice(0, 1);
    const sides = chosen.map(({ game, bot, rules, attack }) => {
      const known = this.#game(game).rules;
      const side = { game, rules: Object.fromEntries(Object.entries(rules).filter(([name]) => name in known)), attack: attack ?? 100 };
      if (bot !== PERSON) side.bot = bot;
      return side;
    });
    if (sides.length === 2 && sides[0].game === sides[1].game) sides[1].rules = { ...sides[0].rules, ...sides[1].rules };
    const request = { sides };
    const persons = sides.filter((side) => !side.bot).length;
    if (this.#choice.mode && sides.length === 2 && persons === 1) request.challenge = this.#choice.mode;
    if (persons === 0) request.pace = this.#choice.pace ?? 1;
    const seed = byId("seed").value.trim();
    if (seed) request.seed = Number(seed);
    return request;
  }

  /** Returns the title of a side, for people; `isMine`: the one at this page plays it, and no other. */
  /** Frames a second of a side's game. */
  rateOf(side) {
    return this.#offers.games.find((game) => game.id === side.game).frame_rate;
  }

  titleOf(side, number, isMine) {
    const game = this.#game(side.game)?.title ?? side.game;
    if (side.bot) return `${this.#offers.bots.find((bot) => bot.id === side.bot)?.title ?? side.bot} bot · ${game}`;
    return `${isMine ? "You" : `Player ${number + 1}`} · ${game}`;
  }

  familyOf(side) {
    return this.#game(side.game)?.family ?? "";
  }

  /** Returns the games of a side: on the second one only those that the first one's game can meet. */
  #gamesOf(index) {
    const rate = this.#game(this.#choice.sides[0].game).frame_rate;
    return this.#offers.games.filter((game) => index === 0 || game.frame_rate === rate);
  }

  #game(id) {
    return this.#offers.games.find((game) => game.id === id);
  }

  #keep() {
    localStorage.setItem(KEPT, JSON.stringify(this.#choice));
  }

  #show() {
    const count = this.#choice.two ? 2 : 1;
    const [first, second] = this.#choice.sides;
    if (!this.#gamesOf(1).some((game) => game.id === second.game)) Object.assign(second, { game: first.game, rules: {} });
    const persons = this.#choice.sides.slice(0, count).filter((side) => side.bot === PERSON).length;
    byId("mode").parentElement.hidden = !(count === 2 && persons === 1);
    byId("pace-label").hidden = persons > 0;
    byId("mode").value = this.#choice.mode ?? "";
    byId("pace").value = String(this.#choice.pace ?? 1);
    byId("sides").replaceChildren(...this.#choice.sides.slice(0, count).map((side, index) => this.#side(side, index)));
  }

  #side(side, index) {
    const legend = make("legend", {}, this.#choice.two ? `Side ${index + 1}` : "Player");
    const players = [[PERSON, "A person"], ...this.#offers.bots.map((bot) => [bot.id, `Bot: ${bot.title}`])];
    const about = this.#offers.bots.find((bot) => bot.id === side.bot)?.about ?? "";
    const games = this.#gamesOf(index).map((game) => [game.id, game.title]);
    const fields = [
      this.#select(`player-${index}`, "Player", players, side.bot, (value) => { side.bot = value; this.#show(); byId(`player-${index}`).focus(); }),
      make("p", { className: "about" }, about),
      this.#select(`game-${index}`, "Game", games, side.game, (value) => { side.game = value; side.rules = {}; this.#show(); }),
    ];
    for (const [name, rule] of Object.entries(this.#game(side.game).rules)) {
      const numbers = [];
      for (let number = rule.low; number <= rule.high; number += 1) numbers.push([number, rule.names[number] ?? String(number)]);
      const label = name[0].toUpperCase() + name.slice(1);
      fields.push(this.#select(`rule-${index}-${name}`, label, numbers, side.rules[name] ?? rule.default, (value) => { side.rules[name] = Number(value); }));
    }
    if (this.#choice.two) {
      const shares = [100, 75, 50, 25].map((share) => [share, share === 100 ? "full strength" : `${share} %`]);
      fields.push(this.#select(`attack-${index}`, "Attacks", shares, side.attack ?? 100, (value) => { side.attack = Number(value); }));
    }
    return make("fieldset", {}, legend, ...fields);
  }

  #select(id, label, choices, chosen, onChange) {
    const select = make("select", { id }, ...choices.map(([value, text]) => make("option", { value: String(value) }, text)));
    select.value = String(chosen);
    select.addEventListener("change", () => onChange(select.value));
    return make("p", { className: "field-row" }, make("label", { for: id }, label), select);
  }
}
