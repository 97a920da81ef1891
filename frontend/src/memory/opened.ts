import type { Opened } from "../run/choice";
import type { Operation } from "./inspected";

/** openedOf is the operation of a step as a choice. */
export function openedOf({ from, to, name }: Operation): Opened {
  return { from, to, name };
}

/** openStep is the step whose block an opened operation shows at step at: its last one by then, or else its first; -1 is none. */
export function openStep(steps: readonly Operation[], at: number, { from, to, name }: Opened): number {
  const same = ({ values, ...step }: Operation) => step.from === from && step.to === to && values !== undefined;
  const named = (step: Operation) => name !== undefined && step.name === name && step.values !== undefined; // where the text has changed
  const is = steps.some(same) ? same : named;
  const last = steps.findLastIndex((step, i) => i <= at && is(step));
  return last < 0 ? steps.findIndex(is) : last;
}
