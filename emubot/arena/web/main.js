// Joins the parts of the page: connection, start screen, match screen, settings.

import { Cockpit } from "./cockpit.js";
import { byId, make, showScreen } from "./dom.js";
import { setUpDrop } from "./drop.js";
import { EmulatorForm } from "./emulator.js";
import { Home } from "./home.js";
import { Input } from "./input.js";
import { showInvitations } from "./invitations.js";
import { MatchScreen } from "./match.js";
import { Connection } from "./net.js";
import { offerRivals } from "./playon.js";
import { setUpPreferences } from "./preferences.js";
import { showResults } from "./results.js";
import { setUpTabs } from "./tabs.js";
import { TrainingBoard } from "./training.js";
import { WallScreen } from "./wall.js";
import { WallForm } from "./wall_form.js";

let role = "";

const net = new Connection((frame) => (home.isOn ? home : wall.isOn ? wall : match).onFrame(frame), (picture) => match.onPicture(picture));
const input = new Input((side, pad, time) => match.onInput(side, pad, time), () => match.togglePause());
const start = (request) => {
  home.end();
  net.say({ type: "start", match: request });
  match.open(request);
};
const cockpit = new Cockpit(start);
const ask = (words) => { // what is played then, the server says
  home.end();
  home.isAwaited = true;
  net.say(words);
};
const home = new Home(net, start, () => byId("tab-training").click(), () => ask({ type: "day" }));
const emulator = new EmulatorForm(
  (options) => {
    home.end();
    net.say({ type: "watch", options });
    match.openSession();
  },
  (options) => net.say({ type: "compose", options }),
);
const match = new MatchScreen(net, input, cockpit);
const training = new TrainingBoard(net, () => match.openSession());
const wall = new WallScreen(net, () => role === "owner");
const wallForm = new WallForm(net, (request) => ask({ type: "wall", wall: request }));
setUpTabs(byId("tabs"), (panel) => {
  if (panel === "panel-wall") wallForm.open();
  training.open(panel === "panel-training");
  if (panel === "panel-games") home.begin();
  else home.end();
});
setUpPreferences(() => match.hold(), () => match.release());

function notice(text) {
  byId("notice").textContent = text;
}

const on = (name, act) => net.addEventListener(name, (event) => act(event.detail));
/** Of the game that is shown: what is told of the one behind the first screen is not for the match screen. */
const onMatch = (name, act) => on(name, (words) => { if (!home.isOn) act(words); });
on("welcome", (words) => {
  notice("");
  role = words.role;
  match.mayOrder = role === "owner";
  match.mayLeave = words.offers !== null;
  match.showButtons();
  if (words.offers) {
    cockpit.offer(words.offers);
    home.offer(words.offers);
    offerRivals(words.offers.bots);
    wallForm.offer(words.offers);
    if (byId("match").hidden) showScreen("start");
  } else if (byId("match").hidden) {
    byId("connecting-title").textContent = "You are in";
    byId("connecting-text").textContent = "Nothing is played yet: this page shows the next game as soon as it begins.";
  }
});
on("lost", ({ reason, refused }) => {
  home.isAwaited = false;
  home.forget();
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
  home.isAwaited = false;
  if (words.wall) {
    cockpit.know(words.offers);
    wall.open(words, words.offers.games.find(({ id }) => id === words.wall.game));
    return;
  }
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
  if (words.wall) return; // its screen is there
  if (words.replay) match.onReplay(words);
  else if (words.sides) match.onSession(words, role === "owner");
  else match.begin(true, words.ghost);
}
onMatch("opened", opened);
on("replays", ({ saved }) => {
  byId("replay-row").hidden = saved.length === 0;
  byId("replay-name").replaceChildren(...saved.map(({ name, title }) => make("option", { value: name }, title)));
});
byId("open-replay").addEventListener("click", () => ask({ type: "replay", name: byId("replay-name").value }));
on("results", showResults);
onMatch("counted-result", ({ words }) => match.onCounted(words));
on("saved", ({ name }) => {
  if (match.onSaved()) ask({ type: "replay", name });
  else notice("Saved. The match so far is among the saved matches on the first page.");
});
on("clip", (words) => match.onClip(words));
setUpDrop(() => match.mayBeLeft, async (file) => {
  try {
    ask({ type: "replay", name: await net.bring(file) });
  } catch (failure) {
    notice(failure.message);
  }
});
on("review", (words) => match.onReview(words));
onMatch("sides", (words) => match.onSides(words.mine));
onMatch("readiness", ({ words }) => match.onReadiness(words));
onMatch("figures", (words) => match.onFigures(words));
onMatch("coach", (words) => match.onCoach(words));
onMatch("chance", ({ first }) => match.onChance(first));
onMatch("mark", (words) => match.onMark(words));
on("plan", (words) => match.onPlan(words));
on("insight", (words) => match.onInsight(words));
on("said", (words) => {
  match.onSaid(words.message);
  notice(words.message);
});
on("invitations", showInvitations);
on("ended", () => match.onEnded());
on("over", (words) => (home.isOn ? home : match).onOver(words));
on("left", () => home.onLeft());
on("failed", (words) => {
  if (home.isOn) home.forget();
  else if (byId("match").hidden) {
    wall.forget();
    notice(words.message);
  } else match.fail(words.message);
});
on("refused", (words) => {
  home.isAwaited = false;
  if (home.isOn) { // nobody asked for the game behind the cards
    home.forget();
    return;
  }
  notice(words.message);
  if (match.mayLeave && !match.isPlaying) showScreen("start");
});
globalThis.arena = { match, net, start }; // for a look from the console
net.open();
