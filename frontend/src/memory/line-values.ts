import { StateEffect, StateField, type Range } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { CardSource, EditorControls } from "../state/view";
import type { LineValue } from "./inspected";

/** LineValues are the values of a program's lines at a step, and the line of that step. */
export interface LineValues {
  source: string; // of the lines
  line: number;
  values: readonly LineValue[];
  open: (step: number) => void; // opens the whole value of a step
}

const setLineValues = StateEffect.define<LineValues | undefined>();

const hovers = matchMedia("(hover: hover)");

/** Chip is a line's value behind its text. Its text is generated content: it is no part of the text that a person selects. */
class Chip extends WidgetType {
  constructor(readonly value: LineValue, readonly open: (step: number) => void) {
    super();
  }

  override eq({ value }: Chip): boolean {
    return value.text === this.value.text && value.step === this.value.step && value.wrong === this.value.wrong && value.earlier === this.value.earlier;
  }

  override toDOM(view: EditorView): HTMLElement {
    const chip = document.createElement("span");
    const { wrong, earlier } = this.value;
    chip.className = ["cm-line-value", wrong && "cm-wrong-value", earlier && "cm-earlier-value"].filter(Boolean).join(" ");
    chip.setAttribute("aria-hidden", "true"); // the table of the steps has it as text
    chip.dataset["text"] = this.value.text;
    chip.addEventListener("mousedown", (event) => {
      event.preventDefault();
      this.open(this.value.step);
      // Who clicks behind a line means to write on there; a finger would bring its keyboard.
      view.dispatch({ selection: { anchor: view.state.doc.lineAt(view.posAtDOM(chip)).to } });
      if (hovers.matches) view.focus();
    });
    return chip;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const stepLine = Decoration.line({ class: "cm-step-line" });

const lineValuesField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setLineValues));
    if (!set) return shown.map(transaction.changes);
    return decorations(set.value, transaction.newDoc.toString(), (line) => transaction.newDoc.line(line));
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** decorations are made for the very text that was run; edits move them along until the next reply. */
function decorations(of: LineValues | undefined, text: string, line: (n: number) => { from: number; to: number }): DecorationSet {
  if (!of || of.source !== text) return Decoration.none;
  const ranges: Range<Decoration>[] = of.values.map((value) => {
    const chip = Decoration.widget({ widget: new Chip(value, of.open), side: 1 });
    return chip.range(line(value.line).to);
  });
  if (of.line > 0) ranges.push(stepLine.range(line(of.line).from));
  return Decoration.set(ranges, true);
}

const look = EditorView.theme({
  ".cm-step-line": { boxShadow: "inset 3px 0 0 var(--accent)", backgroundColor: "var(--accent-soft)" },
  ".cm-line-value": {
    display: "inline-block", maxWidth: "100%", textIndent: "0", marginLeft: "14px", padding: "1px 7px", borderRadius: "5px",
    backgroundColor: "var(--sunken)", color: "var(--ink-3)",
    fontSize: "0.86em", whiteSpace: "pre-wrap", cursor: "pointer",
  },
  ".cm-line-value::after": { content: "attr(data-text)" },
  ".cm-line-value:hover": { color: "var(--ink)" },
  ".cm-earlier-value": { backgroundColor: "transparent", fontStyle: "italic" },
  ".cm-wrong-value, .cm-wrong-value:hover": { backgroundColor: "var(--fail-soft)", color: "var(--fail)" },
  "@media (forced-colors: active)": { ".cm-step-line": { outline: "1px solid Highlight" } },
});

/** valueCard tells the value of what is under the pointer; its script is fetched when it is first wanted. */
const valueCard: CardSource = async (view, pos, side) => import("./hover").then(({ tooltipAt }) => tooltipAt(view, pos, side), () => null);

/**
 * showLineValues shows values in the editor; undefined shows none. The editor gives its facet of cards: a module that both shared
 * would be a request of each first visit.
 */
export function showLineValues({ view, cardSource }: EditorControls, of: LineValues | undefined): void {
  const known = view.state.field(lineValuesField, false);
  if (known === undefined && !of) return;
  const set = setLineValues.of(of);
  view.dispatch({ effects: known === undefined ? [StateEffect.appendConfig.of([lineValuesField, look, cardSource.of(valueCard)]), set] : set });
}
