import { type Diagnostic as Mark, forEachDiagnostic, setDiagnostics } from "@codemirror/lint";
import { ChangeSet, type EditorState, StateEffect, StateField, type Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Diagnostic, Fix } from "../gen/api";

/** Shown is a diagnostic where it stands now. */
export interface Shown {
  diagnostic: Diagnostic;
  from: number;
  to: number;
}

const received = StateEffect.define<Text>();

/** sinceCheck holds what has been changed since the diagnostics were made, to map their edits. */
export const sinceCheck = StateField.define<ChangeSet>({
  create: (state) => ChangeSet.empty(state.doc.length),
  update(changes, transaction) {
    const fresh = transaction.effects.some((e) => e.is(received));
    if (fresh) return ChangeSet.empty(transaction.newDoc.length);
    return transaction.docChanged ? changes.compose(transaction.changes) : changes;
  },
});

type ProblemMark = Mark & { problem: Diagnostic };

/** receiveProblems shows the diagnostics of source, unless the text is another by now. */
export function receiveProblems(view: EditorView, source: string, list: readonly Diagnostic[]): void {
  const { doc } = view.state;
  if (doc.length !== source.length || doc.toString() !== source) return;
  const marks = list.map((problem): ProblemMark => {
    const from = clamp(problem.from, doc.length);
    return {
      problem, from, to: Math.max(from, clamp(problem.to, doc.length)),
      severity: severityOf(problem), message: problem.headline,
      ...(problem.code === "unreachable-code" && { markClass: "cm-unreachable" }),
    };
  });
  view.dispatch(setDiagnostics(view.state, marks), { effects: received.of(doc) });
}

/** problemsIn lists the diagnostics where they stand now, in the order of the text. */
export function problemsIn(state: EditorState): Shown[] {
  const list: Shown[] = [];
  forEachDiagnostic(state, (mark, from, to) => list.push({ diagnostic: (mark as ProblemMark).problem, from, to }));
  return list.sort((a, b) => a.from - b.from);
}

/** applyFix makes a fix's edits, moved along with what was typed since the diagnostics were made. */
export function applyFix(view: EditorView, fix: Fix): void {
  const moved = view.state.field(sinceCheck);
  const changes = fix.edits
    .filter((e) => e.from <= e.to && e.to <= moved.length)
    .map((e) => ({ from: moved.mapPos(e.from, -1), to: moved.mapPos(e.to, 1), insert: e.insert }));
  view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true });
  view.focus();
}

function severityOf(d: Diagnostic): Mark["severity"] {
  return d.severity === "warning" || d.severity === "hint" ? d.severity : "error";
}

function clamp(offset: number, length: number): number {
  return Math.max(0, Math.min(offset, length));
}
