import { cellOf, type Inspected, type Operation, type Tensor } from "./inspected";
import { type Box, touchedBy } from "./touched";

/** Held is the tile of a tensor that an iteration works on: what it accesses, or else what is accessed outside of the loop. */
export interface Held {
  boxes: Box[]; // of the accesses
  cells: Area[]; // of the picture
  ahead: boolean; // all of it comes after the step
}

/** Area is some cells of a picture, rows and columns counted from 0. */
export interface Area {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** What fills so many areas is no tile, and is not outlined. */
const mostAreas = 32;

/** A picture has fewer rows. */
const tallest = 2048;

/** isAround tells whether an operation belongs to an iteration that a step is in, or to no loop. */
function isAround({ loops = [], iterations = [] }: Operation, step: Operation): boolean {
  return loops.every((loop, depth) => loop === step.loops?.[depth] && iterations[depth] === step.iterations?.[depth]);
}

/** accessesIn are the steps that access a tensor in the iteration of a step: in the innermost of its loops, or outside of all, that has any. */
export function accessesIn(steps: readonly Operation[], tensor: number, now: Operation): number[] {
  let depth = 0;
  let found: number[] = [];
  steps.forEach((step, i) => {
    if (step.access?.tensor !== tensor || !isAround(step, now)) return;
    const of = step.loops?.length ?? 0;
    if (of > depth) [depth, found] = [of, []];
    if (of === depth) found.push(i);
  });
  return found;
}

/** heldOf is the tile of a tensor in the iteration of a step; undefined where the step is in no loop, or there is no tile. */
export function heldOf({ steps }: Pick<Inspected, "steps">, tensor: Tensor, index: number, at: number): Held | undefined {
  const now = steps[at];
  if (!now?.loops?.length) return undefined;
  const around = accessesIn(steps, index, now);
  const accesses = around.flatMap((step) => steps[step]?.access ?? []);
  const boxes = accesses.flatMap((access) => touchedBy([access], tensor).flatMap(({ box }) => box ?? []));
  const cells = areasOf(tensor, accesses.flatMap(({ elements, mask }) => [...elements].filter((_, lane) => !mask || mask[lane])));
  return boxes.length && cells.length <= mostAreas ? { boxes, cells, ahead: around.every((step) => step > at) } : undefined;
}

/** areasOf are the cells of some elements, in rectangles. Those of two matrices are apart. */
function areasOf(tensor: Tensor, elements: readonly number[]): Area[] {
  const { wrap, shape, before } = tensor;
  const matrix = shape.length > 2 && tensor.covers[0] === 1 ? shape.at(-2) ?? 1 : Infinity;
  const cells = new Set(elements.map((element) => cellOf(tensor, element)).filter((cell) => cell >= 0 && cell < before.length));
  const areas: Area[] = [];
  for (const cell of [...cells].sort((a, b) => a - b)) {
    const [row, column] = [Math.floor(cell / wrap), cell % wrap];
    const last = areas.at(-1);
    if (last?.row === row && last.column + last.columns === column) last.columns++;
    else areas.push({ row, column, rows: 1, columns: 1 });
  }
  if (areas.length > tallest) return areas;
  return areas.reduce<Area[]>((merged, area) => {
    const above = merged.findLast((of) => of.row + of.rows === area.row && of.column === area.column && of.columns === area.columns);
    if (above && area.row % matrix !== 0) above.rows++;
    else merged.push(area);
    return merged;
  }, []);
}
