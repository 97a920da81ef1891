import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Line } from "../gen/code";
import { g } from "../i18n/stages";
import { condense, diff, nextOf } from "../lib/diff";
import { Icon } from "../ui/icons";
import { CodeLines } from "./lines";

/** context is how many lines of both texts are shown around a difference. */
const context = 3;

interface DifferenceProps {
  before: readonly Line[];
  after: readonly Line[];
  label: string;
  view: (text: string) => ComponentChildren;
}

/** Difference shows what one text of code has that another has not, in words and line by line. */
export default function Difference({ before, after, label, view }: DifferenceProps) {
  const words = g.value;
  const { rows, added, removed, starts, first } = useMemo(() => compare(before, after, words.skipped), [before, after, words]);
  const lines = useMemo(() => rows.map(({ line }) => line), [rows]);
  const [jump, setJump] = useState({ rows, to: -1, number: -1 });
  const go = (by: 1 | -1) => {
    const number = nextOf(starts.length, jump.rows === rows ? jump.number : -1, by);
    setJump({ rows, to: starts[number] ?? -1, number });
  };
  if (!starts.length) return <p class="code-head" role="status">{words.alike} {words.numbering}</p>;
  return (
    <>
      <div class="code-head">
        <p id="difference" role="status"><b>{words.differ(added, removed, first.at, first.line)}</b> {words.numbering}</p>
        <button type="button" class="tool" aria-label={words.previous} title={words.previous} onClick={() => go(-1)}><Icon name="left" /></button>
        <button type="button" class="tool" id="next-difference" aria-label={words.next} title={words.next} onClick={() => go(1)}><Icon name="right" /></button>
      </div>
      <CodeLines lines={lines} label={label} view={view} jump={jump} kindOf={(i) => rows[i]?.kind} />
    </>
  );
}

/** numbers are those of values, registers and labels, which an operation more or less shifts in all lines after it. */
const numbers = /([%$][A-Za-z_]*)\d+/g;

function compare(before: readonly Line[], after: readonly Line[], skipped: (count: number) => string) {
  const keys = (lines: readonly Line[]) => lines.map(({ text }) => text.replace(numbers, "$1"));
  const all = diff(keys(before), keys(after));
  const differences = all.filter((row) => row.kind !== "same");
  const rows = condense(all, context).map((row) => {
    if (row.kind === "skipped") return { kind: row.kind, line: { text: skipped(row.count), from: 0, to: 0, line: 0 } };
    return { kind: row.kind, line: (row.kind === "removed" ? before : after)[row.at] ?? { text: "", from: 0, to: 0, line: 0 } };
  });
  const differs = (i: number) => rows[i]?.kind === "added" || rows[i]?.kind === "removed";
  const starts = rows.flatMap((_, i) => (differs(i) && !differs(i - 1) ? [i] : []));
  const [row] = differences;
  return {
    rows, starts,
    added: differences.filter(({ kind }) => kind === "added").length, removed: differences.filter(({ kind }) => kind === "removed").length,
    first: { at: (row?.at ?? 0) + 1, line: rows[starts[0] ?? 0]?.line.line ?? 0 },
  };
}
