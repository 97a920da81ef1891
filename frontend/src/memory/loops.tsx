import { latest } from "../engine/latest";
import { m } from "../i18n/memory";
import type { Inspected } from "./inspected";
import { iterationFrom, loopsAt } from "./moves";
import { seek } from "./seek";
import { at as chosen, current, stepTo } from "./stage";

/** Wanted is an iteration of a loop around the step: the loop is given by how many are around it. */
interface Wanted {
  depth: number;
  iteration: number;
}

/** go goes to an iteration from the step that is shown. A slider that is dragged asks for many: the last one is what counts. */
const go = latest(async ({ depth, iteration }: Wanted) => {
  const of = current.peek()?.inspected;
  if (!of) return;
  const at = chosen.peek();
  const step = iterationFrom(of.steps, at, depth, iteration);
  if (step >= 0) return stepTo(of.from + step);
  const { line = 0, iterations = [] } = of.steps[at] ?? {};
  const stop = { line, iterations: [...iterations.slice(0, depth), iteration] };
  await seek([stop], { back: iteration < (iterations[depth] ?? 0), within: true });
});

/** Loops has a slider for each loop around the step, over its iterations. */
export default function Loops({ inspected, at }: { inspected: Inspected; at: number }) {
  const words = m.value;
  return (
    <div class="timeline-loops">
      {loopsAt(inspected, at).map(({ line, iteration, last }, depth) => last > 0 && (
        <label class="slider" key={depth}>
          <span>{words.loop(line)}</span>
          <input
            type="range" data-depth={depth} min={0} max={last} value={iteration} aria-valuetext={words.iterationOf(iteration, last)}
            onInput={(e) => void go({ depth, iteration: e.currentTarget.valueAsNumber })}
          />
          <code>{iteration} / {last}</code>
        </label>
      ))}
    </div>
  );
}
