import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { EditorView, Tooltip } from "@codemirror/view";
import { render } from "preact";
import { b } from "../i18n/block";
import { choice, pick } from "../run/choice";
import { numberOf } from "./inspected";
import { openedOf } from "./opened";
import { at, current, problem } from "./stage";
import { expressionAt, type Known, nameAt } from "./values";
import { programName } from "./words";

/** tooltipAt is the card of what is at a place of the text: of a name, or else of the smallest expression, as the program has it. */
export function tooltipAt(view: EditorView, pos: number, side: -1 | 1): Tooltip | null {
  const of = current.peek();
  if (!of || problem.peek() || choice.peek().all || view.state.doc.toString() !== of.source) return null;
  const known = knownAt(view.state, pos, side, of.source);
  if (!known) return null;
  return { pos: known.from, end: known.to, above: true, create: () => ({ dom: cardOf(known, view) }) };
}

function knownAt(state: EditorState, pos: number, side: -1 | 1, source: string): Known | undefined {
  const of = current.peek()?.inspected;
  const step = at.peek();
  if (!of) return undefined;
  const node = syntaxTree(state).resolveInner(pos, side);
  let scope = node.parent;
  while (scope && scope.name !== "FunctionDefinition") scope = scope.parent;
  if (!scope) return undefined;
  const title = scope.getChild("VariableName");
  const text = (span: { from: number; to: number }) => source.slice(span.from, span.to);
  const named = node.name === "VariableName" && title?.from !== node.from
    ? nameAt(of, step, { from: node.from, to: node.to, text: text(node) }, { from: scope.from, to: scope.to, name: title ? text(title) : "" })
    : undefined;
  return named ?? expressionAt(of, step, pos, source);
}

function cardOf(known: Known, view: EditorView): HTMLElement {
  const dom = document.createElement("div");
  render(<Card known={known} done={() => view.focus()} />, dom);
  return dom;
}

/** Card is a value with its type, and where it comes from; a click opens all of it. */
function Card({ known: { name, type, text, step }, done }: { known: Known; done: () => void }) {
  const words = b.peek();
  const of = current.peek()?.inspected;
  const given = of?.steps[step];
  const where = !text ? words.notYet : !of || !given ? words.given
    : words.at(programName(numberOf(of.program, of.grid), of.grid), of.from + step + 1, given.line);
  const open = given?.values?.length ? () => {
    done();
    pick({ block: openedOf(given) });
  } : undefined;
  return (
    <section class="card value-card">
      <pre class="signature">{[name, type].join("  ")}</pre>
      {text && <p><code>{text}</code></p>}
      <p class="why">{where}</p>
      {open && <div class="fixes"><button type="button" onClick={open}>{words.open}</button></div>}
    </section>
  );
}
