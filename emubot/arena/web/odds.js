// The bar between two boards: how likely each side wins, if both play equally well from here. Knows no match.

import { byId, make } from "./dom.js";
import { settings } from "./settings.js";

export class OddsBar {
  #fill = make("div", { className: "odds-fill" });
  #text = make("span", { className: "odds-text", "aria-hidden": "true" });
  #element = make("div", { id: "odds", role: "meter", "aria-label": "Chance that the left side wins", "aria-valuemin": "0", "aria-valuemax": "100" }, this.#fill, this.#text);
  #titles = [];

  /** Other boards are shown: the bar stands between two of them as soon as it knows something. */
  use(titles) {
    this.#titles = titles;
    this.#element.remove();
  }

  /** `first` is the chance of the left side, in per cent. */
  show(first) {
    if (this.#titles.length !== 2 || !settings.odds) {
      this.#element.remove();
      return;
    }
    if (!this.#element.isConnected) byId("boards").firstElementChild?.after(this.#element);
    this.#element.style.setProperty("--first", String(first / 100));
    this.#element.setAttribute("aria-valuenow", String(first));
    this.#element.setAttribute("aria-valuetext", `${this.#titles[0]} ${first} %, ${this.#titles[1]} ${100 - first} %`);
    this.#element.title = `Chance of winning, if both play equally well from here: left ${first} %, right ${100 - first} %`;
    this.#text.textContent = `${first} %`;
  }
}
