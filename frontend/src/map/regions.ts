import type { ConceptID } from "../basics/concepts";
import { lesson } from "../basics/lesson";
import { stationOf } from "../content/path";
import { type Marks, lessonKey } from "../state/progress";

/** RegionID names a part of the path. */
export type RegionID = "vectors" | "axes" | "reductions" | "products" | "fast";

/** regions are the parts of the path, with where each begins. */
const regions: readonly { id: RegionID; from: number }[] = [
  { id: "vectors", from: 1 },
  { id: "axes", from: 3 },
  { id: "reductions", from: 7 },
  { id: "products", from: 10 },
  { id: "fast", from: 2001 },
];

/** taughtBy are the concepts with the puzzle that asks for each; who has solved it knows the concept. */
const taughtBy: readonly (readonly [ConceptID, number])[] = [
  ["program", 1], ["offset", 1], ["block", 2], ["mask", 2], ["broadcast", 3], ["axes", 4], ["stride", 4],
  ["reduction", 7], ["accumulator", 7], ["softmax", 8],
];

/** byRegion are the puzzles of each part of the path that has any, a warm-up in that of the puzzle after it. */
export function byRegion<P extends { number: number }>(puzzles: readonly P[]): { id: RegionID; puzzles: P[] }[] {
  return regions.map(({ id, from }, i) => {
    const end = regions[i + 1]?.from ?? Infinity;
    return { id, puzzles: puzzles.filter((p) => stationOf(p.number) >= from && stationOf(p.number) < end) };
  }).filter((region) => region.puzzles.length > 0);
}

/** ideas are the concepts, and whether somebody with these marks knows each: by the lesson, or by the puzzle that asks for it. */
export function ideas(marks: Marks): { id: ConceptID; known: boolean }[] {
  const done = (key: string | number) => marks[key] === "solved";
  return taughtBy.map(([id, puzzle]) => ({ id, known: done(puzzle) || (done(lessonKey) && lesson.some((other) => other === id)) }));
}
