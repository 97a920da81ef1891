import { m } from "../i18n/memory";
import type { Inspected } from "./inspected";
import { iterationFrom, loopsAt } from "./moves";
import { seek } from "./seek";
import { stepTo } from "./stage";

/** Loops has a slider for each loop around the step, over its iterations. */
export default function Loops({ inspected, at }: { inspected: Inspected; at: number }) {
  const words = m.value;
  const { steps, from } = inspected;
  const go = (depth: number, iteration: number) => {
    const step = iterationFrom(steps, at, depth, iteration);
    if (step >= 0) return stepTo(from + step);
    const { line = 0, iterations = [] } = steps[at] ?? {};
    const stop = { line, iterations: [...iterations.slice(0, depth), iteration] };
    void seek([stop], { back: iteration < (iterations[depth] ?? 0), within: true });
  };
  return (
    <div class="timeline-loops">
      {loopsAt(inspected, at).map(({ line, iteration, last }, depth) => last > 0 && (
        <label class="slider" key={depth}>
          <span>{words.loop(line)}</span>
          <input
            type="range" data-depth={depth} min={0} max={last} value={iteration} aria-valuetext={words.iterationOf(iteration, last)}
            onInput={(e) => go(depth, e.currentTarget.valueAsNumber)}
          />
          <code>{iteration} / {last}</code>
        </label>
      ))}
    </div>
  );
}
