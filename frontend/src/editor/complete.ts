import { type Completion, type CompletionContext, type CompletionResult, autocompletion } from "@codemirror/autocomplete";
import type { EditorView, Rect } from "@codemirror/view";
import { helper } from "../engine/engines";
import { latest } from "../engine/latest";
import { puzzles } from "../content/content";
import { neededNames } from "../content/needed";
import type { Completion as Item } from "../gen/api";
import { lang } from "../settings/settings";
import { puzzle } from "../document/workspace";
import { docCard } from "./card";

const ask = latest(({ source, offset }: { source: string; offset: number }) =>
  helper.call({ lang: lang.peek(), complete: { source, offset, needed: needed() } }),
);

/** needed are the names that the puzzle asks for; somebody's own puzzle has none before it. */
function needed(): string[] {
  const current = puzzle.peek();
  return current ? neededNames(current, current.own ? [] : puzzles.peek()) : [];
}

/** complete asks the worker; it proposes nothing in the midst of plain typing before a name or a dot. */
async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/[\w.]$/)) return null;
  const reply = await ask({ source: context.state.doc.toString(), offset: context.pos });
  if (!reply?.complete || context.aborted) return null;
  const { from, items } = reply.complete;
  return { from, options: items.map(optionOf), validFor: /^\w*$/ };
}

function optionOf({ label, kind, detail, doc, rank }: Item): Completion {
  const documented = doc ? { info: () => docCard({ from: 0, to: 0, signature: detail, doc, example: "" }) } : {};
  return { label, type: kind, boost: rank, ...documented };
}

/** The documentation is at most this wide; below narrowInfo it leaves out the signature. All in px. */
const maxInfo = 340;
const narrowInfo = 200;

/**
 * placeInfo puts the documentation next to the list, on the side with more room, and never over it. Like
 * the list it keeps to its side of the line: below, or above where the list has gone there.
 */
export function placeInfo(list: Rect, space: Rect, below: boolean): { style: string; class: string } {
  const right = space.right - list.right;
  const left = list.left - space.left;
  const onRight = right >= Math.min(maxInfo, left);
  const width = Math.min(maxInfo, onRight ? right : left);
  const height = below ? space.bottom - list.top : list.bottom - space.top;
  return {
    style: `${onRight ? "left" : "right"}: 100%; ${below ? "top" : "bottom"}: 0; max-width: ${width}px; max-height: ${height}px`,
    class: width < narrowInfo ? "cm-info-narrow" : "",
  };
}

function isBelow(view: EditorView, list: Rect): boolean {
  const line = view.coordsAtPos(view.state.selection.main.head);
  return !line || list.top >= line.top;
}

export const completion = autocompletion({
  override: [complete],
  icons: false,
  positionInfo: (view, list, _option, _info, space) => placeInfo(list, space, isBelow(view, list)),
});
