import type { Extension, TransactionSpec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { puzzle, replaceAll } from "../document/workspace";
import { isKernel, isWholeCell } from "../lib/whole-cell";
import { leftOut, notice } from "../state/view";

/** wholeCells takes the kernel of a notebook's cell that is pasted into a puzzle; of a document it is a cell like others. */
export const wholeCells: Extension = EditorView.domEventHandlers({
  paste(event) {
    const content = event.clipboardData?.getData("text/plain") ?? "";
    if (!puzzle.peek() || !isWholeCell(content)) return false;
    void import("../lib/pasted").then(({ kernelOf }) => {
      const { text, left } = kernelOf(content, isKernel);
      replaceAll(text);
      leftOut.value = left;
      notice.value = "kernelTaken";
    });
    return true;
  },
});

/**
 * plainInput replaces selected text by what is typed or composed. Left to do it, browsers carry over the look of the
 * text that they remove in a style attribute, which the page's policy refuses.
 */
export const plainInput: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event;
    if (inputType !== "insertText" || data === null || isComposing || !selects(view)) return false;
    const insert = () => view.state.update(replacing(view, data), { userEvent: "input.type" });
    const { from, to } = view.state.selection.main;
    const handled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!handled) view.dispatch(insert());
    return true;
  },
  compositionstart(_, view) {
    if (selects(view)) view.dispatch(replacing(view, ""), { userEvent: "delete.selection" });
    return false;
  },
});

function selects(view: EditorView): boolean {
  return view.state.selection.ranges.some((range) => !range.empty);
}

function replacing(view: EditorView, text: string): TransactionSpec {
  return { ...view.state.replaceSelection(text), scrollIntoView: true };
}
