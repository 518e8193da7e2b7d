// The buttons that people hold: keyboard, gamepads and touch, as pads for each side. Knows no server and no game.

import { PAD } from "./wire.js";
import { PAUSE_KEYS, settings } from "./settings.js";

const SIDEWAYS = PAD.LEFT | PAD.RIGHT;
const PAD_BUTTONS = { 0: PAD.A, 1: PAD.B, 2: PAD.B, 3: PAD.A, 12: PAD.UP, 13: PAD.DOWN, 14: PAD.LEFT, 15: PAD.RIGHT };
const START_BUTTON = 9;

/** Holds what each of one or two people press. `onChange(side, pad, time)` is called when a side's pad changes. */
export class Input {
  #sides = []; // {side, keys, gamepad, down: Set of codes, touch, sent, since, timer}
  #paused = true;

  constructor(onChange, onPause) {
    this.onChange = onChange;
    this.onPause = onPause;
    this.startWasDown = false;
    this.rests = false; // a dialog is open, and its keys are its own
    addEventListener("keydown", (event) => this.#key(event, true));
    addEventListener("keyup", (event) => this.#key(event, false));
    addEventListener("blur", () => this.releaseAll());
  }

  /** Listens to nothing: the match is over, or was left. */
  stop() {
    this.use([]);
    this.#paused = true;
  }

  /** Listens for these sides from now on, and for the pause keys. */
  use(sides) {
    const sets = sides.length > 1 ? ["left", "right"] : ["alone"];
    this.#sides = sides.map((side, index) => ({
      side, set: sets[index], gamepad: index, down: new Set(), touch: 0, pads: 0, sent: 0, since: 0, repeating: 0,
    }));
    this.#paused = false;
  }

  /** What each side holds, as its game was told. */
  get held() {
    return this.#sides.map((one) => one.sent);
  }

  releaseAll() {
    for (const one of this.#sides) {
      one.down.clear();
      one.touch = one.pads = 0;
      this.#send(one, performance.now());
    }
  }

  /** Presses or releases a touch button of the first side. */
  touch(move, isDown, time) {
    const [one] = this.#sides;
    if (!one) return;
    one.touch = isDown ? one.touch | PAD[move] : one.touch & ~PAD[move];
    this.#send(one, time);
  }

  /** Reads gamepads and repeats held keys; call it once a frame. */
  poll(time) {
    const pads = [...(navigator.getGamepads?.() ?? [])].filter((pad) => pad?.connected);
    for (const one of this.#sides) {
      const pad = pads[one.gamepad];
      one.pads = pad ? held(pad) : 0;
      this.#send(one, time);
    }
    const start = pads.some((pad) => pad.buttons[START_BUTTON]?.pressed);
    if (start && !this.startWasDown && !this.#paused && !this.rests) this.onPause();
    this.startWasDown = start;
  }

  #key(event, isDown) {
    if (this.#paused || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isDown && (this.rests || event.target.closest?.("input, select"))) return;
    if (isDown && !event.repeat && !event.target.closest?.("dialog") && PAUSE_KEYS.includes(event.code)) {
      event.preventDefault();
      this.onPause();
      return;
    }
    for (const one of this.#sides) {
      if (!Object.values(settings.keys[one.set]).some((codes) => codes.includes(event.code))) continue;
      if (event.target.closest?.("button")) event.target.blur();
      event.preventDefault();
      if (event.repeat) continue;
      if (isDown) one.down.add(event.code);
      else one.down.delete(event.code);
      this.#send(one, event.timeStamp);
    }
  }

  #send(one, time) {
    let pad = one.touch | one.pads;
    for (const [move, codes] of Object.entries(settings.keys[one.set])) {
      if (codes.some((code) => one.down.has(code))) pad |= PAD[move];
    }
    pad = this.#repeated(one, pad, time);
    if (pad === one.sent) return;
    one.sent = pad;
    this.onChange(one.side, pad, time);
  }

  /** The person's own key repeat: a direction that is held becomes taps. */
  #repeated(one, pad, time) {
    if (!settings.repeatDelay || !(pad & SIDEWAYS)) {
      one.since = 0;
      return pad;
    }
    if (!one.since) one.since = time;
    const held_ = time - one.since - settings.repeatDelay;
    if (held_ < 0) return pad;
    const isOn = Math.floor(held_ / (settings.repeatEvery / 2)) % 2 === 1;
    return isOn ? pad : pad & ~SIDEWAYS;
  }
}

function held(gamepad) {
  let pad = 0;
  for (const [number, button] of Object.entries(PAD_BUTTONS)) if (gamepad.buttons[number]?.pressed) pad |= button;
  const [x = 0, y = 0] = gamepad.axes;
  const least = settings.deadZone / 100;
  if (x < -least) pad |= PAD.LEFT;
  if (x > least) pad |= PAD.RIGHT;
  if (y > least) pad |= PAD.DOWN;
  return pad;
}
