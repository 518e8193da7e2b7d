// The first screen: a bot that plays behind cards, each a game at one click or key. Knows no match screen.

import { BoardView } from "./board.js";
import { byId } from "./dom.js";

const SOON = 300; // milliseconds in which a page that is loaded again may get its match back
const [OFF, ON, ENDING] = [0, 1, 2];

export class Home {
  #offers = null;
  #view = null;
  #demo = OFF;

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

  /** Takes what can be played; soon a bot plays. */
  offer(offers) {
    this.#offers = offers;
    setTimeout(() => this.begin(), SOON);
  }

  /** Whether what the server tells now is of the game behind the cards. */
  get isOn() {
    return this.#demo !== OFF;
  }

  /** Lets a bot play, where the first screen is shown and motion is no trouble. */
  begin() {
    if (this.isOn || !this.#offers || !this.#isSeen || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.#demo = ON;
    const [game] = this.#offers.games;
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
    return { sides: [this.#side(0)] };
  }

  get #duel() {
    return { sides: [this.#side(0), this.#side(0, "easy")] };
  }

  /** Two bots, on two games that can meet. */
  get #show() {
    const [first, ...others] = this.#offers.games;
    const other = others.findIndex((game) => game.family !== first.family && game.frame_rate === first.frame_rate);
    return { sides: [this.#side(0, "full"), this.#side(other + 1, "full")] };
  }

  #side(number, bot) {
    return { game: this.#offers.games[number].id, rules: {}, attack: 100, ...(bot ? { bot } : {}) };
  }
}
