import { EditorView } from "@codemirror/view";
import { text } from "../document/workspace";

/** Pasted text of other formats than Python, by the name that a file of it would have. */
const formats: readonly { name: string; is: RegExp }[] = [
  { name: "pasted.ipynb", is: /^\s*\{(?=[^]*"nbformat"\s*:)(?=[^]*"(?:cells|worksheets)"\s*:)/ },
  { name: "pasted.txt", is: /^(?:In|Out)\s?\[[ \d*]*\]:/m },
  { name: "pasted.md", is: /^(?:```|~~~)\s*\{?\.?(?:py|python|python3|ipython3?)\b/m },
];

/** nameOfPasted is the name of a file with a text that is a document of another format than Python's; undefined of others. */
export function nameOfPasted(pasted: string): string | undefined {
  return formats.find(({ is }) => is.test(pasted))?.name;
}

/** pasted opens what is pasted in the place of an empty document, or of all of one, as the document that it is. */
export const pasted = EditorView.domEventHandlers({
  paste(event, view) {
    const content = event.clipboardData?.getData("text/plain") ?? "";
    const { main } = view.state.selection;
    const all = (text.peek() ?? "").trim() === "" || (main.from === 0 && main.to === view.state.doc.length);
    const name = all ? nameOfPasted(content) : undefined;
    if (name === undefined) return false;
    void import("./file").then(({ openFile }) => openFile(new File([content], name)));
    return true;
  },
});
