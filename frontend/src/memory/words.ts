import { m } from "../i18n/memory";
import { programAt } from "./inspected";

/** programText writes a program of a grid: 6 on an axis, (1, 0) on two. */
export function programText(program: readonly number[], grid: readonly number[]): string {
  const axes = Math.max(1, grid.findLastIndex((size) => size > 1) + 1);
  const ids = program.slice(0, axes);
  return ids.length === 1 ? String(ids[0]) : `(${ids.join(", ")})`;
}

/** programName names the program with a number; -1 is none, -2 several. */
export function programName(number: number, grid: readonly number[]): string {
  const words = m.value;
  if (number < 0) return number === -2 ? words.several : words.nobody;
  return words.programOf(programText(programAt(number, grid), grid));
}
