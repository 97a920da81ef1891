import { useMemo } from "preact/hooks";
import type { Solution } from "../content/content";
import { puzzle } from "../document/workspace";
import { t } from "../i18n/table";
import { condense, diff } from "../lib/diff";
import { result } from "../run/runs";

/** context is how many lines of both answers are shown around a difference. */
const context = 2;

/** Beside shows an answer that passed beside each of the puzzle's own, line by line. */
export default function Beside() {
  const source = result.value?.source;
  const solutions = puzzle.value?.solutions ?? [];
  if (source === undefined || !solutions.length) return null;
  return (
    <details class="beside">
      <summary>{t.value.besideOurs}</summary>
      {solutions.map((s) => <Compared key={s.title} answer={source} solution={s} />)}
    </details>
  );
}

const signs = { same: " ", removed: "−", added: "+", skipped: "⋯" } as const;

function Compared({ answer, solution }: { answer: string; solution: Solution }) {
  const words = t.value;
  const lines = useMemo(() => linesOf(answer, solution.source), [answer, solution.source]);
  return (
    <section>
      <h4>{solution.title}</h4>
      <p class="fine">{lines.some(({ kind }) => kind !== "same") ? words.besideLegend : words.besideAlike}</p>
      <pre tabIndex={0} aria-label={solution.title}>
        {lines.map(({ kind, text }, i) => <span key={i} class={`line-${kind}`}>{`${signs[kind]} ${text}\n`}</span>)}
      </pre>
    </section>
  );
}

function linesOf(answer: string, ours: string) {
  const [before, after] = [answer, ours].map((text) => text.trimEnd().split("\n").map((line) => line.trimEnd())) as [string[], string[]];
  const rows = diff(before, after);
  if (rows.every(({ kind }) => kind === "same")) return rows.map(({ kind, at }) => ({ kind, text: after[at] ?? "" }));
  return condense(rows, context).map((row) => {
    if (row.kind === "skipped") return { kind: row.kind, text: "" };
    return { kind: row.kind, text: (row.kind === "removed" ? before : after)[row.at] ?? "" };
  });
}
