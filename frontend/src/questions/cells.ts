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

/** CellsQuestion asks which cells of a tensor a program writes; they are a block. */
export interface CellsQuestion {
  id: string; // of its kind of launch: a grid of so many axes that writes a tensor of so many
  tensor: number;
  program: number; // by its number
  cells: readonly number[];
}

/** cellsQuestion is about the last program, whose block a mask may cut; undefined where what it writes is no block of its own. */
export function cellsQuestion({ grid, tensors }: Launch): CellsQuestion | undefined {
  const program = grid.reduce((count, size) => count * size, 1) - 1;
  const tensor = tensors.findLastIndex(({ writers }) => writers.includes(program));
  const of = tensors[tensor];
  if (program < 1 || !of || of.writers.includes(-2) || of.covers.some((elements) => elements > 1)) return undefined;
  const cells = cellsOf(of, program);
  const id = `cells ${grid.filter((size) => size > 1).length} ${of.shape.length}`;
  return equal(cells, blockOf(of, cells[0] ?? 0, cells.at(-1) ?? 0)) ? { id, tensor, program, cells } : undefined;
}

/** cellsOf are the cells that a program writes, in their order. */
export function cellsOf({ writers }: Pick<Written, "writers">, program: number): number[] {
  return [...writers.keys()].filter((cell) => writers[cell] === program);
}

/** blockOf are the cells from one to another: of a vector all in between, else those of a rectangle with these corners. */
export function blockOf({ shape, wrap }: Pick<Written, "shape" | "wrap">, one: number, other: number): number[] {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const all = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  if (shape.length < 2) return all;
  const [left, right] = [Math.min(one % wrap, other % wrap), Math.max(one % wrap, other % wrap)];
  const first = Math.floor(from / wrap) * wrap + left;
  const last = Math.floor(to / wrap) * wrap + right;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((cell) => cell % wrap >= left && cell % wrap <= right);
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
