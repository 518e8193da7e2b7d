// The page for a stream: boards, next pieces, figures and the bot's choice over nothing. Orders nothing.

import { BoardView } from "./board.js";
import { byId, make } from "./dom.js";
import { learnLooks } from "./looks.js";
import { Connection } from "./net.js";
import { onNewLook } from "./settings.js";

const WANTED = Number(new URLSearchParams(location.search).get("side") ?? 0); // 1 or 2: this side alone
const CLOCK = 1000; // milliseconds in which a lost connection is not worth a word

let views = [];
let statistics = [];
let frame = null;
let lost = 0;

const net = new Connection((next) => { frame = next; }, () => {});
const on = (name, act) => net.addEventListener(name, (event) => act(event.detail));

/** Shows these sides: [title, family, whether a person plays it] each. */
function show(sides) {
  views = sides.map((side) => new BoardView(...side));
  statistics = views.map((view) => {
    const list = make("dl", { className: "statistics" });
    list.hidden = true;
    view.element.querySelector(".aside").append(list);
    return list;
  });
  const shown = views.filter((_, side) => !WANTED || side === WANTED - 1);
  byId("boards").replaceChildren(...shown.map((view) => view.element));
  byId("boards").dataset.sides = String(shown.length);
  frame = null;
}

function opened(words) {
  if (!words.sides) return;
  learnLooks({ [words.family]: words.looks });
  const bots = words.sides.filter((side) => !side.person).length;
  show(words.sides.map((side, index) => [side.person ? "Person" : `Bot ${bots > 1 ? index + 1 : ""} · ${side.tempo}`, words.family, side.person]));
}

on("welcome", () => {
  clearTimeout(lost);
  byId("notice").textContent = "";
});
on("back", (words) => {
  if (words.match) {
    learnLooks(words.offers.looks);
    const game = (side) => words.offers.games.find((one) => one.id === side.game);
    const title = (side) => (side.bot ? words.offers.bots.find((bot) => bot.id === side.bot)?.title ?? side.bot : "Person");
    show(words.match.sides.map((side) => [title(side), game(side).family, !side.bot]));
  }
  if (words.opened) opened(words.opened);
});
on("opened", opened);
on("statistics", ({ sides }) => {
  sides.forEach((figures, side) => {
    const list = statistics[side];
    if (!list) return;
    list.hidden = Object.keys(figures).length === 0;
    list.replaceChildren(...Object.entries(figures).flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
  });
});
on("lost", ({ refused, reason }) => {
  const text = refused ? `emubot does not let this page in: ${reason || "no reason"}.` : "emubot is not there; this page waits for it.";
  clearTimeout(lost);
  lost = setTimeout(() => { byId("notice").textContent = text; }, refused ? 0 : CLOCK);
});
onNewLook(() => { for (const view of views) view.refresh(); });

function tick() {
  requestAnimationFrame(tick);
  if (!frame) return;
  views.forEach((view, side) => { if (frame.boards[side] && view.element.isConnected) view.draw(frame.boards[side]); });
  frame = null;
}
tick();
net.open();
