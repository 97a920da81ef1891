import type { TensorView } from "../gen/api";

/** Grid is a tensor laid out in rows and columns of cells: the last axis runs across, the others down. */
export interface Grid {
  rows: number;
  columns: number;
  values: ArrayLike<number>; // one a cell, row by row
  range: Range;
  wrong: ReadonlySet<number>; // cells
  unwritten: ReadonlySet<number>; // cells whose value no program wrote
}

/** Range is the smallest and the largest finite value; both 0 where there is none. */
export interface Range {
  low: number;
  high: number;
}

/** A vector is wrapped into rows of so many cells, or of more where it would get taller than tallest rows. */
const vectorColumns = 32;
const tallest = 64;
const widest = 192;

/** gridOf lays out a view, of its own values or of others in their place. */
export function gridOf(view: TensorView, values = valuesOf(view)): Grid {
  const columns = columnsOf(view, values.length);
  const unwritten = new Set(view.unwritten);
  const range = rangeOf(values, (cell) => !unwritten.has(cell));
  return { rows: Math.ceil(values.length / columns), columns, values, range, wrong: new Set(view.wrong), unwritten };
}

/** differenceOf is got - want, cell by cell. */
export function differenceOf(got: Grid, want: Grid): Grid {
  const values = Float64Array.from(got.values, (value, cell) => difference(value, want.values[cell] ?? NaN));
  return { ...got, values, range: rangeOf(values, (cell) => !got.unwritten.has(cell)), wrong: new Set() };
}

/** around is a range about 0 that holds another, and at least most: colours of it leave pale what is small. */
export function around({ low, high }: Range, most: number): Range {
  const end = Math.max(-low, high, most);
  return { low: -end, high: end };
}

/** seenOf are the values of a grid that its label tells of: undefined where nothing was written. */
export function seenOf({ values, unwritten, range }: Grid): Range | number | undefined {
  const first = Array.prototype.findIndex.call(values, (_, cell) => !unwritten.has(cell));
  if (first < 0) return undefined;
  const finite = Array.prototype.some.call(values, (value, cell) => Number.isFinite(value) && !unwritten.has(cell));
  if (!finite) return values[first];
  return range.low === range.high ? range.low : range;
}

/** difference is 0 for what is equal, which infinities and NaN can be too. */
function difference(got: number, want: number): number {
  return Object.is(got, want) ? 0 : got - want;
}

/** valuesOf decodes the values of a view. */
export function valuesOf(view: TensorView): Float64Array {
  return new Float64Array(Uint8Array.from(atob(view.values), (letter) => letter.charCodeAt(0)).buffer);
}

/** valueText writes a value as people read it: seven significant digits for floats. */
export function valueText(value: number, dtype: string): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return String(dtype.includes("float") ? Number(value.toPrecision(7)) : value);
}

/** elementOf is the index of the element that a cell shows. */
export function elementOf(view: TensorView, cell: number): number[] {
  return indexOf(view.at?.[cell] ?? cell, view.shape);
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

/** shade places a value on the colour scale: -1…1 where the range holds both signs, else 0…1; infinities lie at its far ends. */
export function shade(value: number, { low, high }: Range): number {
  if (!Number.isFinite(value)) return Math.sign(value);
  if (low < 0 && high > 0) return value / Math.max(-low, high);
  return high === low ? 0.5 : (value - low) / (high - low);
}

function columnsOf({ shape, step }: TensorView, count: number): number {
  if (shape.length > 1) return Math.max(1, Math.ceil((shape.at(-1) ?? 1) / (step?.[1] ?? 1)));
  let columns = vectorColumns;
  while (columns < widest && count / columns > tallest) columns = Math.min(widest, 2 * columns);
  return Math.max(1, Math.min(count, columns));
}

function rangeOf(values: Float64Array, counts: (cell: number) => boolean): Range {
  let low = Infinity;
  let high = -Infinity;
  values.forEach((v, cell) => {
    if (!Number.isFinite(v) || !counts(cell)) return;
    if (v < low) low = v;
    if (v > high) high = v;
  });
  return low > high ? { low: 0, high: 0 } : { low, high };
}
