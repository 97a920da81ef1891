import { RangeSetBuilder, StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, ViewPlugin, type ViewUpdate, gutter } from "@codemirror/view";
import { d } from "../i18n/document";
import { cellAt, cellsOf } from "../lib/cells";
import { beneath, forgetRun, isOfDocument, type Place, runCells } from "../run/cells";
import { Outputs } from "./output";
import { look } from "./look";
import { proseShown } from "./prose";
import { cursorStays, Slotted } from "./slotted";

/** place shows the outputs of a run beneath a cell, in the place of those of an earlier run. */
const place = StateEffect.define<Place>();

/** shown are the outputs beneath their cells; they move as the text does. */
const shown = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    // Another text in the place of a cell's is not what its outputs are of, nor is another document's.
    const replaced = transaction.isUserEvent("input.replace");
    const stays = (at: number, run: number) => isOfDocument(run) && !transaction.changes.touchesRange(at);
    const kept = replaced ? set.update({ filter: (at, _, outputs) => stays(at, runOf(outputs)) }) : set;
    let next = kept.map(transaction.changes);
    const placed = transaction.effects.filter((effect) => effect.is(place));
    if (!placed.length) return next;
    const { length } = transaction.newDoc, cells = cellsOf(transaction.newDoc.toString());
    for (const effect of placed) {
      const from = Math.min(effect.value.from, length), to = Math.min(effect.value.to, length);
      const end = cellAt(cells, from)?.end ?? to;
      next = next.update({
        filter: (at) => at < from || at > Math.max(to, end - 1),
        add: [Decoration.widget({ widget: new OutputWidget(effect.value.run), block: true, side: 1 }).range(transaction.newDoc.lineAt(to).to)],
      });
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function runOf({ spec }: Decoration): number {
  return (spec as { widget: OutputWidget }).widget.run;
}

class OutputWidget extends Slotted {
  constructor(readonly run: number) {
    super("cell-output", String(run), 2);
  }

  override content() {
    return <Outputs run={this.run} />;
  }
}

/** lines mark where cells begin, and which are prose. */
const lines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = markLines(view.state);
    }
    update(update: ViewUpdate) {
      if (update.docChanged) this.decorations = markLines(update.state);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const begins = Decoration.line({ class: "cm-cell-begins" });
const prose = Decoration.line({ class: "cm-cell-prose" });

function markLines({ doc }: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const cell of cellsOf(doc.toString())) {
    const first = doc.lineAt(cell.start);
    if (cell.from > cell.start) builder.add(first.from, first.from, begins);
    if (cell.kind === "code" || cell.to <= cell.from) continue;
    for (let n = doc.lineAt(cell.from).number; n <= doc.lineAt(cell.to).number; n++) {
      const { from } = doc.line(n);
      builder.add(from, from, prose);
    }
  }
  return builder.finish();
}

class RunMarker extends GutterMarker {
  override toDOM(): HTMLElement {
    const button = document.createElement("div");
    button.className = "cm-cell-run";
    button.title = d.peek().runCell;
    return button;
  }
}

const runMarker = new RunMarker();

/** runGutter runs a cell by a click beside its first line; keys have Ctrl+Enter. */
const runGutter = gutter({
  class: "cm-cells",
  markers: ({ state }) => {
    const builder = new RangeSetBuilder<GutterMarker>();
    for (const cell of cellsOf(state.doc.toString())) {
      if (cell.kind === "code" && cell.to > cell.from) builder.add(state.doc.lineAt(cell.start).from, state.doc.lineAt(cell.start).from, runMarker);
    }
    return builder.finish();
  },
  domEventHandlers: {
    click: (view, line) => {
      const cell = cellAt(cellsOf(view.state.doc.toString()), line.from);
      if (cell?.kind !== "code" || view.state.doc.lineAt(cell.start).from !== line.from) return false;
      runCells([cell]);
      return true;
    },
  },
});

/** tell keeps beneath in step with the editor. */
const tell = EditorView.updateListener.of(({ state, startState }) => {
  const now = state.field(shown, false);
  if (!now || (now === startState.field(shown, false) && state.doc === startState.doc)) return;
  const list: { run: number; at: number }[] = [];
  for (const at = now.iter(); at.value; at.next()) list.push({ run: runOf(at.value), at: at.from });
  for (const { run } of beneath.peek()) if (!list.some((l) => l.run === run)) forgetRun(run);
  beneath.value = list;
});

const extension: Extension = [shown, lines, runGutter, tell, proseShown, look];

/** showOutputs makes the editor show a document's cells, and places outputs beneath them. */
export function showOutputs(view: EditorView, places: readonly Place[]): void {
  if (view.state.field(shown, false) === undefined) view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  if (places.length) view.dispatch({ effects: [...cursorStays(view), ...places.map((p) => place.of(p)), ...outputsIn(view, places)] });
}

/** outputsIn brings the outputs of a document of one cell into view where they are not: they are what it was run for. */
function outputsIn(view: EditorView, [only]: readonly Place[]): readonly StateEffect<unknown>[] {
  if (!only || cellsOf(view.state.doc.toString()).length !== 1) return [];
  const at = Math.min(only.to, view.state.doc.length);
  const end = view.coordsAtPos(at);
  const { top, bottom } = view.scrollDOM.getBoundingClientRect();
  const room = (bottom - top) / 4; // for some lines of output
  return end && end.bottom >= top && end.bottom < bottom - room ? [] : [EditorView.scrollIntoView(at, { y: "center" })];
}
