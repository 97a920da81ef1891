import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Related } from "../gen/api";

/** showRelated highlights the places that explain a diagnostic; an empty list clears them. */
export const showRelated = StateEffect.define<readonly Related[]>();

const mark = Decoration.mark({ class: "cm-related" });

/** related holds the highlighted ranges, mapped through edits. */
export const related = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    const length = transaction.newDoc.length;
    for (const effect of transaction.effects) {
      if (!effect.is(showRelated)) continue;
      const ranges = effect.value.filter((r) => r.from < r.to && r.to <= length).map((r) => mark.range(r.from, r.to));
      next = Decoration.set(ranges, true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
