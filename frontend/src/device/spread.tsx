import type { Timings } from "../gen/protocol";

const width = 320;
const height = 44;
const margin = 6;

/** How many samples are drawn at most: more would only darken the picture. */
const maxDrawn = 400;

/** Spread draws samples as thin strokes on an axis that has room for beside, with a box between the quartiles and the median in it. */
export function Spread({ timings, label, beside = [timings] }: { timings: Timings; label: string; beside?: readonly Timings[] }) {
  const { samples, lowerQuartile, upperQuartile, median } = timings;
  const low = Math.min(...beside.map((t) => t.min));
  const high = Math.max(...beside.map(far));
  const x = (ns: number) => margin + (Math.min(ns, high) - low) / Math.max(1, high - low) * (width - 2 * margin);
  const step = Math.max(1, Math.ceil(samples.length / maxDrawn));
  return (
    <svg class="spread" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <line class="spread-axis" x1={margin} x2={width - margin} y1={height - 5} y2={height - 5} />
      {samples.filter((_, i) => i % step === 0).map((ns, i) => <line key={i} class="spread-sample" x1={x(ns)} x2={x(ns)} y1={6} y2={height - 10} />)}
      <rect class="spread-box" x={x(lowerQuartile)} y={12} width={Math.max(1, x(upperQuartile) - x(lowerQuartile))} height={height - 28} />
      <line class="spread-median" x1={x(median)} x2={x(median)} y1={9} y2={height - 13} />
    </svg>
  );
}

/** far is the right end of the axis: the slowest sample, unless a few are so slow that the rest would shrink to a stroke. */
function far({ samples, median, upperQuartile, lowerQuartile }: Timings): number {
  const slowest = samples.reduce((a, b) => Math.max(a, b), median);
  return Math.min(slowest, upperQuartile + 6 * Math.max(upperQuartile - lowerQuartile, median / 50));
}
