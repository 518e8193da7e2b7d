// The form of everything that "emubot play" can do. Starts nothing by itself.

import { byId } from "./dom.js";
import { OptionForm } from "./form.js";
import { copyText } from "./invitations.js";

const GROUPS = { what: "What to play", who: "Who plays, and how", rules: "Rules, and when to stop", where: "Emulator" };

export class EmulatorForm {
  #form;

  /** `onStart` gets the options that were chosen, `onChange` too, to show their command line. */
  constructor(onStart, onChange) {
    const chosen = { bot: "full", emu_speed: "1" };
    this.#form = new OptionForm(byId("emulator-options"), GROUPS, "option", chosen, onChange);
    byId("emulator-form").addEventListener("submit", (event) => {
      event.preventDefault();
      onStart(chosen);
    });
    byId("copy-command").addEventListener("click", () => copyText(byId("copy-command"), byId("command").textContent));
  }

  offer(options) {
    this.#form.chosen.what ??= options[0].choices[0][0];
    this.#form.offer(options);
  }

  showCommand(text) {
    byId("command").textContent = text;
  }
}
