import { type EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { d } from "../i18n/document";
import { type Cell, cellsOf } from "../lib/cells";
import { debounce } from "../lib/debounce";
import { render, SafeHTML } from "../statement/safe-html";
import { cursorStays, Slotted } from "./slotted";

/** Typing in a text cell does not render it: it is shown as text while the cursor is in it. */
const renderDelayMs = 50;

/** Made is the HTML of text cells, by their Markdown. */
type Made = ReadonlyMap<string, string>;

const made = StateEffect.define<Made>();

interface Shown {
  html: Made;
  moved: boolean; // the cursor, by a person: where a document opens, it is in no cell yet
  decorations: DecorationSet;
}

/** shown replaces the text of each text cell that the cursor is not in by what it says. */
const shown = StateField.define<Shown>({
  // Somebody may have selected all of a document before this part of the page had come.
  create: (state) => decorate(state, new Map(), !state.selection.main.empty),
  update(before, transaction) {
    let { html } = before;
    for (const effect of transaction.effects) if (effect.is(made)) html = new Map([...html, ...effect.value]);
    const moved = !transaction.isUserEvent("input.replace") && (before.moved || transaction.selection !== undefined);
    if (html === before.html && moved === before.moved && !transaction.docChanged && !transaction.selection) return before;
    return decorate(transaction.state, html, moved);
  },
  provide: (field) => EditorView.decorations.from(field, (f) => f.decorations),
});

function decorate(state: EditorState, html: Made, moved: boolean): Shown {
  const ranges = proseCells(state).flatMap((cell) => {
    const found = html.get(markdownOf(state, cell));
    const { from, to } = linesOf(state, cell);
    const inside = moved && state.selection.ranges.some((r) => r.from <= to && r.to >= from);
    return found === undefined || inside ? [] : [Decoration.replace({ widget: new ProseWidget(found), block: true }).range(from, to)];
  });
  return { html, moved, decorations: Decoration.set(ranges) };
}

function proseCells(state: EditorState): Cell[] {
  return cellsOf(state.doc.toString()).filter((c) => c.kind === "markdown" && c.from > c.start && c.to > c.from);
}

/** linesOf are the whole lines of a cell, its marker's among them. */
function linesOf({ doc }: EditorState, cell: Cell): { from: number; to: number } {
  return { from: doc.lineAt(cell.start).from, to: doc.lineAt(cell.to).to };
}

/** markdownOf is what a cell of prose says, without the comments that it is written in. */
function markdownOf({ doc }: EditorState, cell: Cell): string {
  const text = doc.sliceString(cell.from, cell.to);
  const quoted = /^[rR]?("""|''')([^]*)\1$/.exec(text);
  if (quoted) return (quoted[2] ?? "").replace(/^\n+|\n+$/g, "");
  const lines = text.split("\n");
  return lines.every((l) => l.startsWith("#")) ? lines.map((l) => l.replace(/^# ?/, "")).join("\n") : text;
}

/** A line of prose in HTML is about so many characters, and each of its blocks has some room about it. */
const lineCharacters = 80;
const blocks = /<(p|li|h\d|tr|pre|blockquote)\b/g;

class ProseWidget extends Slotted {
  constructor(readonly html: string) {
    super("cell-text", html, html.length / lineCharacters + (html.match(blocks)?.length ?? 0));
  }

  override content(view: EditorView, element: HTMLElement) {
    return <Text html={this.html} edit={() => goInto(view, element)} />;
  }
}

/** Text is what a text cell says; a double click or its button shows it as text. */
function Text({ html, edit }: { html: string; edit: () => void }) {
  return (
    <div onDblClick={edit}>
      <SafeHTML html={html} />
      <button type="button" class="quiet cell-edit" onClick={edit}>{d.value.editText}</button>
    </div>
  );
}

/** goInto shows a text cell as the text that it is. */
function goInto(view: EditorView, element: HTMLElement): void {
  const at = view.posAtDOM(element);
  const cell = proseCells(view.state).find((c) => at >= c.start && at <= c.to);
  if (!cell) return;
  view.dispatch({ selection: { anchor: cell.from } });
  view.focus();
}

/** How many lines from a text cell the cursor is moved by its line, and not by its place on the screen. */
const near = 3;

/** step moves the cursor a line up (-1) or down (1) next to a text cell, which it would jump over. */
function step(view: EditorView, direction: 1 | -1): boolean {
  const { doc, selection: { main } } = view.state;
  const line = doc.lineAt(main.head);
  const next = line.number + direction;
  if (!main.empty || next < 1 || next > doc.lines) return false;
  const beyond = doc.line(Math.max(1, Math.min(doc.lines, line.number + direction * near)));
  let close = false;
  view.state.field(shown).decorations.between(Math.min(line.from, beyond.from), Math.max(line.to, beyond.to), () => void (close = true));
  if (!close) return false;
  const to = doc.line(next);
  view.dispatch({ selection: { anchor: Math.min(to.from + main.head - line.from, to.to) }, scrollIntoView: true });
  return true;
}

const keys = Prec.high(keymap.of([
  { key: "ArrowDown", run: (view) => step(view, 1) },
  { key: "ArrowUp", run: (view) => step(view, -1) },
]));

/** renderer asks for the HTML of text cells that are new. */
const renderer = ViewPlugin.fromClass(
  class {
    private readonly ask: () => void;
    private gone = false;
    constructor(view: EditorView) {
      this.ask = debounce(() => void this.make(view), renderDelayMs);
      this.ask();
    }
    update(update: ViewUpdate) {
      if (update.docChanged) this.ask();
    }
    destroy() {
      this.gone = true;
    }
    private async make(view: EditorView) {
      const { html } = view.state.field(shown);
      const wanted = [...new Set(proseCells(view.state).map((c) => markdownOf(view.state, c)))].filter((source) => !html.has(source));
      if (!wanted.length) return;
      const list = await render(wanted).catch(() => []);
      if (this.gone || list.length !== wanted.length) return;
      view.dispatch({ effects: [...cursorStays(view), made.of(new Map(wanted.map((w, i) => [w, list[i] ?? ""])))] });
    }
  },
);

/** proseShown shows text cells as what they say. */
export const proseShown: Extension = [shown, renderer, keys];
