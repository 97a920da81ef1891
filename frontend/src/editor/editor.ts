import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, undo, undoDepth } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, linter } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type TransactionSpec } from "@codemirror/state";
import {
  EditorView, dropCursor, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap,
  lineNumbers, runScopeHandlers,
} from "@codemirror/view";
import type { Diagnostic, Fix } from "../gen/api";
import { t } from "../i18n/table";
import type { Press } from "../lib/shortcut";
import { cards, pinProblem, unpin } from "./cards";
import { caret } from "./caret";
import { completion } from "./complete";
import { cardSource } from "./hover-cards";
import { phrases } from "./phrases";
import { plainInput, wholeCells } from "./plain-input";
import { applyFix, problemsIn, receiveProblems, sinceCheck } from "./problems";
import { related, showRelated } from "./related";
import { signatureHelp } from "./signature";
import { theme } from "./theme";
import { wrap } from "./wrap";

/**
 * Editor is CodeMirror in a shadow root, where its style rules need no exception from the page's
 * policy. Every document keeps its own undo history while the page is open.
 */
export class Editor {
  readonly view: EditorView;
  readonly cardSource = cardSource;
  private readonly states = new Map<string, EditorState>();
  private readonly label = new Compartment();
  private doc = "";
  private untouched = true; // since a text was opened

  constructor(host: HTMLElement, private readonly onChange: (text: string) => void, private readonly onLine: (line: number) => void) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
    this.view = new EditorView({ root, parent: root as unknown as HTMLElement, state: this.newState("") });
    const { dom } = this.view;
    for (const touch of ["wheel", "pointerdown", "keydown"]) {
      dom.addEventListener(touch, () => { this.untouched = false; }, { capture: true, passive: true });
    }
    // The panes find their sizes after the text has come.
    new ResizeObserver(() => { if (this.untouched) this.showCursor(); }).observe(dom);
  }

  /** show opens a document, or brings the current one to text; undo goes back. */
  show(doc: string, text: string): void {
    if (doc !== this.doc) {
      if (this.doc) this.states.set(this.doc, this.view.state);
      this.doc = doc;
      this.begin(text, this.states.get(doc));
    }
    const now = this.view.state.doc.toString();
    if (now === "" && undoDepth(this.view.state) === 0) this.begin(text); // a puzzle's text comes after its name
    else if (now !== text) this.view.dispatch(replacement(now, text));
  }

  private begin(text: string, state = this.newState(text)): void {
    this.view.setState(state);
    this.relabel();
    this.untouched = true;
    this.showCursor(); // where the text is written on is seen in a low editor, too
  }

  /** receive shows the diagnostics of source. */
  receive(source: string, list: readonly Diagnostic[]): void {
    receiveProblems(this.view, source, list);
  }

  /** step goes to the next (1) or the previous (-1) problem and opens its card. */
  step(direction: 1 | -1): void {
    const problems = problemsIn(this.view.state);
    const { head } = this.view.state.selection.main;
    const ahead = direction > 0 ? problems.find((p) => p.from > head) : problems.findLast((p) => p.from < head);
    const target = ahead ?? problems.at(direction > 0 ? 0 : -1);
    if (!target) return;
    pinProblem(this.view, target);
    this.view.focus();
  }

  /** reveal goes to a diagnostic and opens its card. */
  reveal(diagnostic: Diagnostic): void {
    const problem = problemsIn(this.view.state).find((p) => p.diagnostic === diagnostic);
    if (problem) pinProblem(this.view, problem);
    this.view.focus();
  }

  /** goToLine puts the cursor at the start of a line, counted from 1. */
  goToLine(number: number): void {
    const { doc } = this.view.state;
    const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
    this.view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    this.view.focus();
  }

  cursor(): number {
    return this.view.state.selection.main.head;
  }

  showCursor(): void {
    this.view.dispatch({ effects: EditorView.scrollIntoView(this.cursor(), { y: "nearest", yMargin: 60 }) });
  }

  showLine(line: number): void {
    const { doc } = this.view.state;
    if (line > doc.lines) return;
    this.view.dispatch({ effects: EditorView.scrollIntoView(doc.line(line).from, { y: "nearest", yMargin: 40 }) });
  }

  /** goTo puts the cursor at an offset, and that into view: at the top, or with as little scrolling as there can be. */
  goTo(offset: number, y: "start" | "nearest" = "nearest"): void {
    const anchor = Math.min(offset, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y, yMargin: y === "start" ? 5 : 60 }) });
    this.view.focus();
  }

  /** point marks a place and brings it into view; undefined marks nothing. */
  point(place: { from: number; to: number } | undefined): void {
    const { length } = this.view.state.doc;
    const fits = place && place.from < place.to && place.to <= length;
    const shown = showRelated.of(fits ? [{ from: place.from, to: place.to, line: 0, text: "" }] : []);
    this.view.dispatch({ effects: fits ? [shown, EditorView.scrollIntoView(place.from, { y: "nearest", yMargin: 40 })] : shown });
  }

  press(key: Press): void {
    this.view.focus();
    runScopeHandlers(this.view, new KeyboardEvent("keydown", { ...key }), "editor");
  }

  /** type inserts a text at the cursor as if it were typed: a bracket brings its other half. */
  type(text: string): void {
    const { view } = this;
    const { from, to } = view.state.selection.main;
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
  }

  apply(fix: Fix): void {
    applyFix(this.view, fix);
  }

  undo(): void {
    undo(this.view);
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  /** relabel puts the labels into the current language. */
  relabel(): void {
    this.view.dispatch({ effects: this.label.reconfigure(labels()) });
  }

  destroy(): void {
    this.view.destroy();
  }

  private newState(text: string): EditorState {
    // A text that ends within a function is one to write on in.
    const anchor = /\n +$/.test(text) ? text.length : 0;
    return EditorState.create({ doc: text, selection: { anchor }, extensions: [...extensions, this.label.of(labels()), this.listener] });
  }

  private readonly listener = EditorView.updateListener.of((update) => {
    if (update.docChanged) this.onChange(update.state.doc.toString());
    if (update.selectionSet) this.onLine(update.state.doc.lineAt(update.state.selection.main.head).number);
  });
}

/** labels name the editor, and what is in it, to screen readers; tabindex tells checkers that it takes the focus. */
function labels(): Extension {
  return [EditorView.contentAttributes.of({ "aria-label": t.peek().editorLabel, tabindex: "0" }), phrases()];
}

const extensions: Extension[] = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  caret,
  dropCursor(),
  indentUnit.of("    "),
  EditorState.tabSize.of(4),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  plainInput,
  wholeCells,
  completion,
  highlightActiveLine(),
  highlightSelectionMatches(),
  wrap,
  search({ top: false }),
  python(),
  linter(null, { tooltipFilter: () => [] }),
  lintGutter({ tooltipFilter: () => [] }),
  sinceCheck,
  related,
  cards,
  signatureHelp,
  theme,
  keymap.of([
    { key: "Escape", run: unpin },
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    indentWithTab,
  ]),
];

/** replacement changes only what differs, so that cursor and undo stay close to it. */
function replacement(now: string, text: string): TransactionSpec {
  let start = 0;
  while (start < now.length && start < text.length && now[start] === text[start]) start++;
  let end = 0;
  const room = Math.min(now.length, text.length) - start;
  while (end < room && now[now.length - 1 - end] === text[text.length - 1 - end]) end++;
  return {
    changes: { from: start, to: now.length - end, insert: text.slice(start, text.length - end) },
    userEvent: "input.replace",
  };
}
