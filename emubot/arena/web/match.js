// The match screen: boards, countdown, pause, result, sounds. Knows the frames; sends what people press.

import { showBanner } from "./banner.js";
import { BoardView } from "./board.js";
import { Charts } from "./charts.js";
import { Coach } from "./coach.js";
import { byId, showScreen, write } from "./dom.js";
import { Gestures } from "./gestures.js";
import { Insights } from "./insights.js";
import { Latencies } from "./latencies.js";
import { Leaving } from "./leaving.js";
import { counted, learnLooks, many, pieces } from "./looks.js";
import { changes, keyName, onNewLook, settings } from "./settings.js";
import { OddsBar } from "./odds.js";
import { ReplayBar } from "./replay.js";
import { clearPictures, drawPicture } from "./picture.js";
import { Share } from "./share.js";
import { play, startMusic, stopMusic, wake } from "./sound.js";
import { buzz, showTouch } from "./touch.js";
import { TurnBar } from "./turn.js";
import { packInput, PAD, STAGE } from "./wire.js";

const NEXT_SHOW = 2500; // milliseconds
const GHOST = "ghost"; // who moves a recorded board beside a person's

export class MatchScreen {
  #views = [];
  #sides = [];
  #persons = [];
  #wish = null; // what a session waits for the person to do
  #frame = null;
  #last = null;
  #latencies = new Latencies();
  #result = null;
  #titles = [];
  #replay = null;
  #leaving = null;
  #isSession = false; // the game is played elsewhere
  #runs = false;
  #drawn = false; // since the screen's last frame
  #insights = new Insights();
  #charts = new Charts();
  #turn = new TurnBar();
  #gestures;
  #coach;
  #odds = new OddsBar();
  #share;
  #toReview = null; // the side whose review is to follow
  #isShow = false;
  #explains = false;
  #held = false; // paused by the settings
  #picture = null;

