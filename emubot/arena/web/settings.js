// What a person prefers, kept in the browser: keys, sound, looks. Knows no server.

const PLACE = "emubot-arena";
const DEFAULTS = {
  theme: "auto",
  marks: true,
  ownColours: false, // of each piece, where the console has fewer
  shadow: true,
  plans: true,
  odds: true,
  coach: "off", // or "after" the lock, or "before" it
  effects: true,
  vibration: true,
  music: false,
  volume: 60,
  repeatDelay: 0, // milliseconds; 0: the game's own key repeat
  repeatEvery: 60,
  deadZone: 40, // per cent of a stick's way
  keys: {
    alone: { LEFT: ["ArrowLeft"], RIGHT: ["ArrowRight"], DOWN: ["ArrowDown"], A: ["KeyX", "ArrowUp"], B: ["KeyZ", "KeyY"] },
    left: { LEFT: ["KeyA"], RIGHT: ["KeyD"], DOWN: ["KeyS"], A: ["KeyW", "KeyG"], B: ["KeyQ", "KeyF"] },
    right: { LEFT: ["ArrowLeft"], RIGHT: ["ArrowRight"], DOWN: ["ArrowDown"], A: ["ArrowUp", "Period"], B: ["ShiftRight", "Comma"] },
  },
};
export const PAUSE_KEYS = ["Escape", "KeyP"];

export const settings = { ...structuredClone(DEFAULTS), ...stored() };
export const changes = new EventTarget();

function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return Object.fromEntries(Object.entries(kept).filter(([name, value]) => typeof value === typeof DEFAULTS[name]));
  } catch {
    return {}; // what another program left there
  }
}

/** Keeps a new value and tells everyone. */
export function change(name, value) {
  settings[name] = value;
  localStorage.setItem(PLACE, JSON.stringify(settings));
  changes.dispatchEvent(new Event("change"));
}

/** Gives a move of a set of keys another key; the key leaves the move of the same set that had it. */
export function bind(set, move, code) {
  const keys = structuredClone(settings.keys);
  for (const name of Object.keys(keys[set])) keys[set][name] = keys[set][name].filter((known) => known !== code);
  keys[set][move] = [code, ...keys[set][move]].slice(0, 2);
  change("keys", keys);
}

export function resetKeys() {
  change("keys", structuredClone(DEFAULTS.keys));
}

/** Returns what is printed on a key, as far as its code tells. */
export function keyName(code) {
  const known = { ArrowLeft: "←", ArrowRight: "→", ArrowDown: "↓", ArrowUp: "↑", Space: "space", Period: ".", Comma: "," };
  return known[code] ?? code.replace(/^(Key|Digit)/, "").replace(/^Shift(Left|Right)$/, "$1 shift").replace(/^Numpad/, "num ").toLowerCase();
}

/** Calls `act` whenever what is drawn looks different from now on: other colours, another size of the window. */
export function onNewLook(act) {
  changes.addEventListener("change", () => queueMicrotask(act)); // when the page has its new theme
  addEventListener("resize", act);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act);
}
