// A wall of bots: up to sixteen boards on one screen, and a table of results that grows. Knows no form.

import { BoardView } from "./board.js";
import { byId, make, showScreen, write } from "./dom.js";
import { Leaving } from "./leaving.js";
import { looksOf, many, pieces } from "./looks.js";
import { onNewLook } from "./settings.js";
import { showAlone, showCross } from "./wall_tables.js";
import { STAGE } from "./wire.js";

const GAP = 8; // pixels between two boards
const TEXT = 46; // pixels of the words around a board
const LEAST = 40; // pixels that a board is wide at least

export class WallScreen {
  #wall = null;
  #family = "";
  #names = []; // of each bot of the table
  #views = [];
  #figures = [];
  #frame = null;
  #last = null;
  #told = null;
  #leaving;

  /** `net` sends and tells; `mayOrder` says whether this page may pause it and leave. */
  constructor(net, mayOrder) {
    this.net = net;
    this.mayOrder = mayOrder;
    this.#leaving = new Leaving({ isLost: () => this.isOn && this.mayOrder(), hold: () => {}, release: () => {}, leave: () => this.leave() }, "wall");
    byId("wall-pause").addEventListener("click", () => this.togglePause());
    byId("wall-leave").addEventListener("click", () => this.#leaving.leave());
    addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() === "p" && !event.repeat && !event.ctrlKey && !event.metaKey && this.isOn && !document.querySelector("dialog[open]")) this.togglePause();
    });
    net.addEventListener("standings", ({ detail }) => this.#onStandings(detail));
    net.addEventListener("readiness", ({ detail }) => { if (this.isOn) this.#say(detail.words); });
    net.addEventListener("ended", () => { if (this.isOn) this.#say("The wall has ended: whoever invited you has left it."); });
    onNewLook(() => { for (const view of this.#views) view.refresh(); });
    const above = new ResizeObserver(() => this.#fit());
    for (const element of [document.documentElement, document.querySelector("header"), byId("notice"), byId("wall-bar"), byId("wall-readiness")]) above.observe(element);
    requestAnimationFrame(() => this.#tick());
  }

  /** Whether a wall is what this page shows. */
  get isOn() {
    return this.#wall !== null && !byId("wall").hidden;
  }

  /** Shows a wall that begins: the server's words of it, and its game. */
  open({ wall, titles }, game) {
    this.#wall = wall;
    this.#family = game.family;
    this.#frame = this.#last = this.#told = null;
    const seats = wall.seats.map((seat, index) => ({ ...seat, title: titles[index] }));
    const bots = [...new Map(seats.map((seat) => [`${seat.entrant} ${seat.bot}`, seat])).values()];
    const isTwice = (title) => bots.filter((bot) => bot.title === title).length > 1;
    this.#names = bots.map(({ title, bot }) => (isTwice(title) ? `${title}, ${bot}` : title));
    const count = wall.alone ? seats.length : 16;
    this.#views = Array.from({ length: count }, () => new BoardView("…", game.family, false));
    this.#figures = this.#views.map(() => make("p", { className: "tiny" }));
    this.#views.forEach((view, index) => view.element.append(this.#figures[index]));
    const cells = Array.from({ length: count / this.#together }, (_, cell) =>
      make("div", { className: "cell" }, ...this.#views.slice(cell * this.#together, (cell + 1) * this.#together).map((view) => view.element)));
    byId("wall-boards").replaceChildren(...cells);
    byId("wall-all").classList.toggle("matches", !wall.alone);
    byId("wall-table").replaceChildren();
    byId("wall-words").textContent = wall.alone ? game.title : `${game.title}: tournament`;
    byId("wall-pause").hidden = byId("wall-leave").hidden = !this.mayOrder();
    this.#say("Opening …");
    showScreen("wall");
    if (this.mayOrder()) this.#leaving.enter();
    this.#fit();
    byId("wall-pause").focus();
  }

  onFrame(frame) {
    this.#frame = frame;
  }

  togglePause() {
    if (this.#frame && this.mayOrder()) this.net.say({ type: this.#frame.stage === STAGE.PAUSED ? "resume" : "pause" });
  }

  leave() {
    this.net.say({ type: "leave" });
    this.forget();
    byId("notice").textContent = "";
    byId("tab-wall").focus();
  }

  /** The wall is gone. */
  forget() {
    if (!this.isOn) return;
    this.#wall = null;
    showScreen("start");
  }

  /** How many boards are a game. */
  get #together() {
    return this.#wall.alone ? 1 : 2;
  }

  #say(words) {
    byId("wall-readiness").textContent = words;
    byId("wall-readiness").hidden = !words;
  }

  #onStandings(told) {
    if (!this.isOn) return;
    this.#told = told;
    this.#say("");
    write("wall-rate", told.rate === null ? "" : `${told.rate.toLocaleString("en", { maximumFractionDigits: told.rate < 10 ? 1 : 0 })} × a console's speed`);
    told.boards.forEach(({ ended }, index) => this.#views[index]?.element.classList.toggle("ended", ended));
    this.#name();
    const seeds = `seed ${Math.min(...told.boards.map((board) => board.seed))} and on`;
    if (this.#wall.alone) showAlone(byId("wall-table"), this.#names, told.rows, this.#family, this.#wall.same ? `All get the same pieces, game by game: ${seeds}` : `Each board gets its own pieces: ${seeds}`);
    else showCross(byId("wall-table"), this.#names, told.rows, told.cross, "Who has won of how many against whom; each pair gets the same pieces, match by match");
  }

  /** Writes who plays on each board; the one that is ahead has a star. */
  #name() {
    const reached = this.#frame?.boards.map((board) => board.score ?? board.count) ?? [];
    const most = Math.max(0, ...reached);
    const leader = this.#wall.alone && most > 0 ? reached.indexOf(most) : -1;
    this.#told?.boards.forEach(({ entrant }, index) => {
      const view = this.#views[index];
      if (!view) return;
      const title = `${index === leader ? "★ " : ""}${this.#names[entrant]}`;
      const heading = view.element.querySelector("h3");
      if (heading.textContent !== title) {
        view.rename(`Board ${index + 1}: ${this.#names[entrant]}${index === leader ? ", ahead" : ""}`);
        heading.textContent = title;
      }
      view.element.classList.toggle("leads", index === leader);
    });
  }

  #tick() {
    requestAnimationFrame(() => this.#tick());
    const frame = this.#frame;
    if (!frame || frame === this.#last || !this.isOn) return;
    const isFirst = this.#last === null;
    this.#last = frame;
    frame.boards.forEach((board, index) => {
      this.#views[index]?.draw(board);
      if (this.#figures[index]) this.#write(this.#figures[index], board, this.#told?.boards[index]?.ended);
    });
    write("wall-pause", frame.stage === STAGE.PAUSED ? "Go on" : "Pause");
    if (isFirst) this.#fit();
    this.#name();
  }

  #write(element, board, ended) {
    const { count } = looksOf(this.#family);
    const sum = count.longest ? [] : [many(board.count, count.noun)];
    const points = board.score === null ? [many(board.count, count.noun)] : [board.score.toLocaleString("en"), ...sum];
    const text = `${points.join(" · ")}\n${ended ? "ended · " : ""}${pieces(this.#family, board.pieces)}`;
    if (element.textContent !== text) element.textContent = text;
  }

  /** Makes the boards as large as the screen lets them be without scrolling. */
  #fit() {
    if (!this.isOn) return;
    const stage = byId("wall-boards");
    const [board] = this.#frame?.boards ?? [];
    const ratio = board ? board.columns / board.rows : 0.5;
    const [width, height] = [stage.clientWidth, innerHeight - stage.getBoundingClientRect().top - scrollY - GAP];
    const cells = this.#views.length / this.#together;
    let [across, wide] = [1, 0];
    for (let columns = 1; columns <= cells; columns += 1) {
      const rows = Math.ceil(cells / columns);
      const most = Math.min((width - GAP * columns * this.#together) / columns / this.#together, ((height - GAP * rows) / rows - TEXT) * ratio);
      if (most > wide) [across, wide] = [columns, most];
    }
    stage.style.setProperty("--across", across);
    stage.style.setProperty("--wide", `${Math.floor(Math.max(LEAST, wide))}px`);
  }
}
