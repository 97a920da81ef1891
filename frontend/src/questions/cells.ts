import { equal } from "../lib/equal";
import { shapeText } from "../lib/format";
import { indexOf } from "../lib/tensor";

/** Launch is what the question about cells needs of a launch that is shown. */
export interface Launch {
  grid: readonly number[];
  tensors: readonly Written[];
}

/** Written is a tensor with the program that writes each cell of its picture; -1 is none, -2 several. */
export interface Written {
  name: string;
  shape: number[];
  covers: readonly number[]; // elements of a cell, down and across
  wrap: number; // columns of its picture
  writers: Int32Array;
}

/** CellsQuestion asks which cells of a tensor a program writes. */
export interface CellsQuestion {
  id: string; // of its kind of launch: a grid of so many axes that writes a tensor of so many
  tensor: number;
  program: number; // by its number
  cells: readonly number[];
}

/**
 * cellsQuestion is about what each cell has one writer of: of a vector about the last program, whose block its end may cut, of
 * what has rows about the last one with as many cells as any. It is undefined where there is nothing to tell apart.
 */
export function cellsQuestion({ grid, tensors }: Launch): CellsQuestion | undefined {
  const last = grid.reduce((count, size) => count * size, 1) - 1;
  const tensor = tensors.findLastIndex(({ writers }) => writers.includes(last));
  const of = tensors[tensor];
  if (last < 1 || !of || of.writers.includes(-2) || of.covers.some((elements) => elements > 1)) return undefined;
  const program = hasRows(of) ? largest(of) : last;
  const cells = cellsOf(of, program);
  const id = `cells ${grid.filter((size) => size > 1).length} ${of.shape.length}`;
  const sayable = hasRows(of) ? program > 0 : equal(cells, rangeOf(cells[0] ?? 0, cells.at(-1) ?? 0));
  return sayable ? { id, tensor, program, cells } : undefined;
}

/** hasRows is whether a tensor's picture has rows of its own; a vector's is wrapped. */
export function hasRows({ shape }: Pick<Written, "shape">): boolean {
  return shape.length > 1;
}

/** largest is the last program of those that write the most cells. */
function largest({ writers }: Written): number {
  const counts: number[] = [];
  for (const program of writers) if (program >= 0) counts[program] = (counts[program] ?? 0) + 1;
  return counts.lastIndexOf(Math.max(...Object.values(counts)));
}

/** cellsOf are the cells that a program writes, in their order. */
export function cellsOf({ writers }: Pick<Written, "writers">, program: number): number[] {
  return [...writers.keys()].filter((cell) => writers[cell] === program);
}

/** rangeOf are the cells from one to another. */
export function rangeOf(one: number, other: number): number[] {
  return Array.from({ length: Math.abs(one - other) + 1 }, (_, i) => Math.min(one, other) + i);
}

/** stepOf is how far the arrow keys go where a cell answers for its block: across and down a block of program 0. */
export function stepOf(of: Written): readonly [across: number, down: number] {
  const cells = cellsOf(of, 0);
  const across = cells.findIndex((cell, i) => cell !== (cells[0] ?? 0) + i);
  const down = new Set(cells.map((cell) => Math.floor(cell / of.wrap))).size;
  return [Math.min(of.wrap, across < 0 ? Math.max(1, cells.length) : across), Math.max(1, down)];
}

/** CellsAnswer is what is to be said of an answer: it is right, with how many cells program 0 writes where the end of the tensor leaves fewer; it is another program's, misses cells, has too many, or both. */
export type CellsAnswer = { right: true; fewer?: number } | { right: false; program: number } | { right: false; misses: boolean; exceeds: boolean };

/** judgeCells compares an answer with what the programs have written. */
export function judgeCells(of: Pick<Written, "writers">, { program, cells }: CellsQuestion, answer: readonly number[]): CellsAnswer {
  const usual = cellsOf(of, 0).length;
  const cut = usual > cells.length && cells.at(-1) === of.writers.length - 1;
  if (equal(cells, answer)) return { right: true, ...(cut && { fewer: usual }) };
  const other = of.writers[answer[0] ?? -1] ?? -1;
  if (other >= 0 && other !== program && equal(cellsOf(of, other), answer)) return { right: false, program: other };
  return { right: false, misses: cells.some((cell) => !answer.includes(cell)), exceeds: answer.some((cell) => !cells.includes(cell)) };
}

/** cellName writes the element of a cell as Python would: z[3, 4]. */
export function cellName({ name, shape }: Pick<Written, "name" | "shape">, cell: number): string {
  return `${name}${shapeText(indexOf(cell, shape))}`;
}
