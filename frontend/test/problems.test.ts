import assert from "node:assert/strict";
import { test } from "node:test";
import { EditorState, type TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { applyFix, problemsIn, receiveProblems, sinceCheck } from "../src/editor/problems";
import type { Diagnostic, Fix } from "../src/gen/api";

/** viewOf is of an editor what problems need of it. */
function viewOf(doc: string) {
  const view = {
    state: EditorState.create({ doc, extensions: sinceCheck }),
    dispatch: (...specs: TransactionSpec[]) => (view.state = view.state.update(...specs).state),
    focus: () => undefined,
  };
  return { type: (from: number, insert: string) => view.dispatch({ changes: { from, insert } }), view: view as unknown as EditorView };
}

const source = "x = tl.sto(p)\n";
const fix: Fix = { title: "", edits: [{ from: 7, to: 10, insert: "store" }] } as unknown as Fix;
const problem = { code: "unknown-name", severity: "error", from: 7, to: 10, headline: "", fixes: [fix] } as unknown as Diagnostic;

test("a fix is made where its text has moved since the check", () => {
  const { view, type } = viewOf(source);
  receiveProblems(view, source, [problem]);
  type(0, "# a comment\n");
  assert.deepEqual(problemsIn(view.state).map(({ from, to }) => [from, to]), [[19, 22]]);
  applyFix(view, fix);
  assert.equal(view.state.doc.toString(), "# a comment\nx = tl.store(p)\n");
});

test("problems of another text than the editor's are not shown", () => {
  const { view, type } = viewOf(source);
  type(0, "#");
  receiveProblems(view, source, [problem]);
  assert.deepEqual(problemsIn(view.state), []);
});
