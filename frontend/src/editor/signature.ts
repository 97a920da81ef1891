import { type EditorState, StateEffect, StateField } from "@codemirror/state";
import { type Command, EditorView, type Tooltip, ViewPlugin, type ViewUpdate, keymap, showTooltip } from "@codemirror/view";
import { helper } from "../engine/engines";
import { latest } from "../engine/latest";
import type { SignatureReply } from "../gen/api";
import { t } from "../i18n/table";
import { phrase } from "../lib/phrase";
import { lang } from "../settings/settings";

const show = StateEffect.define<SignatureReply | null>();

const shown = StateField.define<SignatureReply | null>({
  create: () => null,
  update(now, transaction) {
    const effect = transaction.effects.find((e) => e.is(show));
    if (effect) return effect.value;
    return now && { ...now, open: transaction.changes.mapPos(now.open, 1) };
  },
  provide: (field) => showTooltip.compute([field], (state) => tooltipOf(state.field(field))),
});

/** tooltipOf stays above the line, whose completions open below it. */
function tooltipOf(help: SignatureReply | null): Tooltip | null {
  return help && { pos: help.open, above: true, create: () => ({ dom: signatureCard(help) }) };
}

function signatureCard(help: SignatureReply): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "card signature-help";
  const line = document.createElement("pre");
  line.className = "signature";
  line.append(`${help.name}(`);
  help.params.forEach((param, i) => {
    if (i > 0) line.append(", ");
    const part = document.createElement(i === help.active ? "mark" : "span");
    part.append(param);
    line.append(part);
  });
  line.append(")");
  dom.append(line);
  if (help.doc) {
    const doc = document.createElement("p");
    doc.className = "why";
    doc.append(...phrase(help.doc));
    dom.append(doc);
  }
  return dom;
}

const ask = latest(({ source, offset }: { source: string; offset: number }) =>
  helper.call({ lang: lang.peek(), signature: { source, offset } }),
);

/** refresh asks for the call at the cursor, and shows it if the text and the cursor are still the same then. */
async function refresh(view: EditorView): Promise<void> {
  const { state } = view;
  const reply = (await ask({ source: state.doc.toString(), offset: state.selection.main.head }))?.signature;
  if (!reply || view.state.doc !== state.doc || !view.state.selection.eq(state.selection)) return;
  const now = view.state.field(shown);
  const help = reply.name ? reply : null;
  if (!help && !now) return;
  const announced = help && !same(help, now) ? [EditorView.announce.of(spoken(help))] : [];
  view.dispatch({ effects: [show.of(help), ...announced] });
}

function same(a: SignatureReply, b: SignatureReply | null): boolean {
  return a.name === b?.name && a.active === b.active && a.open === b.open;
}

/** spoken is the text that a screen reader reads of a call: its name, and the parameter that is being given. */
function spoken({ name, params, active }: SignatureReply): string {
  return t.peek().signatureSpoken(name, params[active] ?? "", active + 1, params.length);
}

/** follow opens the help when a call's bracket or a comma is typed, and follows the cursor while it is open. */
const follow = ViewPlugin.fromClass(
  class {
    update({ docChanged, selectionSet, state, startState, view, transactions }: ViewUpdate): void {
      const typed = docChanged && transactions.some((tr) => tr.isUserEvent("input"));
      if (typed && opens(startState, state)) void refresh(view);
      else if ((docChanged || selectionSet) && state.field(shown)) void refresh(view);
    }
  },
);

/** opens is true where what was just typed begins an argument. */
function opens(before: EditorState, now: EditorState): boolean {
  const { head } = now.selection.main;
  return now.doc.length > before.doc.length && /[(,]\s?$/.test(now.sliceDoc(Math.max(0, head - 2), head));
}

const close: Command = (view) => {
  if (!view.state.field(shown)) return false;
  view.dispatch({ effects: show.of(null) });
  return true;
};

const open: Command = (view) => {
  void refresh(view);
  return true;
};

/**
 * signatureHelp shows the parameters of the call that is being written. Escape closes it, after a list
 * of completions; Ctrl+Shift+Space opens it.
 */
export const signatureHelp = [shown, follow, keymap.of([{ key: "Escape", run: close }, { key: "Ctrl-Shift-Space", run: open }])];
