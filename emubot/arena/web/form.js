// A form of options that the server offers, in groups that open and close. Knows no subcommand.

import { make } from "./dom.js";

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
    this.element.replaceChildren(...Object.entries(this.groups).map(([group, title], index) => {
      const fields = this.#options.filter((one) => one.group === group).map((one) => this.#field(one));
      return make("details", { open: index === 0 }, make("summary", {}, title), ...fields);
    }));
    this.onChange(this.chosen);
  }

  #field(option) {
    const id = `${this.prefix}-${option.name}`;
    const control = this.#control(option, id);
    control.addEventListener("input", () => {
      const value = this.#valueOf(option, control);
      if (value === null) delete this.chosen[option.name];
      else this.chosen[option.name] = value;
      this.onChange(this.chosen);
    });
    if (option.kind === "flag") return make("p", {}, make("label", {}, control, ` ${option.label}`));
    return make("p", { className: "field-row" }, make("label", { for: id }, option.label), control);
  }

  #control(option, id) {
    const now = this.chosen[option.name];
    if (option.kind === "flag") return make("input", { type: "checkbox", id, checked: Boolean(now) });
    if (option.kind === "number") {
      return make("input", { type: "number", id, min: option.low, max: option.high, step: option.whole ? 1 : "any", placeholder: "as usual", value: now ?? "" });
    }
    const none = now === undefined ? [make("option", { value: "" }, "as usual")] : [];
    const select = make("select", { id }, ...none, ...option.choices.map(([value, text]) => make("option", { value }, text)));
    select.value = now ?? "";
    return select;
  }

  #valueOf(option, control) {
    if (option.kind === "flag") return control.checked || null;
    if (control.value === "") return null;
    return option.kind === "number" ? Number(control.value) : control.value;
  }
}
