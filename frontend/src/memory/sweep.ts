import type { Operation } from "./inspected";
import { shapeOf } from "./values";

/** Matrix is a block of two axes at most; a vector has one row. */
export interface Matrix {
  name: string;
  dtype: string;
  shape: number[]; // as the kernel has it
  rows: number;
  columns: number;
  values: Float64Array;
}

/** Area is a rectangle of a matrix's cells. */
export interface Area {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** Part is a matrix that a sweep goes through, with what of it has been taken so far. */
export interface Part {
  matrix: Matrix;
  taken: Area;
}

/** Sweep is a matrix product along K, or a reduction along its axis, that is done lane by lane. */
export interface Sweep {
  kind: "product" | "fold";
  length: number; // of what it goes along
  axis: number;
  parts: (done: number) => Part[];
  result: (done: number) => Matrix; // after so many lanes
}

/** combines are the reductions whose partial results are shown: of two lanes. */
const combines: Record<string, (a: number, b: number) => number> = {
  sum: (a, b) => a + b, max: Math.max, min: Math.min,
};

/** sweepOf is the sweep of a step; undefined where it has none, or blocks of three axes or more. */
export function sweepOf(step: Operation): Sweep | undefined {
  const { inputs, values, type = "", name, op } = step;
  if (!inputs || !values) return undefined;
  const matrices = inputs.values.map(({ name: given = "", type: of, values: lanes }, i) => matrixOf(given || (inputs.axis < 0 ? ["a", "b", "acc"][i] ?? "" : op), of, lanes));
  const result = matrixOf(name ?? op, type, values);
  if ([...matrices, result].some(({ shape }) => shape.length > 2)) return undefined;
  const [first, second, accumulator] = matrices;
  if (inputs.axis < 0) return first && second && accumulator ? productOf(first, second, accumulator, result) : undefined;
  const combine = combines[/(\w+)$/.exec(op)?.[1] ?? ""];
  return first && matrices.length === 1 && combine ? foldOf(first, result, inputs.axis, combine) : undefined;
}

function matrixOf(name: string, type: string, values: Float64Array): Matrix {
  const { dtype, shape } = shapeOf(type);
  return { name, dtype, shape, rows: shape.length > 1 ? (shape[0] ?? 1) : 1, columns: shape.at(-1) ?? 1, values };
}

function productOf(a: Matrix, b: Matrix, accumulator: Matrix, result: Matrix): Sweep {
  const length = a.columns;
  return {
    kind: "product", length, axis: -1,
    parts: (done) => [
      { matrix: a, taken: { row: 0, column: Math.max(0, done - 1), rows: a.rows, columns: Math.min(1, done) } },
      { matrix: b, taken: { row: Math.max(0, done - 1), column: 0, rows: Math.min(1, done), columns: b.columns } },
    ],
    result: (done) => {
      if (done === length) return result; // what the program has computed, rounded as it does
      const values = accumulator.values.slice();
      values.forEach((_, cell) => {
        const [row, column] = [Math.floor(cell / b.columns), cell % b.columns];
        for (let k = 0; k < done; k++) {
          values[cell] = (values[cell] ?? 0) + (a.values[row * length + k] ?? 0) * (b.values[k * b.columns + column] ?? 0);
        }
      });
      return { ...result, values };
    },
  };
}

function foldOf(of: Matrix, result: Matrix, axis: number, combine: (a: number, b: number) => number): Sweep {
  const down = of.shape.length > 1 && axis === 0;
  const length = down ? of.rows : of.columns;
  const [along, between] = down ? [of.columns, 1] : [1, of.columns];
  return {
    kind: "fold", length, axis,
    parts: (done) => [{
      matrix: of, taken: { row: 0, column: 0, rows: down ? done : of.rows, columns: down ? of.columns : done },
    }],
    result: (done) => {
      if (done === length) return result;
      const values = result.values.map((_, lane) => {
        let value = of.values[lane * between] ?? NaN;
        for (let i = 1; i < done; i++) value = combine(value, of.values[lane * between + i * along] ?? NaN);
        return done > 0 ? value : NaN;
      });
      return { ...result, values };
    },
  };
}