  /** `net` sends; `input` reads keys; `cockpit` knows the titles. */
  constructor(net, input, cockpit) {
    this.net = net;
    this.input = input;
    this.cockpit = cockpit;
    this.#replay = new ReplayBar(net);
    this.mayOrder = false; // pause, save, play again: guests may not
    this.mayLeave = false; // there is a start screen: guests and a session of its own program have none
    byId("pause").addEventListener("click", () => this.togglePause());
    this.#leaving = new Leaving({ isLost: () => this.#isLost, hold: () => this.hold(), release: () => this.release(), leave: () => this.leave() });
    byId("leave").addEventListener("click", () => this.#leaving.leave());
    byId("explain").addEventListener("click", () => this.#explain());
    byId("save").addEventListener("click", () => this.net.say({ type: "save" }));
    byId("invite").addEventListener("click", () => this.net.say({ type: "invite" }));
    changes.addEventListener("change", () => this.#keys());
    onNewLook(() => { for (const view of this.#views) view.refresh(); this.#charts.draw(); this.#replay.draw(); });
    document.addEventListener("visibilitychange", () => { if (document.hidden && this.isPlaying && this.mayOrder) this.net.say({ type: "pause" }); });
    const above = new ResizeObserver(() => {
      byId("play").style.setProperty("--above", `${byId("play").getBoundingClientRect().top + scrollY}px`);
    });
    for (const element of [document.querySelector("header"), byId("notice"), byId("match")]) above.observe(element);
    this.#coach = new Coach(net);
    this.#share = new Share(net);
    byId("gif").addEventListener("click", () => this.#share.gif("replay-files", Math.floor(this.#frame.tick / this.cockpit.rateOf(this.#sides[0]))));
    byId("webm").addEventListener("click", () => this.#film());
    this.#gestures = new Gestures(byId("stage"), input, () => this.#touched);
    requestAnimationFrame((time) => this.#tick(time));
  }

  /** Milliseconds from a key to the frame that shows it. */
  get latencies() {
    return this.#latencies.times;
  }

  get isPlaying() {
    return this.#frame !== null && this.#frame.stage !== STAGE.OVER && this.#persons.length > 0 && !byId("match").hidden;
  }

  /** The board that a finger moves: the first of this page's while it is played, where there are pads to touch. */
  get #touched() {
    const [side] = this.#persons;
    if (byId("touch").hidden || this.#frame?.stage !== STAGE.PLAYING || !this.#frame.boards[side]) return null;
    return { board: this.#frame.boards[side], view: this.#views[side] };
  }

  /** Whether another match may take the place of what is shown, unasked. */
  get mayBeLeft() {
    return this.mayLeave && !this.#isLost;
  }

  get #hasGhost() {
    return this.#sides[1]?.bot === GHOST;
  }

  /** Whether leaving would end a game that runs: not one that is recorded, or that goes on by itself. */
  get #isLost() {
    return this.mayLeave && !byId("match").hidden && this.#frame !== null && !this.#result && !this.#isShow && !this.#replay.isOpen;
  }

  /** Shows the buttons that do something here, for this person. */
  showButtons() {
    const isReplay = this.#replay.isOpen;
    byId("pause").hidden = !this.mayOrder;
    byId("explain").hidden = !this.mayOrder || isReplay || !this.#sides.some((side) => side.bot && side.bot !== GHOST);
    byId("coach-label").hidden = !this.mayOrder || isReplay || this.#isSession || !this.#persons.length;
    byId("save").hidden = !this.mayOrder || isReplay || this.#isSession;
    byId("invite").hidden = byId("leave").hidden = !this.mayLeave;
    byId("replay").hidden = !isReplay || !this.mayOrder;
  }

  /** Shows a match that is being opened; `onSides` tells later which sides this page plays. Nobody plays a recorded one. */
  open(request, isRecorded = false) {
    this.#sides = request.sides;
    this.#isShow = (request.pace ?? 1) !== 1;
    this.#isSession = false;
    this.#persons = isRecorded ? [] : request.sides.flatMap((side, index) => (side.bot ? [] : [index]));
    this.#show(request.sides.map((side, index) => [this.#titleOf(index), this.cockpit.familyOf(side), !side.bot]));
    this.begin(false);
    showBanner("Opening …", "");
  }

  /** Shows a recorded match; its frames come when the person goes through it. */
  openReplay(request, name) {
    this.open(request, true);
    showBanner("Opening …", name, this.#back);
  }

  /** A picture that was asked for. */
  onClip(words) {
    this.#share.onClip(words);
  }

  /** Where the bot would put a person's piece. */
  onCoach(words) {
    this.#coach.onAhead(words);
  }

  /** How likely the left side wins, in per cent. */
  onChance(first) {
    this.#odds.show(first);
  }

  /** How good a person's placement was. */
  onMark(words) {
    this.#coach.onMark(words);
  }

  onReview(words) {
    this.#replay.onReview(words);
  }

  /** The recorded match is there. */
  onReplay(words) {
    this.input.use([]); // keys do nothing but run and stop it
    stopMusic();
    this.#replay.open(words, this.#sides);
    this.showButtons();
    this.#keys();
    byId("over-boards").hidden = true;
    byId("insights").hidden = false;
    if (this.#toReview !== null) this.#replay.review(this.#toReview);
    this.#toReview = null;
  }

  /** The match was saved; returns whether the person wants to go through it at once. */
  onSaved() {
    return this.#toReview !== null;
  }

  /** From the result to the review of the own game: the match is saved, and opened again. */
  #review() {
    this.#toReview = this.#persons[0] ?? 0;
    this.net.say({ type: "save" });
  }

  /** These are the sides that this page plays. */
  onSides(mine) {
    if (this.#sides.some((side) => side.bot === "session")) return;
    this.#persons = mine;
    this.#titles = this.#sides.map((_, index) => this.#titleOf(index));
    this.#views.forEach((view, index) => view.rename(this.#titles[index]));
    if (!this.#result && !this.#replay.isOpen) this.input.use(mine);
    this.showButtons();
    showTouch(this.#persons.length > 0, this.input);
    this.#keys();
  }

  #titleOf(index) {
    if (this.#sides[index].bot === GHOST) return "Ghost";
    return this.cockpit.titleOf(this.#sides[index], index, this.#persons.length === 1 && this.#persons[0] === index);
  }

  /** Shows a session of `emubot play` that is being started; its boards come with `onSession`. */
  openSession(command) {
    this.#sides = [];
    this.#persons = [];
    this.#isShow = false;
    this.#isSession = true;
    this.#show([]);
    this.begin(false);
    showBanner("Starting …", command ?? "", this.#back);
  }

  /** The session has begun: who plays what. `isPlayed`: this page has the person's port. */
  onSession(words, isPlayed) {
    learnLooks({ [words.family]: words.looks });
    this.#isSession = true;
    this.#sides = words.sides.map((side) => ({ bot: side.person ? "" : "session" }));
    const bots = words.sides.filter((side) => !side.person).length;
    this.#persons = isPlayed ? words.sides.flatMap((side, index) => (side.person ? [index] : [])) : [];
    this.#show(words.sides.map((side, index) => {
      if (side.person) return [isPlayed ? "You" : "Person", words.family, true];
      return [`Bot ${bots > 1 ? index + 1 : ""} · ${side.tempo}`, words.family, false];
    }));
    byId("figures").textContent = `${words.title} · ${words.emulator}`;
    this.input.use(this.#persons);
    byId("over-boards").hidden = true;
    if (this.#explains) this.net.say({ type: "insight" });
  }

  /** How far the bots are from full strength; no words if they are there. */
  onReadiness(words) {
    byId("readiness").textContent = words;
    byId("readiness").hidden = !words;
  }

  /** A line that the session says to the person who waits. */
  onSaid(message) {
    this.#share.fail();
    if (!this.#frame) byId("banner-text").textContent = message;
  }

  /** What all sides have reached: of a session, or of bots that play as fast as they can. */
  onFigures({ frames, fps, sides, wish = null }) {
    if (this.#isShow) {
      this.#charts.add(sides, frames, this.#titles, this.#sides.map((side) => this.cockpit.familyOf(side)));
      return;
    }
    if (wish !== this.#wish) this.#expect(wish);
    const bots = sides.filter((_, index) => this.#sides[index]?.bot).map((side) => `${pieces(this.#views[0].family, side.pieces)}, ${side.misplaced} misplaced, ${side.decision_ms} ms a decision`);
    byId("figures").textContent = `${frames.toLocaleString("en")} frames, ${Math.round(fps)} a second · ${bots.join(" · ")}`;
  }

  /** The session waits for something else than before. */
  #expect(wish) {
    const wasAsked = this.#wish === "NEXT_GAME";
    this.#wish = wish;
    this.#keys();
    if (this.#frame?.stage === STAGE.PAUSED) return; // going on shows what is asked
    if (wasAsked || wish === "NEXT_GAME") this.#ask();
  }

  /** While the game runs: what the session asks the person, or nothing over the boards. */
  #ask() {
    byId("over-boards").hidden = true;
    if (this.#wish !== "NEXT_GAME" || !this.#persons.length) return;
    const [side] = this.#persons;
    const ask = () => { for (const pad of [PAD.A, 0]) this.onInput(side, pad, performance.now()); };
    showBanner("Game over", byId("match-keys").textContent, [["Next game", ask]]);
  }

  onPlan(words) {
    this.#insights.plan(words.side, this.#titles[words.side] ?? "", words);
  }

  onInsight(words) {
    this.#insights.insight(words.side, this.#titles[words.side] ?? "", words);
    if (this.#frame) this.#paint(this.#frame);
  }

  onPicture(picture) {
    this.#picture = picture;
  }

  #show(boards) {
    this.#titles = boards.map(([title]) => title);
    this.#views = boards.map((board) => new BoardView(...board));
    byId("boards").replaceChildren(...this.#views.map((view) => view.element));
    byId("boards").dataset.sides = String(this.#views.length);
    byId("figures").textContent = "";
    byId("invitations").hidden = byId("turn").hidden = true;
    this.onReadiness("");
    this.#insights.clear();
    this.#charts.clear();
    this.#replay.close();
    this.showButtons();
    this.#odds.use(this.#titles);
    this.#coach.use(this.#views, this.#titles, !byId("coach-label").hidden);
    clearPictures();
    this.#wish = null;
    showTouch(this.#persons.length > 0, this.input);
    this.#keys();
    showScreen("match");
    if (this.mayLeave) this.#leaving.enter();
  }

  /** Records a saved match as it is shown, and lets it run. */
  #film() {
    if (!this.#share.isFilming && !this.#runs) this.togglePause();
    this.#share.toggle([this.#views, this.#titles]);
  }

  #explain() {
    this.#explains = !this.#explains;
    byId("explain").setAttribute("aria-pressed", String(this.#explains));
    byId("insights").hidden = !this.#explains;
    if (this.#explains) this.net.say({ type: "insight" });
    if (this.#frame) this.#paint(this.#frame);
  }

  /** A new game of the same match begins; `isOpen`: the server has it. A ghost's board stands beside a person's. */
  begin(isOpen = true, hasGhost = false) {
    if (isOpen && hasGhost !== this.#hasGhost) {
      this.#sides = hasGhost ? [this.#sides[0], { ...this.#sides[0], bot: GHOST }] : this.#sides.slice(0, 1);
      this.#show(this.#sides.map((side, index) => [this.#titleOf(index), this.cockpit.familyOf(side), !side.bot]));
    }
    this.#frame = this.#last = this.#result = null;
    byId("notice").textContent = ""; // what was said of the game before
    this.#insights.forget();
    this.#latencies.forget();
    this.#share.forget();
    byId("pause").disabled = false;
    byId("insights").hidden = !this.#explains;
    if (this.#explains && isOpen) this.net.say({ type: "insight" });
    if (isOpen && this.mayOrder && this.#persons.length) this.#coach.begin();
    this.input.use(this.#persons);
    wake();
    startMusic();
  }

  /** Draws a frame as soon as it comes, but no more than one between two of the screen's. */
  onFrame(frame) {
    this.#frame = frame;
    if (frame.stage !== STAGE.PAUSED && !this.#replay.isOpen) this.#share.see(frame);
    if (!this.#drawn) this.#draw();
  }

  onInput(side, pad, time) {
    this.net.send(packInput(side, this.#latencies.press(time), pad));
  }

  onOver(words) {
    this.#result = words.result;
    this.input.stop();
    stopMusic();
    byId("pause").disabled = true;
    const { winner, sides, how } = words.result;
    if (how !== undefined) {
      showBanner(how === "closed" ? "Ended" : `Ended: ${how}`, "", this.#back);
      return;
    }
    const figures = sides.map((side, index) => {
      const family = this.cockpit.familyOf(this.#sides[index]);
      const points = side.score === null ? [] : [many(side.score, "point")];
      return `${this.#titles[index]}: ${[...points, pieces(family, side.pieces), counted(family, side.count)].join(", ")}`;
    });
    figures.push(...this.#persons.map((side) => this.#coach.tally(side)).filter((words) => words));
    const isMine = this.#persons.includes(winner);
    const hasWinner = winner !== null && winner !== undefined;
    let title = "Game over";
    if (hasWinner) title = isMine && this.#persons.length === 1 ? "You have won" : `${this.#titles[winner]} has won`;
    else if (sides.length === 2) title = "A draw";
    if (this.#hasGhost) title = ["You are ahead of the ghost", "The ghost is ahead", "As far as the ghost"][winner ?? 2];
    play(hasWinner && isMine ? "won" : "lost");
    const again = () => this.net.say({ type: "rematch" });
    const seen = this.#result;
    const shares = this.#share.buttons(words.result, [this.#views, this.#titles], (frame) => this.#paint(frame), () => this.#result === seen && !byId("match").hidden);
    showBanner(title, figures.join("\n"), this.mayOrder ? [["Rematch", again], ...this.#back, ...(this.mayLeave ? [["Review", () => this.#review()], ...shares] : [])] : []);
    if (this.#isShow && this.mayOrder) { // it goes on by itself
      setTimeout(() => { if (this.#result === seen && !byId("match").hidden) again(); }, NEXT_SHOW);
    }
  }

  /** What a game means for the person's results. */
  onCounted(words) {
    if (this.#result) byId("banner-text").append(`\n${words}`);
  }

  /** The one who invited this page has left the game. */
  onEnded() {
    if (this.#result || byId("match").hidden) return; // that it is over stands there
    this.input.stop();
    stopMusic();
    showBanner("The game has ended", "Whoever invited you has left it. This page shows the next game as soon as it begins.");
  }

  fail(message) {
    this.#result = { message };
    this.input.stop();
    stopMusic();
    showBanner("The match has ended", message, this.#back);
  }

  togglePause() {
    if (!this.mayOrder) return;
    if (this.#replay.isOpen) {
      this.#runs = !this.#runs;
      this.net.say({ type: this.#runs ? "resume" : "pause" });
      return;
    }
    if (!this.#frame || this.#frame.stage === STAGE.OVER) return;
    this.net.say({ type: this.#frame.stage === STAGE.PAUSED ? "resume" : "pause" });
  }

  /** The person looks at the settings: a game that this page plays pauses. A guest's goes on, and keys still reach it. */
  hold() {
    this.input.releaseAll();
    this.input.rests = this.mayOrder;
    this.#held = this.isPlaying && this.mayOrder && this.#frame.stage !== STAGE.PAUSED;
    if (this.#held) this.net.say({ type: "pause" });
  }

  /** The person is back: a game that `hold` has paused goes on. */
  release() {
    this.input.rests = false;
    if (this.#held) this.net.say({ type: "resume" });
    this.#held = false;
  }

  /** The button that leads to the start screen, where there is one. */
  get #back() {
    return this.mayLeave ? [["Back", () => this.#leaving.leave()]] : [];
  }

  leave() {
    this.net.say({ type: "leave" });
    this.input.stop();
    stopMusic();
    this.#frame = null;
    byId("notice").textContent = "";
    showScreen("start");
    byId("card-play").focus();
  }

  #tick(time) {
    requestAnimationFrame((next) => this.#tick(next));
    this.input.poll(time);
    this.#drawn = false;
    if (this.#picture) {
      drawPicture(this.#picture);
      this.#picture = null;
    }
    if (this.#frame !== this.#last) this.#draw();
    this.#drawn = false; // what comes now is drawn before the screen's next frame
  }

  #draw() {
    const frame = this.#frame;
    this.#drawn = true;
    if (!frame || frame === this.#last || byId("match").hidden) return;
    this.#paint(frame);
    if (this.#replay.isOpen) {
      this.#replay.show(frame);
      write("pause", "Play / stop");
      this.#last = frame;
      return;
    }
    this.#stage(frame);
    if (this.#persons.length) this.#gestures.see(frame.boards[this.#persons[0]]);
    this.#sounds(frame, this.#last);
    this.#latencies.show(Math.max(0, ...this.#persons.map((side) => frame.boards[side].echo)));
    this.#last = frame;
  }

  /** Draws the boards, each with the explanation of the piece that it shows, if there is one. */
  #paint(frame) {
    const isExplained = this.#explains || this.#replay.isOpen;
    this.#views.forEach((view, side) => {
      const found = this.#insights.show(side, frame);
      view.showCandidates(isExplained ? found : null);
      this.#coach.show(side, frame.boards[side]);
      if (frame.boards[side]) view.draw(frame.boards[side]);
    });
  }

  #stage(frame) {
    const before = this.#last?.stage;
    if (before === undefined && byId("settings").open) this.hold(); // the game begins behind the settings
    if (frame.stage === STAGE.COUNTDOWN) {
      if (before !== STAGE.COUNTDOWN) {
        play("tick");
        showBanner("Ready …", "");
      }
    } else if (frame.stage === STAGE.PAUSED && before !== STAGE.PAUSED) {
      showBanner("Paused", "", this.mayOrder ? [["Go on", () => this.togglePause()]] : []);
    } else if (frame.stage === STAGE.PLAYING && before !== STAGE.PLAYING) {
      play("go");
      this.#ask();
    }
    this.#turn.show(frame, this.#persons, this.#views);
    write("pause", frame.stage === STAGE.PAUSED ? "Go on" : "Pause");
  }

  /** Sounds as soon as something happens: a console counts a cleared row when it is gone. */
  #sounds(frame, before) {
    if (!before || frame.stage !== STAGE.PLAYING) return;
    for (const [side, { happened }] of this.#views.entries()) {
      if (!happened) continue;
      if (this.#persons.includes(side)) this.#feel(happened);
      if (happened.rows.length || happened.burst.length) play("clear", Math.max(happened.rows.length, happened.chain) - 1);
      else if (happened.locked) play("lock");
      if (happened.announced) play("garbage");
    }
  }

  /** What happens on the own board is felt in the hand. */
  #feel({ rows, burst, locked, announced }) {
    if (rows.length || burst.length) buzz(40);
    else if (announced) buzz(25);
    else if (locked) buzz(10);
  }

  #keys() {
    const sets = this.#persons.length > 1 ? ["left", "right"] : ["alone"];
    const waits = { NEXT_GAME: `${keyName(settings.keys.alone.A[0] ?? "-")}: next game`, WAIT: "The bot is on its way to the game for two" };
    const isWaited = this.#persons.length > 0 && this.#wish in waits;
    byId("match-keys").hidden = !byId("touch").hidden && !isWaited; // keys are nothing to who touches
    if (isWaited) {
      byId("match-keys").textContent = waits[this.#wish];
      return;
    }
    const shown = this.#persons.map((_, index) => {
      const keys = settings.keys[sets[index]];
      const name = (move) => keyName(keys[move][0] ?? "-");
      return `${name("LEFT")} ${name("RIGHT")} move, ${name("DOWN")} down, ${name("A")} turn right, ${name("B")} turn left`;
    });
    if (this.mayOrder) shown.push(this.#replay.isOpen ? "P play or stop" : "P pause");
    byId("match-keys").textContent = shown.join(" · ");
  }
}
