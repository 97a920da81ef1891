import { EditorView } from "@codemirror/view";

/** look is the look of cells and their outputs, which stand in the editor's shadow root. */
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
    backgroundSize: "2px calc(100% - 16px)", backgroundPosition: "8px 4px", backgroundRepeat: "no-repeat",
    fontFamily: "var(--sans)", fontSize: "14px", cursor: "auto", userSelect: "text",
  },
  ".cm-cell-output pre": {
    margin: "0", padding: "4px 0", maxHeight: "26em", overflow: "auto", fontFamily: "var(--mono)", fontSize: "13px", lineHeight: "1.5",
    whiteSpace: "pre-wrap", overflowWrap: "anywhere",
  },
  ".cm-cell-output pre:focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-cell-output pre.stderr": { color: "var(--ink-2)" },
  ".cm-cell-output pre.error": { color: "var(--fail)" },
  ".cm-cell-output .picture": { display: "block", maxWidth: "100%", padding: "6px 0", background: "#ffffff", borderRadius: "4px" },
  ".cm-cell-output .foot": { margin: "0", color: "var(--ink-3)", fontSize: "12.5px", lineHeight: "1.7" },
  ".cm-cell-output .foot.bad": { color: "var(--fail)" },
  ".cm-cell-output .prose p": { margin: "4px 0" },
});
