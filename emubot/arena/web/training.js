// The training board: trainings are started and stopped, and what they have reached is drawn. Trains nothing itself.

import { byId, make } from "./dom.js";
import { OptionForm } from "./form.js";
import { copyText } from "./invitations.js";
import { drawHistory, drawWeights } from "./history.js";
import { onNewLook } from "./settings.js";

const GROUPS = { what: "What to train", how: "How long, and where to start", rules: "Rules of the games" };
const EVERY = 1000; // milliseconds between two looks at the runs that are shown

export class TrainingBoard {
  #form;
  #running = new Set();
  #shown = new Map(); // name -> what is known of a run
  #isOpen = false;

  /** `net` sends; `onWatch` is called when an individual begins to play. */
  constructor(net, onWatch) {
    this.net = net;
    const chosen = {};
    this.#form = new OptionForm(byId("train-options"), GROUPS, "train", chosen, (options) => net.say({ type: "compose", what: "train", options }));
    byId("train-form").addEventListener("submit", (event) => {
      event.preventDefault();
      net.say({ type: "train", options: chosen });
    });
    byId("copy-train").addEventListener("click", () => copyText(byId("copy-train"), byId("train-command").textContent));
    for (const id of ["run-first", "run-second"]) byId(id).addEventListener("change", () => this.#choose());
    byId("run-logarithm").addEventListener("change", () => this.#draw());
    byId("run-stop").addEventListener("click", () => net.say({ type: "stop-run", name: this.#first }));
    byId("run-go-on").addEventListener("click", () => net.say({ type: "go-on-run", name: this.#first }));
    byId("individual-form").addEventListener("submit", (event) => {
      event.preventDefault();
      net.say({ type: "individual", name: this.#first, individual: Number(byId("individual").value), speed: Number(byId("individual-speed").value) });
      onWatch();
    });
    onNewLook(() => this.#draw());
    setInterval(() => this.#look(), EVERY);
  }

  get #first() {
    return byId("run-first").value;
  }

  get #names() {
    return [this.#first, byId("run-second").value].filter((name) => name);
  }

  offer(options) {
    this.#form.offer(options);
  }

  /** The panel is shown, or no longer. */
  open(isOpen) {
    this.#isOpen = isOpen;
    if (isOpen) this.#look(true);
  }

  showCommand(text) {
    byId("train-command").textContent = text;
  }

  onRuns({ names, running }) {
    this.#running = new Set(running);
    byId("runs").hidden = names.length === 0;
    for (const [id, none] of [["run-first", []], ["run-second", [make("option", { value: "" }, "none")]]]) {
      const before = byId(id).value;
      byId(id).replaceChildren(...none, ...names.map((name) => make("option", { value: name }, running.includes(name) ? `${name} (running)` : name)));
      if (names.includes(before)) byId(id).value = before;
    }
    this.#choose();
  }

  /** A training that this page has started. */
  onStarted({ name }) {
    byId("run-first").value = name;
    this.#choose();
  }

  onRun(words) {
    const known = this.#shown.get(words.name);
    if (!known) return; // it is no longer shown
    if (words.failed) {
      known.failed = words.failed;
    } else if (words.since <= known.generations.length) {
      const { generations, since, ...others } = words;
      known.generations.splice(since, known.generations.length, ...generations);
      Object.assign(known, others, { failed: "" });
    }
    this.#draw();
  }

  #choose() {
    for (const name of [...this.#shown.keys()]) if (!this.#names.includes(name)) this.#shown.delete(name);
    for (const name of this.#names) if (!this.#shown.has(name)) this.#shown.set(name, { name, generations: [], features: [], failed: "" });
    this.#look(true);
    this.#draw();
  }

  /** Asks what is new of the runs that are shown: always those that run, the others once. */
  #look(all = false) {
    if (!this.#isOpen || byId("start").hidden) return;
    for (const [name, known] of this.#shown) {
      if (all || this.#running.has(name)) this.net.say({ type: "run", name, since: known.generations.length });
    }
  }

  #draw() {
    if (!this.#isOpen) return;
    const runs = this.#names.map((name) => this.#shown.get(name)).filter((run) => run);
    const first = runs[0];
    byId("run-stop").hidden = !first || !this.#running.has(first.name);
    byId("run-go-on").hidden = !first || this.#running.has(first.name);
    byId("individual-form").hidden = !first?.generations.length;
    byId("run-words").replaceChildren(...runs.map((run, index) => make("p", { className: `run-${index}` }, this.#words(run))));
    drawHistory(byId("run-chart"), runs, byId("run-logarithm").checked);
    drawWeights(byId("run-weights"), runs);
  }

  #words(run) {
    if (run.failed) return `${run.name}: ${run.failed}`;
    const state = this.#running.has(run.name) ? "running" : run.finished ? "finished" : "stopped";
    const last = run.generations.at(-1);
    if (!last) return `${run.name} (${state}): no generation is finished yet.`;
    const games = run.generations.reduce((sum, one) => sum + one.games, 0);
    const number = (value) => value.toLocaleString("en", { maximumSignificantDigits: 4 });
    return `${run.title} (${state}): ${last.generation} generations, ${games.toLocaleString("en")} games; ${run.measure}: mean ${number(last.mean)}, best ${number(last.best)}`;
  }
}
