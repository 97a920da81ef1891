import { effect } from "@preact/signals";
import { placing } from "../run/cells";
import { editor, shown } from "../state/view";
import { isScript, nameOfPasted } from "./paste";

/** watchCells shows a document's cells in the editor, and opens what is pasted as a document or dropped on the page. */
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
  watchPastes();
  watchDrops();
}

/**
 * watchPastes opens what is pasted in the place of an empty document, or of all of one, as the document that it is, and a
 * script in the place of the free page's kernel, which would leave its launches out. It takes it before the editor does,
 * whose part for cells may still be loading.
 */
function watchPastes(): void {
  addEventListener("paste", (event) => {
    const view = editor.peek()?.view;
    if (!view || !["document", "free"].includes(shown.peek()) || !event.composedPath().includes(view.contentDOM)) return;
    const content = event.clipboardData?.getData("text/plain") ?? "";
    const { doc, selection: { main } } = view.state;
    const all = doc.toString().trim() === "" || (main.from === 0 && main.to === doc.length);
    const name = shown.peek() === "document" ? nameOfPasted(content) : isScript(content) ? "pasted.py" : undefined;
    if (!all || name === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    view.dispatch({ selection: { anchor: 0 } }); // or all of what is opened would be selected, and the next key replace it
    void import("./file").then(({ openFile }) => openFile(new File([content], name)));
  }, { capture: true });
}

/**
 * watchDrops takes files before the editor does, which would insert their text, and before the browser, which would leave
 * the page for them; dialogs take their own.
 */
function watchDrops(): void {
  const carries = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
  addEventListener("dragover", (event) => {
    if (carries(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    if (document.querySelector("dialog:modal")) return;
    event.stopPropagation();
    const files = [...(event.dataTransfer?.files ?? [])];
    const entries = [...(event.dataTransfer?.items ?? [])].map((i) => i.webkitGetAsEntry()); // which are gone after the event
    void import("./file").then(({ openDropped }) => openDropped(files, entries));
  }, { capture: true });
}
