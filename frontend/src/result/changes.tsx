import { useMemo } from "preact/hooks";
import { condense, diff, type Row } from "../lib/diff";

const signs = { same: " ", removed: "−", added: "+", skipped: "⋯" } as const;
const elements = { same: "span", removed: "del", added: "ins", skipped: "span" } as const;

/** linesOf are the lines of a text, without what cannot be seen. */
const linesOf = (text: string) => text.trimEnd().split("\n").map((line) => line.trimEnd());

/** differences are the rows of two texts that belong to one of them alone. */
export function differences(before: string, after: string): Row[] {
  return diff(linesOf(before), linesOf(after)).filter(({ kind }) => kind !== "same");
}

interface ChangesProps {
  before: string;
  after: string;
  context: number; // lines that are shown around each difference
  label?: string;
}

/** Changes shows line by line how one text becomes another; texts without a difference are shown whole. */
export function Changes({ before, after, context, label }: ChangesProps) {
  const rows = useMemo(() => {
    const texts = [linesOf(before), linesOf(after)] as const;
    const all = diff(...texts);
    const some = all.every(({ kind }) => kind === "same") ? all : condense(all, context);
    return some.map((row) => ({ kind: row.kind, text: row.kind === "skipped" ? "" : texts[row.kind === "removed" ? 0 : 1][row.at] }));
  }, [before, after, context]);
  return (
    <pre class="changes" tabIndex={0} aria-label={label}>
      {rows.map(({ kind, text }, i) => {
        const Line = elements[kind];
        return <Line key={i} class={`line-${kind}`}>{`${signs[kind]} ${text}\n`}</Line>;
      })}
    </pre>
  );
}
