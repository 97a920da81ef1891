import type { TensorView } from "../gen/api";

/** Grid is a tensor laid out in rows and columns: the last axis runs across, the others down. */
export interface Grid {
  rows: number;
  columns: number;
  values: number[]; // row-major, as far as the view holds them
  range: Range;
  wrong: ReadonlySet<number>;
}

/** Range is the smallest and the largest finite value; both 0 where there is none. */
export interface Range {
  low: number;
  high: number;
}

/** Vectors longer than this are wrapped into rows. */
const vectorColumns = 32;

/** gridOf lays a view out. */
export function gridOf(view: TensorView): Grid {
  const values = view.values.map(numberOf);
  const columns = columnsOf(view.shape, values.length);
  return { rows: Math.ceil(values.length / columns), columns, values, range: rangeOf(values), wrong: new Set(view.wrong) };
}

/** numberOf reads a value as torch writes it. */
export function numberOf(text: string): number {
  const named: Record<string, number> = { True: 1, False: 0, inf: Infinity, "-inf": -Infinity, nan: NaN };
  return named[text] ?? Number(text);
}

/** indexOf is the index of the element at a row-major position. */
export function indexOf(position: number, shape: number[]): number[] {
  const index: number[] = [];
  let rest = position;
  for (const size of shape.toReversed()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

/** shade places a value on the colour scale: -1…1 where the range holds both signs, else 0…1. */
export function shade(value: number, { low, high }: Range): number {
  if (low < 0 && high > 0) return value / Math.max(-low, high);
  return high === low ? 0.5 : (value - low) / (high - low);
}

function columnsOf(shape: number[], count: number): number {
  const last = shape.at(-1) ?? 1;
  if (shape.length > 1) return Math.max(1, last);
  return Math.max(1, Math.min(count, vectorColumns));
}

function rangeOf(values: number[]): Range {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (!Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low > high ? { low: 0, high: 0 } : { low, high };
}
