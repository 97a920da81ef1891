import type { Access, Operation, Tensor } from "./inspected";

/** Box is a range of elements along each axis of a tensor: from the first, up to one past the last. */
export interface Box {
  from: number[];
  to: number[];
}

/** Touched is what several accesses of one kind have done to a tensor. */
export interface Touched {
  kind: string; // load, store, atomic
  accesses: number;
  elements: number; // that were touched, each counted once
  box: Box | undefined; // the smallest that has them all; absent where there is none
}

/** accessesOf are those of steps to a tensor, by its number. */
export function accessesOf(steps: readonly Operation[], tensor: number): Access[] {
  return steps.flatMap(({ access }) => (access?.tensor === tensor ? [access] : []));
}

/** touchedBy gathers accesses to a tensor by their kinds, in the order of the first of each. */
export function touchedBy(accesses: readonly Access[], { shape }: Pick<Tensor, "shape">): Touched[] {
  return [...new Set(accesses.map(({ kind }) => kind))].map((kind) => {
    const of = accesses.filter((access) => access.kind === kind);
    const elements = elementsOf(of, shape.reduce((count, size) => count * size, 1));
    return { kind, accesses: of.length, elements: elements.length, box: boxOf(elements, shape) };
  });
}

/** elementsOf are the elements of a tensor of so many that some accesses touch, each once. */
function elementsOf(accesses: readonly Access[], count: number): number[] {
  const seen = new Uint8Array(count);
  const found: number[] = [];
  for (const { elements, mask } of accesses) {
    elements.forEach((element, lane) => {
      if (element < 0 || element >= count || seen[element] || mask && !mask[lane]) return;
      seen[element] = 1;
      found.push(element);
    });
  }
  return found;
}

/** boxOf is the smallest box of a tensor of a shape that has some elements. */
export function boxOf(elements: readonly number[], shape: readonly number[]): Box | undefined {
  if (!elements.length) return undefined;
  const from = shape.map(() => Infinity), to = shape.map(() => 0);
  for (let rest of elements) {
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1, at = rest % size;
      rest = (rest - at) / size;
      if (at < (from[axis] ?? 0)) from[axis] = at;
      if (at >= (to[axis] ?? 0)) to[axis] = at + 1;
    }
  }
  return { from, to };
}

/** volumeOf is how many elements a box has. */
export function volumeOf({ from, to }: Box): number {
  return from.reduce((volume, low, axis) => volume * ((to[axis] ?? 0) - low), 1);
}

/** sliceText writes a box as a slice in Python: [0, 0:32]. */
export function sliceText({ from, to }: Box): string {
  const slice = from.map((low, axis) => (to[axis] === low + 1 ? String(low) : `${low}:${to[axis]}`));
  return slice.length ? `[${slice.join(", ")}]` : "";
}
