import { isFast } from "../lib/fast";

/** Numbered is anything with a puzzle's number. */
interface Numbered {
  number: number;
}

/** isWarmUp is whether a number is that of a warm-up, an optional puzzle that prepares for a harder one: 601 is the first between 6 and 7. */
export function isWarmUp(number: number): boolean {
  const k = number % 100;
  return number > 100 && number < 2000 && k >= 1 && k <= 26;
}

/** isFirstSteps is whether a number is that of a puzzle of single blocks, for which memory and the verdict are all one needs. */
export function isFirstSteps(number: number): boolean {
  return number <= 6;
}

/** labelOf is a puzzle's number as people read it: 6, or 6a for 601, or F1 for 2001. puzzles.Label is the same in Go. */
export function labelOf(number: number): string {
  if (isFast(number)) return `F${number - 2000}`;
  return isWarmUp(number) ? `${Math.floor(number / 100)}${String.fromCharCode(96 + (number % 100))}` : String(number);
}

/** stationOf is the number of the puzzle that one prepares for: a warm-up for the next one, 7 for 601, any other for itself. */
export function stationOf(number: number): number {
  return isWarmUp(number) ? Math.floor(number / 100) + 1 : number;
}

/** withoutWarmUps are the twelve of newt's puzzles. */
export function withoutWarmUps<P extends Numbered>(list: readonly P[]): P[] {
  return list.filter((p) => !isWarmUp(p.number));
}

/** standingOf is how many of the twelve are solved, and the first that is not. */
export function standingOf<P extends Numbered>(list: readonly P[], isSolved: (number: number) => boolean): { solved: number; of: number; next?: P | undefined } {
  const twelve = withoutWarmUps(list);
  const left = twelve.filter((p) => !isSolved(p.number));
  return { solved: twelve.length - left.length, of: twelve.length, next: left[0] };
}

/**
 * after is what follows a puzzle of a list: the next one that is no warm-up, or the first of those that it waits for, and the warm-ups
 * before it.
 */
export function after<P extends Numbered>(list: readonly P[], number: number, waitsFor: WaitsFor = () => []): { next?: P | undefined; warmUps: P[] } {
  const at = list.findIndex((p) => p.number === number);
  const rest = at < 0 ? [] : list.slice(at + 1);
  const next = rest.find((p) => !isWarmUp(p.number));
  const first = next && list.find((p) => waitsFor(next.number).includes(p.number));
  return { next: first ?? next, warmUps: next ? rest.slice(0, rest.indexOf(next)) : rest };
}

/** WaitsFor gives the puzzles that are to be solved before one, and are not. */
export type WaitsFor = (number: number) => readonly number[];

/** neighboursOf are the puzzles before and after one: warm-ups are passed over, unless it is one itself. */
export function neighboursOf<P extends Numbered>(list: readonly P[], number: number): { previous?: P | undefined; next?: P | undefined } {
  const way = isWarmUp(number) ? list : withoutWarmUps(list);
  const at = way.findIndex((p) => p.number === number);
  return at < 0 ? {} : { previous: way[at - 1], next: way[at + 1] };
}
