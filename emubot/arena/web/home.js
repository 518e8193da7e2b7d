// The first screen: a bot that plays behind cards, each a game at one click or key. Knows no match screen.

import { BoardView } from "./board.js";
import { byId, make } from "./dom.js";

const KEPT = "emubot-arena-game";
const SOON = 300; // milliseconds in which a page that is loaded again may get its match back
const [OFF, ON, ENDING] = [0, 1, 2];

export class Home {
  #offers = null;
  #view = null;
  #demo = OFF;
  isAwaited = false; // what a person asked for is on its way from the server

  /** `onStart` begins a match, `onTrain` leads to the trainings, `onDay` begins the game of this day. */
  constructor(net, onStart, onTrain, onDay) {
    this.net = net;
    const acts = { play: () => onStart(this.#alone), beat: () => onStart(this.#duel), watch: () => onStart(this.#show), train: onTrain, day: onDay };
    const cards = Object.entries(acts).map(([name, act]) => ({ card: byId(`card-${name}`), act }));
    for (const { card, act } of cards) card.addEventListener("click", act);
    addEventListener("keydown", (event) => {
      const chosen = cards[Number(event.key) - 1];
      const isFree = !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.("input, select, dialog");
      if (!chosen || event.repeat || !isFree || !this.#isSeen) return;
      event.preventDefault();
      chosen.act();
    });
  }

  /** Takes what can be played; soon a bot plays. The cards are for the game that was chosen last. */
  offer(offers) {
    this.#offers = offers;
    const choice = byId("home-game");
    const kept = localStorage.getItem(KEPT);
    choice.replaceChildren(...offers.games.map((game) => make("option", { value: game.id, selected: game.id === kept }, game.title)));
    choice.addEventListener("change", () => localStorage.setItem(KEPT, choice.value));
    setTimeout(() => this.begin(), SOON);
  }

  /** Whether what the server tells now is of the game behind the cards. */
  get isOn() {
    return this.#demo !== OFF;
  }

  /** Lets a bot play, where the first screen is shown and motion is no trouble. */
  begin() {
    if (this.isOn || this.isAwaited || !this.#offers || !this.#isSeen || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.#demo = ON;
    const game = this.#game;
    this.#view = new BoardView("demo", game.family, false);
    byId("demo").replaceChildren(this.#view.element);
    this.net.say({ type: "start", demo: true, match: { sides: [{ game: game.id, bot: "middle" }] } });
  }

  /** Ends the bot's game: another one is about to begin. */
  end() {
    byId("demo").replaceChildren();
    this.#view = null;
    if (this.#demo !== ON) return;
    this.#demo = ENDING;
    this.net.say({ type: "leave" });
  }

  onFrame(frame) {
    this.#view?.draw(frame.boards[0]);
  }

  onOver() {
    if (this.#demo === ON) this.net.say({ type: "rematch" });
  }

  /** The server plays nothing for this page any more. */
  onLeft() {
    const isBack = this.#demo !== ENDING;
    this.#demo = OFF;
    if (isBack) this.begin();
  }

  /** The bot's game is gone: it failed, was refused, or the connection is lost. */
  forget() {
    this.#demo = OFF;
    this.end();
  }

  get #isSeen() {
    return !byId("start").hidden && !byId("panel-games").hidden;
  }

  get #alone() {
    return { sides: [this.#side(this.#game)] };
  }

  get #duel() {
    return { sides: [this.#side(this.#game), this.#side(this.#game, "easy")] };
  }

  /** Two bots, on two games that can meet. */
  get #show() {
    const first = this.#game;
    const other = this.#offers.games.find((game) => game.family !== first.family && game.frame_rate === first.frame_rate);
    return { sides: [this.#side(first, "full"), this.#side(other ?? first, "full")] };
  }

  get #game() {
    return this.#offers.games.find((game) => game.id === byId("home-game").value);
  }

  #side(game, bot) {
    return { game: game.id, rules: {}, attack: 100, ...(bot ? { bot } : {}) };
  }
}
