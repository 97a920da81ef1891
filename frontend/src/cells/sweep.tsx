import type { SweepPoint } from "../gen/api";
import { d } from "../i18n/document";
import { duration, time } from "../lib/format";

/** Sweeps draws the measurements of a cell as they come: a table for each kernel that is tuned, or plot that is measured. */
export default function Sweeps({ points }: { points: readonly SweepPoint[] }) {
  return <>{sweepsOf(points).map((sweep, i) => <Sweep key={i} points={sweep} />)}</>;
}

/** sweepsOf divides measurements into sweeps: each begins with its first one. */
function sweepsOf(points: readonly SweepPoint[]): SweepPoint[][] {
  const sweeps: SweepPoint[][] = [];
  for (const p of points) {
    if (p.number <= 1 || p.name !== sweeps.at(-1)?.[0]?.name) sweeps.push([]);
    sweeps.at(-1)?.push(p);
  }
  return sweeps;
}

function Sweep({ points }: { points: readonly SweepPoint[] }) {
  const words = d.value;
  const last = points.at(-1);
  if (!last) return null;
  const timed = last.best !== undefined; // configs have times, points what the benchmark returned
  const counted = points.some((p) => p.registers > 0);
  const compiled = points.some((p) => p.compileMs > 0);
  const longest = Math.max(...points.map((p) => p.value));
  return (
    <figure class="sweep">
      <figcaption>
        <b>{last.name}</b> · {words.sweepOf(last.number, last.total)}{last.best && ` · ${words.sweepBest(last.best)}`}
      </figcaption>
      <div class="numbers" tabIndex={0} role="group" aria-label={words.sweepLabel(last.name)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{timed ? words.sweepConfig : words.sweepPoint}</th>
              <th scope="col" class="number">{timed ? words.sweepTime : words.sweepValue}</th>
              <td />
              {compiled && <th scope="col" class="number">{words.sweepCompile}</th>}
              {counted && <th scope="col" class="number">{words.sweepRegisters}</th>}
              {counted && <th scope="col" class="number">{words.sweepSpills}</th>}
            </tr>
          </thead>
          <tbody>
            {points.map((p) => (
              <tr key={p.number} class={p.label === last.best ? "best" : undefined}>
                <th scope="row">{p.label}</th>
                <td class="number">{p.failed ? words.sweepFailed : timed ? time(p.value * 1e6) : String(Number(p.value.toPrecision(5)))}</td>
                <td class="bar-cell"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width={p.failed || longest <= 0 ? 0 : (100 * p.value) / longest} height="10" /></svg></td>
                {compiled && <td class="number">{p.compileMs > 0 ? duration(p.compileMs) : "–"}</td>}
                {counted && <td class="number">{p.registers || "–"}</td>}
                {counted && <td class="number">{p.registers ? p.spillBytes : "–"}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
