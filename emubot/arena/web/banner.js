// The large words over the boards, with what can be done there. Knows no match.

import { byId, make } from "./dom.js";

/** `buttons` are [label, what it does]; the first one gets the focus. */
export function showBanner(title, text, buttons = []) {
  byId("banner").textContent = title;
  byId("banner-text").textContent = text;
  byId("banner-buttons").replaceChildren(...buttons.map(([label, act]) => {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", act);
    return button;
  }));
  byId("over-boards").hidden = false;
  byId("banner-buttons").querySelector("button")?.focus();
}
