// Recorded matches as files: dropped onto the page, or chosen. Knows no match.

import { byId } from "./dom.js";

/** `may` says whether files are welcome now, `take` gets one. */
export function setUpDrop(may, take) {
  const hasFile = (event) => may() && [...event.dataTransfer?.types ?? []].includes("Files");
  const mark = (isOver) => document.body.classList.toggle("dropping", isOver);
  addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
  addEventListener("drop", (event) => {
    mark(false);
    if (!hasFile(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  byId("open-file").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", () => {
    const [file] = byId("file").files;
    byId("file").value = ""; // so that the same one can be chosen again
    if (file) take(file);
  });
}
