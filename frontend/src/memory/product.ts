import type { Inspected, Tensor } from "./inspected";

/** Product names the tensors of a matrix product by their numbers. */
export interface Product {
  left: number;
  right: number;
  result: number;
}

/**
 * productOf is the matrix product that a program makes: it takes a tl.dot, and of three tensors with the same leading axes the
 * first two are only read and the third, with the rows of the first and the columns of the second, is written.
 */
export function productOf({ tensors, steps }: Pick<Inspected, "tensors" | "steps">): Product | undefined {
  if (!steps.some(({ op }) => op === "tl.dot")) return undefined;
  const written = (of: Tensor) => of.writers.some((program) => program !== -1);
  const matrices = tensors.map((of, index) => ({ of, index, rows: of.shape.at(-2), columns: of.shape.at(-1), leading: of.shape.slice(0, -2).join() }));
  const reads = matrices.filter(({ of, rows }) => rows !== undefined && !written(of));
  for (const result of matrices.filter(({ of }) => written(of))) {
    for (const left of reads) {
      for (const right of reads) {
        const fits = left !== right && left.columns === right.rows && result.rows === left.rows && result.columns === right.columns;
        if (fits && left.leading === right.leading && left.leading === result.leading) return { left: left.index, right: right.index, result: result.index };
      }
    }
  }
  return undefined;
}
