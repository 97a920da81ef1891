import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The editor is in a shadow root: colours come in through the page's custom properties.
const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.65", overscrollBehavior: "contain", scrollbarWidth: "thin", scrollbarColor: "var(--line-strong) transparent" },
  ".cm-content": { padding: "14px 0 40vh", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 20px 0 6px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-3)", border: "none", paddingLeft: "6px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "26px", padding: "0 8px 0 0" },
  ".cm-activeLine": { backgroundColor: "var(--line-now)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--match)", color: "inherit" },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", color: "var(--fail)" },
  ".cm-selectionMatch": { backgroundColor: "var(--match)" },
  ".cm-pointed": { backgroundColor: "var(--related)" },
  ".cm-related": { backgroundColor: "var(--related)", borderRadius: "3px", outline: "1px dashed var(--ink-3)" },
  ".cm-foldPlaceholder": { background: "none", border: "none", color: "var(--ink-3)" },
});

const squiggle = (style: string, colour: string) => ({
  backgroundImage: "none",
  paddingBottom: "0",
  textDecoration: `underline ${style} ${colour} 1.5px`,
  textUnderlineOffset: "4px",
  textDecorationSkipInk: "none",
});

const marks = EditorView.theme({
  ".cm-lintRange-error": squiggle("wavy", "var(--fail)"),
  ".cm-lintRange-warning": squiggle("wavy", "var(--warn)"),
  ".cm-lintRange-hint": squiggle("dotted", "var(--ink-3)"),
  ".cm-unreachable, .cm-unreachable *": { color: "var(--ink-3) !important", textDecoration: "none" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--fail)" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0", display: "grid", placeItems: "start center" },
  // Beside the first row of a line that wraps.
  ".cm-lint-marker": { width: "8px", height: "8px", marginTop: "calc((1lh - 8px) / 2)", content: "none", borderRadius: "50%", background: "var(--ink-3)" },
  ".cm-lint-marker-error": { background: "var(--fail)", content: "none" },
  ".cm-lint-marker-warning": { background: "var(--warn)", borderRadius: "1px", transform: "rotate(45deg)", content: "none" },
});

const floats = EditorView.theme({
  ".cm-tooltip": {
    backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line-strong)", borderRadius: "8px",
    boxShadow: "var(--shadow)", overflow: "auto",
  },
  // The documentation is next to the list, so nothing may be cut off at the list's edge.
  ".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)", fontSize: "13px", minWidth: "130px", maxWidth: "240px", maxHeight: "min(15em, 30vh)", borderRadius: "8px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 12px 4px 8px", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600", color: "var(--accent)" },
  ".cm-tooltip.cm-completionInfo": { padding: "0", maxWidth: "340px", overflow: "auto", whiteSpace: "normal" },
  ".cm-completionInfo .card": { maxWidth: "none", padding: "8px 12px", fontSize: "13px" },
  ".cm-info-narrow .card": { padding: "6px 8px" },
  ".cm-info-narrow .card .signature": { display: "none" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 12px", fontFamily: "var(--sans)", fontSize: "13px" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "4px", fontSize: "13px" },
  ".cm-textfield": {
    backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line-strong)", borderRadius: "6px",
    padding: "4px 8px", fontFamily: "var(--mono)", fontSize: "13px",
  },
  ".cm-button": {
    background: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line-strong)", borderRadius: "6px",
    padding: "4px 10px", fontFamily: "var(--sans)", fontSize: "13px",
  },
  ".cm-searchMatch": { backgroundColor: "var(--match)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--related)" },
});

/** card is the look of the diagnostic and documentation cards. */
const card = EditorView.theme({
  ".card": { maxWidth: "min(520px, 88vw)", fontFamily: "var(--sans)", fontSize: "14px", lineHeight: "1.5", padding: "12px 16px" },
  ".card + .card": { borderTop: "1px solid var(--line)" },
  ".card p": { margin: "6px 0 0" },
  ".card .headline": { margin: "0", fontWeight: "600" },
  ".card .kind": { fontWeight: "600" },
  ".card-error .kind": { color: "var(--fail)" },
  ".card-warning .kind": { color: "var(--warn)" },
  ".card-hint .kind": { color: "var(--ink-2)" },
  ".card .why": { color: "var(--ink-2)" },
  ".card code, .card pre": { fontFamily: "var(--mono)", fontSize: "0.92em" },
  ".card pre": { margin: "6px 0 0", whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
  ".card pre.signature": { margin: "0", fontWeight: "500" },
  ".card.signature-help": { padding: "6px 12px 8px", fontSize: "13px" },
  ".card.signature-help p": { margin: "2px 0 0" },
  ".card pre.signature mark": { background: "none", color: "var(--accent)", fontWeight: "700", textDecoration: "underline", textUnderlineOffset: "3px" },
  ".card pre.example": { background: "var(--sunken)", padding: "8px 10px", borderRadius: "6px" },
  ".card blockquote": { margin: "8px 0 0", padding: "0 0 0 10px", borderLeft: "2px solid var(--line-strong)", color: "var(--ink-2)" },
  ".card blockquote b": { fontWeight: "500", fontSize: "12px" },
  ".card .mistake": { marginTop: "10px" },
  ".card .mistake summary": { cursor: "pointer", color: "var(--ink-2)", fontSize: "13px" },
  ".card .fixes": { display: "flex", flexWrap: "wrap", gap: "8px", marginTop: "10px" },
  ".card button": {
    font: "inherit", fontSize: "13px", minHeight: "28px", padding: "3px 12px", borderRadius: "6px", cursor: "pointer",
    border: "1px solid var(--line-strong)", background: "var(--surface)", color: "var(--ink)",
  },
  ".card button:hover": { borderColor: "var(--accent)", color: "var(--accent)" },
  ".card button:focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
});

const syntax = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], color: "var(--syn-keyword)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--syn-call)" },
  { tag: tags.function(tags.definition(tags.variableName)), color: "var(--syn-call)", fontWeight: "600" },
  { tag: [tags.number, tags.bool, tags.null, tags.self], color: "var(--syn-number)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--syn-string)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--ink-3)" },
  { tag: tags.meta, color: "var(--accent)" },
  { tag: [tags.operator, tags.punctuation, tags.derefOperator], color: "var(--ink-2)" },
  { tag: tags.invalid, color: "var(--fail)" },
]);

export const theme = [look, marks, floats, card, syntaxHighlighting(syntax)];
