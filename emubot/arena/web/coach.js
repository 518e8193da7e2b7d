// The coach: the better placement on a person's board, and a mark for each lock with its reason. Judges nothing.

import { byId, make } from "./dom.js";
import { change, settings } from "./settings.js";

const SHOWN = 2500; // milliseconds for which a mark and the better placement stay
const SIGNS = { best: "★", good: "✓", slip: "?!", blunder: "??" };

export class Coach {
  #sides = new Map(); // side -> {ahead, mark, since, count}: of the piece in the air, of the last lock
  #boards = []; // {view, title} of each side
  #isThere = false;

  constructor(net) {
    this.net = net;
    const select = byId("coach");
    select.value = settings.coach;
    select.addEventListener("change", () => {
      change("coach", select.value);
      select.blur(); // the keys are the game's
      this.ask();
    });
  }

  /** Other boards are shown; `isThere`: somebody plays here who may have a coach. */
  use(views, titles, isThere) {
    this.#boards = views.map((view, index) => ({ view, title: titles[index] }));
    this.#isThere = isThere;
    this.forget();
  }

  /** Another game begins. */
  forget() {
    this.#sides.clear();
    byId("play").classList.toggle("coached", this.#isThere && settings.coach !== "off"); // there is room for a line
    byId("coach-words").replaceChildren();
    for (const { view } of this.#boards) view.showBetter([]);
  }

  /** Asks for what the person wants to see, or for nothing any more. */
  ask() {
    this.forget();
    this.net.say({ type: "coach", shows: settings.coach });
  }

  /** A game of people begins: what they wanted before, they want again. */
  begin() {
    if (settings.coach === "off") this.forget();
    else this.ask();
  }

  /** Where the bot would put a piece. */
  onAhead(words) {
    this.#of(words.side).ahead = words;
  }

  /** How good a placement was. */
  onMark(words) {
    const { view, title } = this.#boards[words.side] ?? {};
    if (!view || settings.coach === "off") return;
    const side = this.#of(words.side);
    Object.assign(side, { mark: words, since: performance.now(), count: undefined });
    view.mark(words.locked, SIGNS[words.mark], words.mark, SHOWN);
    const why = words.why ? `: ${words.why}. Better: ${words.better}` : "";
    const line = make("p", { className: "keys" }, make("strong", { className: `mark ${words.mark}` }, `${SIGNS[words.mark]} ${words.mark}`), `${why}. `, make("span", { className: "tally" }, tallyOf(words)));
    if (this.#people > 1) line.prepend(`${title}: `);
    side.line = line;
    byId("coach-words").replaceChildren(...[...this.#sides.keys()].sort().flatMap((number) => this.#sides.get(number).line ?? []));
  }

  /** Shows the better placement on a board, while it fits what the board shows. */
  show(side, board) {
    const { view } = this.#boards[side] ?? {};
    if (!view || !this.#sides.has(side)) return;
    const known = this.#of(side);
    view.showBetter(settings.coach === "before" ? aheadOf(known, board) : afterOf(known, board));
  }

  /** The marks of a side so far, in words; nothing without any. */
  tally(side) {
    const mark = this.#sides.get(side)?.mark;
    return mark ? tallyOf(mark) : "";
  }

  get #people() {
    return this.#boards.filter(({ view }) => view.isPerson).length;
  }

  #of(side) {
    if (!this.#sides.has(side)) this.#sides.set(side, { ahead: null, mark: null, since: 0, count: undefined });
    return this.#sides.get(side);
  }
}

function aheadOf({ ahead }, board) {
  return ahead && board.inControl && ahead.piece === board.pieces ? cellsOf(ahead) : [];
}

/** What cleared since has moved what the better placement was to lie on. */
function afterOf(known, board) {
  const { mark, since } = known;
  if (!mark || mark.mark === "best" || mark.piece !== board.pieces - 1 || performance.now() - since > SHOWN) return [];
  known.count ??= board.count;
  return known.count === board.count ? cellsOf(mark) : [];
}

function cellsOf({ cells }) {
  return cells.map(([column, row, kind]) => ({ column, row, kind }));
}

function tallyOf({ marks, accuracy }) {
  const counts = Object.entries(marks).filter(([, count]) => count).map(([mark, count]) => `${mark} ${count}`);
  return `Accuracy ${Math.round(100 * accuracy)} %: ${counts.join(", ")}`;
}
