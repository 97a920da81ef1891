import { EditorView } from "@codemirror/view";

/** look is the look of cells in the editor's shadow root; the contents of outputs and text cells have the page's own. */
export const look = EditorView.theme({
  // No margins: they would not count as height of the line.
  ".cm-line.cm-cell-begins": { borderTop: "1px solid var(--line-strong)", paddingTop: "6px" },
  ".cm-cell-prose, .cm-cell-prose *": { fontFamily: "var(--sans)", color: "var(--ink-2) !important" },
  ".cm-cells": { width: "22px" },
  ".cm-cells .cm-gutterElement": { padding: "0", display: "grid", placeItems: "center", cursor: "default" },
  ".cm-cell-run": {
    width: "20px", height: "20px", cursor: "pointer", backgroundColor: "var(--ink-3)",
    clipPath: "polygon(32% 20%, 82% 50%, 32% 80%)",
  },
  ".cm-cell-run:hover": { backgroundColor: "var(--accent)" },
  ".cm-cell-output": {
    padding: "4px 20px 14px 20px", backgroundImage: "linear-gradient(var(--line-strong), var(--line-strong))",
    backgroundSize: "2px calc(100% - 16px)", backgroundPosition: "8px 4px", backgroundRepeat: "no-repeat", cursor: "auto", userSelect: "text",
  },
  ".cm-cell-text": { padding: "4px 20px 10px 20px", cursor: "auto", userSelect: "text" },
});
