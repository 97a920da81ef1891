import { withoutWarmUps } from "./path";

/** Solved is a puzzle with its solutions, whose names of tl are those that it needs. */
interface Solved {
  number: number;
  solutions: readonly { source: string }[];
}

/**
 * neededNames are the names of tl that a puzzle's solutions use: first those that no earlier puzzle has asked for, then
 * the rest. Warm-ups do not count, since they can be skipped. The list is in the order of the path.
 */
export function neededNames(puzzle: Solved, all: readonly Solved[]): string[] {
  const before = new Set(withoutWarmUps(all.slice(0, all.findIndex((p) => p.number === puzzle.number))).flatMap(namesIn));
  const names = namesIn(puzzle);
  return [...names.filter((n) => !before.has(n)), ...names.filter((n) => before.has(n))];
}

function namesIn({ solutions }: Solved): string[] {
  return [...new Set(solutions.flatMap(({ source }) => [...source.matchAll(/\btl\.(\w+)/g)].map((m) => m[1] ?? "")))];
}
