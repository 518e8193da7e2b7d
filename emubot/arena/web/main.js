// Joins the parts of the page: connection, start screen, match screen, settings.

import { Cockpit } from "./cockpit.js";
import { byId, showScreen } from "./dom.js";
import { Input } from "./input.js";
import { MatchScreen } from "./match.js";
import { Connection } from "./net.js";
import { setUpPreferences } from "./preferences.js";

const compiling = new Map(); // family -> the last event about its kernels

const net = new Connection((frame) => match.onFrame(frame));
const input = new Input((side, pad, time) => match.onInput(side, pad, time), () => match.togglePause());
const cockpit = new Cockpit((request) => {
  net.say({ type: "start", match: request });
  match.open(request);
});
const match = new MatchScreen(net, input, cockpit);
setUpPreferences();

function notice(text) {
  byId("notice").textContent = text;
}

function showCompiling() {
  const busy = [...compiling.values()].filter((words) => words.event === "compiling");
  byId("compiling").hidden = busy.length === 0;
  if (!busy.length) return;
  const { done, of, job } = busy[0];
  byId("compiling-bar").max = of;
  byId("compiling-bar").value = done;
  const text = `Preparing the bot, first start only: ${job} (${done + 1} of ${of})`;
  byId("compiling-text").textContent = text;
  match.preparing?.(text);
}

const on = (name, act) => net.addEventListener(name, (event) => act(event.detail));
on("welcome", (words) => {
  notice("");
  cockpit.offer(words.offers);
  if (byId("match").hidden) showScreen("start");
});
on("lost", ({ reason, refused }) => {
  showScreen("connecting");
  byId("connecting-title").textContent = refused ? "The arena does not let this page in" : "The connection is lost";
  byId("connecting-text").textContent = refused
    ? `It says: ${reason || "no reason"}. Open the address again that "emubot arena" has printed.`
    : "A running match waits for 30 seconds. The page goes on trying.";
});
on("back", (words) => {
  match.open(words.match);
  if (words.state.event === "over") match.onOver(words.state);
});
on("opened", () => match.begin());
on("over", (words) => match.onOver(words));
on("failed", (words) => (byId("match").hidden ? notice(words.message) : match.fail(words.message)));
on("refused", (words) => {
  notice(words.message);
  if (!match.isPlaying) showScreen("start");
});
for (const name of ["compiling", "ready"]) {
  on(name, (words) => {
    compiling.set(words.family, words);
    showCompiling();
  });
}

globalThis.arena = { match, net }; // for a look from the console
net.open();
