// A form of options that the server offers, in groups that open and close. Knows no subcommand.

import { byId, make } from "./dom.js";

export class OptionForm {
  #options = [];

  /** `groups` are their titles by name, the first one open; `prefix` begins the ids; `onChange` gets what is chosen. */
  constructor(element, groups, prefix, chosen, onChange) {
    this.element = element;
    this.groups = groups;
    this.prefix = prefix;
    this.chosen = chosen;
    this.onChange = onChange;
  }

  offer(options) {
    this.#options = options;
    for (const one of options) if (one.default !== null) this.chosen[one.name] ??= one.default;
    this.#show();
    this.onChange(this.chosen);
  }

  /** Shows every option, or of a form that chooses a game those that this game reads. */
  #show() {
    const open = [...this.element.children].map((one) => one.open);
    const shown = this.#options.filter((one) => this.#has(one.games));
    this.element.replaceChildren(...Object.entries(this.groups).map(([group, title], index) => {
      const fields = shown.filter((one) => one.group === group).map((one) => this.#field(one));
      return make("details", { open: open[index] ?? index === 0 }, make("summary", {}, title), ...fields);
    }));
  }

  #has(games) {
    return !games?.length || this.chosen.game === undefined || games.includes(this.chosen.game);
  }

  #field(option) {
    const id = `${this.prefix}-${option.name}`;
    const control = this.#control(option, id);
    control.addEventListener("input", () => {
      const value = this.#valueOf(option, control);
      if (value === null) delete this.chosen[option.name];
      else this.chosen[option.name] = value;
      if (option.name === "game") this.#chooseGame();
      this.onChange(this.chosen);
    });
    const title = option.about;
    if (option.kind === "flag") return make("p", { title }, make("label", {}, control, ` ${option.label}`));
    return make("p", { className: "field-row", title }, make("label", { for: id }, option.label), control);
  }

  /** Another game has other rules: what it does not have is no longer chosen. */
  #chooseGame() {
    for (const one of this.#options) {
      if (!this.#has(one.games) || !this.#has(one.owners[this.chosen[one.name]])) delete this.chosen[one.name];
    }
    this.#show();
    byId(`${this.prefix}-game`).focus();
  }

  #control(option, id) {
    const now = this.chosen[option.name];
    if (option.kind === "flag") return make("input", { type: "checkbox", id, checked: Boolean(now) });
    if (option.kind === "number") {
      return make("input", { type: "number", id, min: option.low, max: option.high, step: option.whole ? 1 : "any", placeholder: "as usual", value: now ?? "" });
    }
    const none = now === undefined ? [make("option", { value: "" }, "as usual")] : [];
    const select = make("select", { id }, ...none, ...option.choices.filter(([value]) => this.#has(option.owners[value])).map(([value, text]) => make("option", { value }, text)));
    select.value = now ?? "";
    return select;
  }

  #valueOf(option, control) {
    if (option.kind === "flag") return control.checked || null;
    if (control.value === "") return null;
    return option.kind === "number" ? Number(control.value) : control.value;
  }
}
