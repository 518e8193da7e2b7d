// The buttons to touch, where there is no keyboard. Knows no match.

import { byId, make } from "./dom.js";
import { wake } from "./sound.js";

const TOUCH = [[["LEFT", "←"], ["RIGHT", "→"], ["DOWN", "↓"]], [["B", "↺"], ["A", "↻"]]]; // one group for each thumb

/** Shows them if this page plays; `input` gets what is pressed. */
export function showTouch(isPlayed, input) {
  const isTouch = matchMedia("(pointer: coarse)").matches && isPlayed;
  byId("touch").hidden = !isTouch;
  byId("play").classList.toggle("touched", isTouch);
  byId("touch").replaceChildren(...TOUCH.map((moves) => make("div", {}, ...moves.map(([move, sign]) => {
    const button = make("button", { type: "button", "data-move": move, "aria-label": move.toLowerCase() }, sign);
    const press = (isDown) => (event) => { event.preventDefault(); wake(); input.touch(move, isDown, event.timeStamp); };
    button.addEventListener("pointerdown", (event) => { button.setPointerCapture(event.pointerId); press(true)(event); });
    for (const name of ["pointerup", "pointercancel"]) button.addEventListener(name, press(false));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    return button;
  }))));
}
