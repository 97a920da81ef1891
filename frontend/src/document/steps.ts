import { fastPuzzles, puzzles } from "../content/content";
import { courseOfOwn, ownPuzzles, titleOf } from "../content/own";
import { isFast } from "../lib/fast";
import { lang } from "../settings/settings";
import type { Route } from "../state/route";

/** Step is a puzzle of a course. */
export interface Step {
  number: number;
  title: string;
  route: Route;
}

/** courseAt is the id of the course that a route's puzzle is in: newt, fast or that of the site; undefined where it is in none. */
export function courseAt(of: Route): string | undefined {
  if (of.page === "puzzle") return isFast(of.puzzle) ? "fast" : "newt";
  return of.page === "own" ? courseOfOwn(of.id)?.id : undefined;
}

/** stepsOf are the puzzles of a course in its order; none until they are there. */
export function stepsOf(course: string | undefined): Step[] {
  if (course === "newt" || course === "fast") {
    const list = course === "fast" ? fastPuzzles.value : puzzles.value;
    return list.map(({ number, title }) => ({ number, title, route: { page: "puzzle", puzzle: number } }));
  }
  return [...ownPuzzles.value].filter(([id]) => course && courseOfOwn(id)?.id === course).map(([id, custom]) => ({
    number: parseInt(custom.folder, 10), title: titleOf(custom, lang.value), route: { page: "own", id },
  }));
}
