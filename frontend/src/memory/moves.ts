import type { Inspected, Operation } from "./inspected";

/** sameVisit tells whether two steps that follow each other are of one visit of a line: in the same iterations, too. */
function sameVisit(a: Operation | undefined, b: Operation | undefined): boolean {
  return a?.line === b?.line && a?.iterations?.join() === b?.iterations?.join();
}

/**
 * lineFrom is the step at which the next line (1) or the one before (-1) has run; where the window has none, its far end, and from
 * there the step after it.
 */
export function lineFrom(steps: readonly Operation[], at: number, by: 1 | -1): number {
  const end = by > 0 ? steps.length - 1 : 0;
  if (at === end) return at + by;
  let i = at + by;
  while (i * by < end * by && sameVisit(steps[i], steps[i + 1])) i += by;
  return i * by < end * by ? i : end;
}

/** LoopAt is a loop that a step is in. */
export interface LoopAt {
  line: number;
  iteration: number;
  last: number;
}

/** loopsAt are the loops around step at, outermost first. */
export function loopsAt({ steps, loops }: Inspected, at: number): LoopAt[] {
  const { iterations = [], loops: around = [] } = steps[at] ?? {};
  return around.flatMap((number, depth) => {
    const loop = loops[number];
    return loop ? [{ ...loop, iteration: iterations[depth] ?? 0 }] : [];
  });
}

/**
 * iterationFrom is the step of another iteration of a loop around step at: of the same operation, if the iteration has it, in the
 * same iterations of inner loops, as far as it has them. It is -1 where the window holds no step of the iteration.
 */
export function iterationFrom(steps: readonly Operation[], at: number, depth: number, iteration: number): number {
  const now = steps[at];
  const outer = now?.loops?.slice(0, depth + 1).join();
  let best = -1;
  let score = -1;
  steps.forEach((step, i) => {
    if (step.iterations?.[depth] !== iteration || step.loops?.slice(0, depth + 1).join() !== outer) return;
    const inner = step.iterations.slice(depth + 1).join() === now?.iterations?.slice(depth + 1).join();
    const same = step.from === now?.from && step.to === now.to;
    const fits = 2 * Number(same) + Number(inner);
    if (fits > score) [best, score] = [i, fits];
  });
  return best;
}
