// The form of everything that "emubot play" can do, made from what the server offers. Starts nothing by itself.

import { byId, make } from "./dom.js";

const GROUPS = { what: "What to play", who: "Who plays, and how", rules: "Rules, and when to stop", where: "Emulator" };
const OPEN = ["what"];

export class EmulatorForm {
  #options = [];
  #chosen = {};

  /** `onStart` gets the options that were chosen, `onChange` too, to show their command line. */
  constructor(onStart, onChange) {
    this.onChange = onChange;
    byId("emulator-form").addEventListener("submit", (event) => {
      event.preventDefault();
      onStart(this.#chosen);
    });
    byId("copy-command").addEventListener("click", () => navigator.clipboard?.writeText(byId("command").textContent));
    const tabs = [byId("tab-games"), byId("tab-emulator")];
    tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => this.#select(tabs, tab));
      tab.addEventListener("keydown", (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        const other = tabs[1 - index];
        this.#select(tabs, other);
        other.focus();
      });
    });
  }

  offer(options) {
    this.#options = options;
    if (!this.#chosen.what) this.#chosen = { what: options[0].choices[0][0], speed: 10, emu_speed: "1" };
    byId("emulator-options").replaceChildren(...Object.entries(GROUPS).map(([group, title]) => {
      const fields = this.#options.filter((one) => one.group === group).map((one) => this.#field(one));
      return make("details", { open: OPEN.includes(group) }, make("summary", {}, title), ...fields);
    }));
    this.onChange(this.#chosen);
  }

  showCommand(text) {
    byId("command").textContent = text;
  }

  #select(tabs, chosen) {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  }

  #field(option) {
    const id = `option-${option.name}`;
    const control = this.#control(option, id);
    control.addEventListener("change", () => {
      const value = this.#valueOf(option, control);
      if (value === null) delete this.#chosen[option.name];
      else this.#chosen[option.name] = value;
      this.onChange(this.#chosen);
    });
    if (option.kind === "flag") return make("p", {}, make("label", {}, control, ` ${option.label}`));
    return make("p", { className: "field-row" }, make("label", { for: id }, option.label), control);
  }

  #control(option, id) {
    const now = this.#chosen[option.name];
    if (option.kind === "flag") return make("input", { type: "checkbox", id, checked: Boolean(now) });
    if (option.kind === "number") {
      return make("input", { type: "number", id, min: option.low, max: option.high, step: option.whole ? 1 : "any", value: now ?? "" });
    }
    const none = option.name === "what" ? [] : [make("option", { value: "" }, "as usual")];
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
