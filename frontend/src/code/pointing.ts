import { effect, signal } from "@preact/signals";
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

/** Pointed is the line of the source that is under the mouse, in the editor or in a view of its code. */
interface Pointed {
  line: number;
  within: "editor" | "code";
}

const pointed = signal<Pointed | undefined>(undefined);

/** pointedLine is the line under the mouse, counted from 1; 0: none. */
export const pointedLine = () => pointed.value?.line ?? 0;

/** pointRow points to the line of a row of code that the mouse is over. */
export function pointRow(event: PointerEvent): void {
  const line = Number((event.target as HTMLElement).closest<HTMLElement>("[data-line]")?.dataset["line"] ?? 0);
  pointed.value = event.pointerType === "mouse" && line > 0 ? { line, within: "code" } : undefined;
}

/** pointNowhere is for when the mouse has left. */
export function pointNowhere(): void {
  pointed.value = undefined;
}

const markLine = StateEffect.define<number>(); // 0: none

const lineMark = Decoration.line({ class: "cm-pointed" });

const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const { newDoc: text } = transaction;
    const set = transaction.effects.find((e) => e.is(markLine));
    if (!set) return shown.map(transaction.changes);
    return set.value > 0 && set.value <= text.lines ? Decoration.set(lineMark.range(text.line(set.value).from)) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** watchPointer marks in the editor what the mouse is over in the code, and tells the code what it is over in the editor. */
export function watchPointer(view: EditorView): () => void {
  const move = (event: PointerEvent) => {
    if (event.pointerType !== "mouse") return;
    const { from } = view.lineBlockAtHeight(event.clientY - view.documentTop);
    const { number } = view.state.doc.lineAt(from);
    if (pointed.peek()?.line !== number) pointed.value = { line: number, within: "editor" };
  };
  view.scrollDOM.addEventListener("pointermove", move);
  view.scrollDOM.addEventListener("pointerleave", pointNowhere);
  const end = effect(() => mark(view, pointed.value?.within === "code" ? pointed.value.line : 0));
  return () => {
    pointNowhere();
    end();
    view.scrollDOM.removeEventListener("pointermove", move);
    view.scrollDOM.removeEventListener("pointerleave", pointNowhere);
  };
}

function mark(view: EditorView, line: number): void {
  const known = view.state.field(markedLine, false);
  if (known === undefined && line === 0) return;
  const set = markLine.of(line);
  view.dispatch({ effects: known === undefined ? [StateEffect.appendConfig.of(markedLine), set] : set });
}
