import { type EditorState, RangeSet, StateEffect, StateField, type Text } from "@codemirror/state";
import { EditorView, GutterMarker, gutterLineClass, lineNumbers } from "@codemirror/view";
import { signal } from "@preact/signals";
import { doc } from "../document/workspace";
import { lineOfCode } from "../lib/line-of-code";
import { type Breakpoint, keep, kept } from "./kept-breakpoints";

export type { Breakpoint };

/** change sets a line's breakpoint; without a condition it is taken away. */
const change = StateEffect.define<{ line: number; condition: string | undefined }>();

class Mark extends GutterMarker {
  override elementClass = "cm-breakpoint";

  constructor(readonly condition: string) {
    super();
  }

  override eq(other: Mark): boolean {
    return this.condition === other.condition;
  }
}

/** marks are the breakpoints of a text; edits move them along with their lines. */
const marks = StateField.define<RangeSet<Mark>>({
  create: () => RangeSet.empty,
  update(before, transaction) {
    const { newDoc } = transaction;
    const list = listOf(before.map(transaction.changes), (at) => newDoc.lineAt(at).number);
    for (const { value } of transaction.effects.filter((effect) => effect.is(change))) {
      const at = list.findIndex(({ line }) => line === value.line);
      if (at >= 0) list.splice(at, 1);
      if (value.condition !== undefined) list.push({ line: value.line, condition: value.condition });
    }
    return marked(list, newDoc);
  },
  provide: (field) => gutterLineClass.from(field),
});

/** marked marks the lines of breakpoints in a text. */
function marked(list: readonly Breakpoint[], text: Text): RangeSet<Mark> {
  return RangeSet.of(list.map(({ line, condition }) => new Mark(condition).range(text.line(line).from)), true);
}

/** listOf lists breakpoints by their lines, of which two that have become one keep the first. */
function listOf(of: RangeSet<Mark>, lineAt: (at: number) => number): Breakpoint[] {
  const list = new Map<number, string>();
  for (const cursor = of.iter(); cursor.value; cursor.next()) {
    const line = lineAt(cursor.from);
    if (!list.has(line)) list.set(line, cursor.value.condition);
  }
  return [...list].map(([line, condition]) => ({ line, condition }));
}

/** changed counts what has changed the breakpoints, so that their list follows. */
export const changed = signal(0);

const look = EditorView.theme({
  ".cm-lineNumbers .cm-gutterElement": { cursor: "pointer" },
  ".cm-lineNumbers .cm-breakpoint": { borderRadius: "4px", backgroundColor: "var(--fail)", color: "var(--surface)" },
  "@media (forced-colors: active)": { ".cm-lineNumbers .cm-breakpoint": { outline: "2px solid Highlight", outlineOffset: "-2px" } },
});

const toggleByMouse = lineNumbers({
  domEventHandlers: {
    mousedown(view, line) {
      toggleBreakpoint(view, view.state.doc.lineAt(line.from).number);
      return true;
    },
  },
});

const follow = EditorView.updateListener.of(({ docChanged, transactions, view }) => {
  if (!docChanged && !transactions.some(({ effects }) => effects.some((effect) => effect.is(change)))) return;
  keep(doc.peek(), breakpointsOf(view));
  changed.value++;
});

/** install lets a text have breakpoints, which a click on a line's number sets and takes away; it has those that were kept. */
export function install(view: EditorView): void {
  if (view.state.field(marks, false)) return;
  const list = kept(doc.peek()).filter(({ line }) => line <= view.state.doc.lines);
  const had = marks.init(({ doc: text }) => marked(list, text));
  view.dispatch({ effects: StateEffect.appendConfig.of([had, look, toggleByMouse, follow]) });
}

/** breakpointsOf lists the breakpoints of a text. */
export function breakpointsOf({ state }: { state: EditorState }): Breakpoint[] {
  const of = state.field(marks, false);
  return of ? listOf(of, (at) => state.doc.lineAt(at).number) : [];
}

/** setBreakpoint sets a line's breakpoint, or takes it away. */
export function setBreakpoint(view: EditorView, line: number, condition: string | undefined): void {
  install(view); // a document that was opened since has none yet
  if (line <= view.state.doc.lines) view.dispatch({ effects: change.of({ line, condition }) });
}

/** toggleBreakpoint sets a line's breakpoint where there is none, or takes it away: that of the next line with code. */
export function toggleBreakpoint(view: EditorView, at: number): void {
  const line = lineOfCode(view.state.doc.toString(), at);
  setBreakpoint(view, line, breakpointsOf(view).some((b) => b.line === line) ? undefined : "");
}
