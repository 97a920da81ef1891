import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** A continuation row is indented by at most this many columns, so that a phone has room left for text. */
const maxHang = 16;

/**
 * hangOf is how many columns the continuation rows of a wrapped line are indented: those of a comment
 * begin under its text, those of code four columns behind the line's own indentation.
 */
export function hangOf(line: string): number {
  const indent = line.length - line.trimStart().length;
  const comment = /^#\s*/.exec(line.trimStart());
  return Math.min(maxHang, indent + (comment ? comment[0].length : 4));
}

const hangs = Array.from({ length: maxHang + 1 }, (_, columns) => Decoration.line({ class: `cm-hang-${columns}` }));

function hangingLines(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { doc } = view.state;
  for (const { from, to } of view.visibleRanges) {
    for (let pos = from; pos <= to; ) {
      const line = doc.lineAt(pos);
      const hang = hangs[hangOf(line.text)];
      if (hang) builder.add(line.from, line.from, hang);
      pos = line.to + 1;
    }
  }
  return builder.finish();
}

const hanging = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = hangingLines(view);
    }

    update({ view, docChanged, viewportChanged }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = hangingLines(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** One class for each width: the page's policy allows no style attributes. */
const look = EditorView.theme(
  Object.fromEntries(hangs.map((_, columns) => [
    `.cm-line.cm-hang-${columns}`, { textIndent: `-${columns}ch`, paddingLeft: `calc(${columns}ch + 6px)` },
  ])),
);

/** wrap breaks long lines at the edge of the editor and indents what continues them. */
export const wrap: Extension = [EditorView.lineWrapping, hanging, look];
