import { useState } from "preact/hooks";
import { b } from "../i18n/block";
import type { Bin } from "./distribution";

interface Props {
  bins: Bin[];
  facts: string; // about the values, in words
  number: (value: number) => string;
}

/** Histogram shows how many values lie in each range: as bars, and as a table. */
export function Histogram({ bins, facts, number }: Props) {
  const words = b.value;
  const [open, setOpen] = useState(false);
  const most = Math.max(...bins.map(({ count }) => count));
  const height = (count: number) => (count ? `${Math.max(2, (100 * count) / most)}%` : "0"); // a single value is still seen
  return (
    <div class="histogram">
      <div class="histogram-bars" role="img" aria-label={`${words.histogram}. ${facts}`}>
        {bins.map(({ low, count }) => <span key={low} style={{ height: height(count) }} />)}
      </div>
      <p class="histogram-ends"><span>{number(bins[0]?.low ?? NaN)}</span><span>{number(bins.at(-1)?.high ?? NaN)}</span></p>
      <details class="inputs" onToggle={(e) => setOpen(e.currentTarget.open)}>
        <summary>{words.histogramTable}</summary>
        {open && (
          <div class="table-box" tabIndex={0} role="region" aria-label={words.histogramTable}>
            <table class="elements">
              <thead><tr><th scope="col">{words.bin}</th><th scope="col">{words.binCount}</th></tr></thead>
              <tbody>
                {bins.map(({ low, high, count }) => (
                  <tr key={low}><th scope="row">{words.binRange(number(low), number(high))}</th><td>{count}</td></tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </details>
    </div>
  );
}
