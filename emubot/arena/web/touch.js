// What a thumb needs: pads that are pinned under it, one line above, a short buzz. Knows no match.

import { byId, make } from "./dom.js";
import { settings } from "./settings.js";
import { wake } from "./sound.js";

const TOUCH = [[["LEFT", "←"], ["RIGHT", "→"], ["DOWN", "↓"]], [["B", "↺"], ["A", "↻"]]]; // one group for each thumb
const calm = matchMedia("(prefers-reduced-motion: reduce)");

byId("more").addEventListener("click", () => showMore(!isMore()));
document.querySelector("header").addEventListener("click", ({ target }) => { if (target.closest("button") && target.id !== "more") showMore(false); });

/** Shows the pads if this page plays; `input` gets what is pressed. */
export function showTouch(isPlayed, input) {
  const isTouch = matchMedia("(pointer: coarse)").matches && isPlayed;
  byId("touch").hidden = byId("more").hidden = !isTouch;
  byId("play").classList.toggle("touched", isTouch);
  document.body.classList.toggle("touched", isTouch);
  showMore(false);
  if (isTouch) document.querySelector("header").prepend(byId("match-buttons")); // all buttons in one line
  else byId("play").append(byId("match-buttons"));
  byId("touch").replaceChildren(...TOUCH.map((moves) => make("div", {}, ...moves.map(([move, sign]) => {
    const button = make("button", { type: "button", "data-move": move, "aria-label": move.toLowerCase() }, sign);
    const press = (isDown) => (event) => { event.preventDefault(); wake(); input.touch(move, isDown, event.timeStamp); };
    button.addEventListener("pointerdown", (event) => { button.setPointerCapture(event.pointerId); press(true)(event); });
    for (const name of ["pointerup", "pointercancel"]) button.addEventListener(name, press(false));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    return button;
  }))));
}

/** Lets the phone tremble for so many milliseconds, where there is one that can, and people want it. */
export function buzz(milliseconds) {
  if (byId("touch").hidden || !settings.vibration || calm.matches || !navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate?.(milliseconds);
}

function isMore() {
  return byId("more").getAttribute("aria-expanded") === "true";
}

/** Shows the buttons beside those of the line above, or hides them again. */
function showMore(isShown) {
  byId("more").setAttribute("aria-expanded", String(isShown));
  document.querySelector("header").classList.toggle("more", isShown);
}
