// Joins the parts of the page: connection, start screen, match screen, settings.

import { Cockpit } from "./cockpit.js";
import { byId, make, showScreen } from "./dom.js";
import { EmulatorForm } from "./emulator.js";
import { Input } from "./input.js";
import { showInvitations } from "./invitations.js";
import { MatchScreen } from "./match.js";
import { Connection } from "./net.js";
import { setUpPreferences } from "./preferences.js";
import { setUpTabs } from "./tabs.js";
import { TrainingBoard } from "./training.js";

let role = "";

const net = new Connection((frame) => match.onFrame(frame), (picture) => match.onPicture(picture));
const input = new Input((side, pad, time) => match.onInput(side, pad, time), () => match.togglePause());
const cockpit = new Cockpit((request) => {
  net.say({ type: "start", match: request });
  match.open(request);
});
const emulator = new EmulatorForm(
  (options) => {
    net.say({ type: "watch", options });
    match.openSession();
  },
  (options) => net.say({ type: "compose", options }),
);
const match = new MatchScreen(net, input, cockpit);
const training = new TrainingBoard(net, () => match.openSession());
setUpTabs(byId("tabs"), (panel) => training.open(panel === "panel-training"));
setUpPreferences(() => match.hold(), () => match.release());

function notice(text) {
  byId("notice").textContent = text;
}

const on = (name, act) => net.addEventListener(name, (event) => act(event.detail));
on("welcome", (words) => {
  notice("");
  role = words.role;
  match.mayOrder = role === "owner";
  match.mayLeave = words.offers !== null;
  match.showButtons();
  if (words.offers) {
    cockpit.offer(words.offers);
    if (byId("match").hidden) showScreen("start");
  } else if (byId("match").hidden) {
    byId("connecting-title").textContent = "You are in";
    byId("connecting-text").textContent = "Nothing is played yet: this page shows the next game as soon as it begins.";
  }
});
on("lost", ({ reason, refused }) => {
  showScreen("connecting");
  byId("connecting-title").textContent = refused ? "The arena does not let this page in" : "The connection is lost";
  byId("connecting-text").textContent = refused
    ? `It says: ${reason || "no reason"}. Open the address again that "emubot arena" has printed.`
    : "A running match waits for 30 seconds. The page goes on trying.";
});
on("cockpit", (words) => {
  emulator.offer(words.options);
  training.offer(words.training);
});
on("command", (words) => (words.what === "train" ? training : emulator).showCommand(words.text));
on("runs", (words) => training.onRuns(words));
on("run", (words) => training.onRun(words));
on("training", (words) => training.onStarted(words));
on("back", (words) => {
  if (words.match) {
    cockpit.know(words.offers);
    if (words.replay) match.openReplay(words.match, words.replay);
    else match.open(words.match);
  } else {
    match.openSession(words.command);
  }
  if (words.opened) opened(words.opened);
  if (words.state.event === "over") match.onOver(words.state);
});
function opened(words) {
  if (words.replay) match.onReplay(words);
  else if (words.sides) match.onSession(words, role === "owner");
  else match.begin();
}
on("opened", opened);
on("replays", ({ saved }) => {
  byId("replays").hidden = saved.length === 0;
  byId("replay-name").replaceChildren(...saved.map(({ name, title }) => make("option", { value: name }, title)));
});
byId("open-replay").addEventListener("click", () => net.say({ type: "replay", name: byId("replay-name").value }));
on("saved", () => notice("Saved. The match so far is among the saved matches on the first page."));
on("review", (words) => match.onReview(words));
on("sides", (words) => match.onSides(words.mine));
on("readiness", ({ words }) => match.onReadiness(words));
on("figures", (words) => match.onFigures(words));
on("plan", (words) => match.onPlan(words));
on("insight", (words) => match.onInsight(words));
on("said", (words) => {
  match.onSaid(words.message);
  notice(words.message);
});
on("invitations", showInvitations);
on("ended", () => match.onEnded());
on("over", (words) => match.onOver(words));
on("failed", (words) => (byId("match").hidden ? notice(words.message) : match.fail(words.message)));
on("refused", (words) => {
  notice(words.message);
  if (match.mayLeave && !match.isPlaying) showScreen("start");
});
globalThis.arena = { match, net }; // for a look from the console
net.open();
