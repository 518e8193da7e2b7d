// The connection to the arena: says hello, hands events and frames on, and comes back after a loss. Knows no screen.

import { unpackFrame, unpackPicture } from "./wire.js";

const AGAIN = [300, 600, 1200, 2400, 5000]; // milliseconds between attempts to come back

/** Takes the token out of the address, so that it is not on the screen, and keeps it for this tab alone. */
function takeToken() {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem("token") ?? "";
}

export class Connection extends EventTarget {
  #socket = null;
  #attempts = 0;
  #token = takeToken();

  /** `onFrame` and `onPicture` get what is decoded at once; the server's events are dispatched under their names. */
  constructor(onFrame, onPicture) {
    super();
    this.onFrame = onFrame;
    this.onPicture = onPicture;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/play`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      const hello = { type: "hello", token: this.#token };
      const seat = sessionStorage.getItem("seat");
      if (seat) hello.seat = seat;
      this.say(hello);
    };
    socket.onmessage = (message) => {
      if (message.data instanceof ArrayBuffer) {
        const frame = unpackFrame(message.data);
        if (frame) this.onFrame(frame);
        else this.onPicture(unpackPicture(message.data));
        return;
      }
      const words = JSON.parse(message.data);
      if (words.event === "welcome") {
        this.#attempts = 0;
        sessionStorage.setItem("seat", words.seat);
      }
      this.dispatchEvent(new CustomEvent(words.event, { detail: words }));
    };
    socket.onclose = (close) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.dispatchEvent(new CustomEvent("lost", { detail: { reason: close.reason, refused: close.code === 1008 } }));
      if (close.code === 1008) return; // the server will not have us
      const wait = AGAIN[Math.min(this.#attempts, AGAIN.length - 1)];
      this.#attempts += 1;
      setTimeout(() => this.open(), wait);
    };
  }

  /** Brings a recorded match to the saved ones; returns its name there. Throws an Error with the server's words. */
  async bring(file) {
    const answer = await fetch(`replays?name=${encodeURIComponent(file.name)}`, { method: "POST", headers: { Authorization: `Bearer ${this.#token}` }, body: file });
    const words = await answer.text();
    if (!answer.ok) throw new Error(words);
    return words;
  }

  say(words) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(words));
  }

  send(bytes) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }
}
