import { StateEffect, StateField } from "@codemirror/state";
import { EditorView, type Tooltip, type TooltipView, showTooltip, tooltips } from "@codemirror/view";
import { helper } from "../engine/engines";
import { latest } from "../engine/latest";
import { lang } from "../settings/settings";
import { cardSource, hover } from "./hover-cards";
import { docCard, problemCard } from "./card";
import { type Shown, problemsIn } from "./problems";
import { showRelated } from "./related";

/** pin shows the cards of some diagnostics until the text or the selection changes. */
const pin = StateEffect.define<readonly Shown[]>();

const pinned = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    const effect = transaction.effects.find((e) => e.is(pin));
    if (effect) return effect.value.length ? tooltipOf(effect.value) : null;
    return transaction.docChanged || transaction.selection ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

/** pinProblem moves to a diagnostic and opens its card. */
export function pinProblem(view: EditorView, problem: Shown): void {
  const here = problemsIn(view.state).filter((p) => p.from === problem.from);
  view.dispatch({
    selection: { anchor: problem.from },
    effects: [EditorView.scrollIntoView(problem.from, { y: "center" }), pin.of(here)],
  });
}

/** unpin closes the pinned cards and reports whether there were any. */
export function unpin(view: EditorView): boolean {
  if (!view.state.field(pinned)) return false;
  view.dispatch({ effects: pin.of([]) });
  return true;
}

function tooltipOf(problems: readonly Shown[]): Tooltip {
  const [first] = problems;
  return { pos: first?.from ?? 0, above: false, create: (view) => problemView(view, problems) };
}

/** problemView highlights the related places for as long as the cards are open. */
function problemView(view: EditorView, problems: readonly Shown[], extra?: HTMLElement): TooltipView {
  const dom = document.createElement("div");
  const close = () => void unpin(view);
  dom.append(...problems.map((p) => problemCard(view, p.diagnostic, close)));
  if (extra) dom.append(extra);
  const places = problems.flatMap((p) => p.diagnostic.related);
  const later = (show: typeof places) => queueMicrotask(() => view.dom.isConnected && view.dispatch({ effects: showRelated.of(show) }));
  return {
    dom,
    mount: () => places.length && later(places),
    destroy: () => places.length && later([]),
  };
}

const ask = latest(({ source, offset }: { source: string; offset: number }) =>
  helper.call({ lang: lang.peek(), hover: { source, offset } }),
);

async function documentation(view: EditorView, pos: number): Promise<Tooltip | null> {
  const source = view.state.doc.toString();
  const problems = problemsIn(view.state).filter((p) => p.from <= pos && pos <= p.to);
  const reply = (await ask({ source, offset: pos }))?.hover;
  const doc = reply && reply.signature ? reply : undefined;
  if (!problems.length && !doc) return null;
  const from = Math.min(...problems.map((p) => p.from), doc ? doc.from : pos);
  const to = Math.max(...problems.map((p) => p.to), doc ? doc.to : pos);
  return { pos: from, end: to, above: false, create: (v) => problemView(v, problems, doc && docCard(doc)) };
}

/** Cards stay in the editor's column, next to the result that they are often read together with, and above a phone's keyboard. */
const space = tooltips({
  tooltipSpace: (view) => {
    const { left, right } = view.dom.getBoundingClientRect();
    return { left, right, top: 0, bottom: visualViewport?.height ?? innerHeight };
  },
});

export const cards = [pinned, cardSource.of(documentation), hover, space];
