// The settings dialog. Knows the settings and nothing else.

import { byId, make } from "./dom.js";
import { bind, change, changes, keyName, resetKeys, settings } from "./settings.js";

const MOVES = { LEFT: "left", RIGHT: "right", DOWN: "down", A: "turn right", B: "turn left" };
const SETS = { alone: "One person", left: "Two persons: left", right: "Two persons: right" };
const CHECKS = {
  marks: "Marks on the pieces, so that colours need not be told apart",
  ownColours: "Falling blocks in seven colours, one for each piece, in place of the console's three",
  shadow: "Show where my piece lands",
  plans: "Show the bot's plans",
  odds: "Show how likely each side of a match wins",
  effects: "Sound effects",
  music: "Music",
  vibration: "Vibration, where a phone can",
};
const RANGES = {
  volume: ["Volume, per cent", 0, 100, 5],
  repeatDelay: ["Key repeat: delay in milliseconds (0: the game's own)", 0, 500, 10],
  repeatEvery: ["Key repeat: one tap every … milliseconds", 34, 200, 2],
  deadZone: ["Gamepad stick: dead zone, per cent", 5, 90, 5],
};

let listening = null;

/** Fills the dialog and opens it with the button; tells when it opens and when it is closed. */
export function setUpPreferences(onOpen, onClose) {
  byId("open-settings").addEventListener("click", () => {
    show();
    byId("settings").showModal();
    byId("settings").focus(); // and no control, which would take the keys of a game that goes on
    onOpen();
  });
  byId("settings").addEventListener("close", () => { listening = null; onClose(); });
  byId("settings").addEventListener("keydown", hear, true);
  byId("mute").addEventListener("click", () => change("effects", !settings.effects));
  changes.addEventListener("change", apply);
  apply();
}

function apply() {
  byId("mute").setAttribute("aria-pressed", String(!settings.effects));
  byId("mute").textContent = settings.effects ? "Sound on" : "Sound off";
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

function show() {
  const themes = [["auto", "as the system"], ["light", "light"], ["dark", "dark"]];
  const theme = make("select", { id: "set-theme" }, ...themes.map(([value, text]) => make("option", { value }, text)));
  theme.value = settings.theme;
  theme.addEventListener("change", () => change("theme", theme.value));
  const checks = Object.entries(CHECKS).map(([name, text]) => {
    const box = make("input", { type: "checkbox", id: `set-${name}`, checked: settings[name] });
    box.addEventListener("change", () => change(name, box.checked));
    return make("p", {}, make("label", {}, box, ` ${text}`));
  });
  const ranges = Object.entries(RANGES).map(([name, [text, min, max, step]]) => {
    const number = make("input", { type: "number", id: `set-${name}`, min, max, step, value: settings[name] });
    number.addEventListener("change", () => { if (number.checkValidity()) change(name, Number(number.value)); });
    return make("p", { className: "field-row" }, make("label", { for: `set-${name}` }, text), number);
  });
  const reset = make("button", { type: "button" }, "Reset all keys");
  reset.addEventListener("click", () => { resetKeys(); show(); });
  byId("settings-form").replaceChildren(
    make("p", { className: "field-row" }, make("label", { for: "set-theme" }, "Colours"), theme),
    ...checks, ...ranges, ...Object.entries(SETS).map(([set, title]) => keysOf(set, title)),
    make("p", { className: "row" }, reset, make("button", { className: "primary" }, "Close")),
  );
}

function keysOf(set, title) {
  const rows = Object.entries(MOVES).map(([move, text]) => {
    const names = settings.keys[set][move].map(keyName).join(" or ") || "none";
    const button = make("button", { type: "button", "data-key": `${set}-${move}`, "aria-label": `${title}, ${text}: ${names}. Press to change` }, names);
    button.addEventListener("click", () => {
      listening = { set, move };
      button.textContent = "press a key …";
    });
    return make("p", { className: "field-row" }, make("span", {}, text), button);
  });
  return make("fieldset", {}, make("legend", {}, title), ...rows);
}

function hear(event) {
  if (!listening) return;
  event.preventDefault();
  event.stopPropagation();
  const { set, move } = listening;
  listening = null;
  if (event.code !== "Escape") bind(set, move, event.code);
  show();
  byId("settings").querySelector(`[data-key="${set}-${move}"]`)?.focus();
}
