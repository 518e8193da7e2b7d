// The links for guests, each with a button that copies it, and a picture where phones can follow it. Knows no match.

import { byId, make } from "./dom.js";

const LINKS = { player: "To play along", spectator: "To watch", overlay: "For a stream" };

export function showInvitations(words) {
  const rows = Object.entries(LINKS).map(([name, text]) => {
    const address = make("input", { id: `link-${name}`, readOnly: true, value: words[name] });
    const copy = make("button", { type: "button", "aria-label": `Copy: ${text}` }, "Copy");
    address.addEventListener("focus", () => address.select());
    copy.addEventListener("click", () => copyText(copy, words[name]));
    const code = words.pictures?.[name];
    const picture = code ? [make("img", { className: "code", src: code, alt: `${text}: the link as a QR code` })] : [];
    return make("p", { className: "link" }, make("label", { for: address.id }, text), address, copy, ...picture);
  });
  if (words.instead) rows.push(make("p", { className: "keys" }, words.instead));
  byId("invitations").replaceChildren(byId("invitations-title"), ...rows);
  byId("invitations").hidden = false;
  byId("invitations").scrollIntoView({ block: "nearest" });
}

/** Copies a text, and says on the button that it is done. */
export async function copyText(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return; // the browser does not let this page: the text can be marked
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
}
