// Sound made in the browser: short effects and a tune of our own. Knows no frame; silent until a person has pressed something.

import { changes, settings } from "./settings.js";

let context = null;
let loud = null;
let tune = null;

const EFFECTS = {
  tick: [[440, 0, 0.06]],
  go: [[880, 0, 0.18]],
  lock: [[150, 0, 0.04], [75, 0, 0.08]],
  clear: [[523, 0, 0.08], [659, 0.07, 0.08], [784, 0.14, 0.12]],
  garbage: [[110, 0, 0.12], [92, 0.08, 0.16]],
  won: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.12], [1047, 0.36, 0.3]],
  lost: [[392, 0, 0.18], [330, 0.18, 0.18], [262, 0.36, 0.4]],
};
// Our own tune: sixteen bars of two voices, in steps of an eighth. Numbers are semitones above A3, "." holds, "-" rests.
const MELODY = "3 . 7 10 12 . 10 7 5 . 8 12 10 . - - 3 . 7 10 14 . 12 10 8 . 7 5 3 . - -".split(" ");
const BASS = "-9 . . . -5 . . . -7 . . . -2 . . . -9 . . . -4 . . . -7 . . . -9 . . .".split(" ");
const EIGHTH = 0.21;

/** Lets sound begin; call it when a person has pressed a key or a button. */
export function wake() {
  if (!context) {
    if (!globalThis.AudioContext || navigator.userActivation?.hasBeenActive === false) return;
    context = new AudioContext();
    loud = context.createGain();
    loud.connect(context.destination);
    adjust();
  }
  if (context.state === "suspended") context.resume();
}

/** Plays an effect, `steps` whole tones higher. */
export function play(effect, steps = 0) {
  if (!context || !settings.effects || !EFFECTS[effect]) return;
  for (const [hertz, after, length] of EFFECTS[effect]) note(hertz * 2 ** (steps / 6), context.currentTime + after, length, "square", 0.25);
}

export function startMusic() {
  if (!context || !settings.music || tune) return;
  let step = 0;
  let at = context.currentTime + 0.05;
  tune = setInterval(() => {
    while (at < context.currentTime + 0.5) {
      voice(MELODY, step, at, "triangle", 0.16, 220);
      voice(BASS, step, at, "sine", 0.2, 220);
      step = (step + 1) % MELODY.length;
      at += EIGHTH;
    }
  }, 100);
}

export function stopMusic() {
  clearInterval(tune);
  tune = null;
}

function voice(notes, step, at, shape, strength, base) {
  const here = notes[step];
  if (here === "." || here === "-") return;
  let length = 1;
  while (notes[(step + length) % notes.length] === "." && length < 8) length += 1;
  note(base * 2 ** (Number(here) / 12), at, EIGHTH * length * 0.95, shape, strength);
}

function note(hertz, at, length, shape, strength) {
  const wave = context.createOscillator();
  const volume = context.createGain();
  wave.type = shape;
  wave.frequency.value = hertz;
  volume.gain.setValueAtTime(strength, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  wave.connect(volume).connect(loud);
  wave.start(at);
  wave.stop(at + length);
}

function adjust() {
  if (loud) loud.gain.value = settings.volume / 100;
  if (!settings.music) stopMusic();
}
changes.addEventListener("change", adjust);
