// Pictures and films of a match, as files: on the result and in a saved match. Knows no board's content.

import { canFilm, Film, Memory, offerFile } from "./clip.js";
import { byId } from "./dom.js";

const SECONDS = 20; // of a picture: the last ones of a game

export class Share {
  #net;
  #memory = new Memory();
  #film = null;
  #place = "";

  constructor(net) {
    this.#net = net;
    byId("webm").hidden = !canFilm;
  }

  /** Another game begins. */
  forget() {
    this.#memory.forget();
    this.#film?.stop();
    this.#film = null;
    this.#say("replay-files", "");
    this.#say("banner-files", "");
    byId("webm").textContent = "WebM";
  }

  /** Keeps what is shown of a game that runs. */
  see(frame) {
    this.#memory.add(frame);
  }

  /** The buttons of a result: [label, what it does]. `films` are the views and titles, `show` draws a frame. */
  buttons(result, films, show, isWanted) {
    const start = Math.max(0, Math.floor(result.seconds - SECONDS));
    const gif = ["GIF", () => this.gif("banner-files", start)];
    return canFilm ? [gif, ["WebM", () => this.#filmAgain(films, show, isWanted)]] : [gif];
  }

  /** Asks for a picture from this second on. */
  gif(place, start) {
    this.#place = place;
    this.#say(place, "The picture is being drawn …");
    this.#net.say({ type: "gif", start });
  }

  /** The picture is there. */
  onClip({ name, picture }) {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    this.#offer(name, new Blob([bytes], { type: "image/gif" }));
  }

  /** It cannot be drawn, and the page says why. */
  fail() {
    if (this.#place) this.#say(this.#place, "");
  }

  /** In a saved match: begins a film of what is shown, or ends it; returns whether it runs. */
  async toggle(films) {
    if (this.#film) {
      const film = this.#film;
      this.#film = null;
      byId("webm").textContent = "WebM";
      this.#place = "replay-files";
      this.#offer("match.webm", await film.stop());
      return;
    }
    this.#film = new Film(...films);
    this.#film.onFull = () => { if (this.#film) byId("webm").click(); };
    byId("webm").textContent = "End of the film";
    this.#say("replay-files", "Recording what the boards show, for 20 seconds at most …");
  }

  get isFilming() {
    return this.#film !== null;
  }

  /** Shows the last seconds again and records them. */
  async #filmAgain(films, show, isWanted) {
    byId("over-boards").hidden = true;
    byId("notice").textContent = "Recording the last seconds …";
    const film = new Film(...films);
    await this.#memory.play(show, isWanted);
    const blob = await film.stop();
    byId("notice").textContent = "";
    if (!isWanted()) return;
    byId("over-boards").hidden = false;
    this.#place = "banner-files";
    this.#offer("match.webm", blob);
  }

  #offer(name, blob) {
    this.#say(this.#place, "");
    offerFile(this.#place, name, blob);
  }

  #say(place, text) {
    for (const link of byId(place).querySelectorAll("a")) URL.revokeObjectURL(link.href);
    byId(place).replaceChildren(text);
  }
}
