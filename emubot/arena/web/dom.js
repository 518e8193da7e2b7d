// Makes elements. Knows nothing of what they are for.

/** Returns a new element with these properties and children; `data-` and `aria-` names become attributes. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Writes only what is new: a browser lays the page out anew for each text, and this is asked in every frame. */
export function write(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

/** Shows one screen, from its top, and hides the others. */
export function showScreen(id) {
  if (byId(id).hidden) scrollTo(0, 0);
  for (const screen of document.querySelectorAll(".screen")) screen.hidden = screen.id !== id;
  document.body.dataset.screen = id;
}
