import { effect } from "@preact/signals";
import { placing } from "../run/cells";
import { editor, shown } from "../state/view";

/** watchCells shows a document's cells in the editor, and opens the files that are dropped on the page. */
export function watchCells(): void {
  let watching = false; // the document's file
  effect(() => {
    const controls = editor.value;
    const places = placing.value;
    if (!controls || shown.value !== "document") return;
    if (!watching) void import("./file").then(({ watchFile }) => watchFile());
    watching = true;
    void import("./outputs").then(({ showOutputs }) => {
      if (editor.peek() !== controls || shown.peek() !== "document") return;
      if (places.length && places === placing.peek()) placing.value = [];
      showOutputs(controls.view, places);
    });
  });
  watchDrops();
}

/** watchDrops takes files before the editor does, which would insert their text; dialogs take their own. */
function watchDrops(): void {
  const carries = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true && document.querySelector("dialog:modal") === null;
  addEventListener("dragover", (event) => {
    if (carries(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const files = [...(event.dataTransfer?.files ?? [])];
    void import("./file").then(({ openFiles }) => openFiles(files));
  }, { capture: true });
}
