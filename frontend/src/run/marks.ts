import { signal } from "@preact/signals";
import type { Verdict } from "../gen/api";
import type { Step } from "../document/steps";
import { local } from "../settings/settings";
import { type Mark, type Marks, lessonKey, loadMarks, markOf, merge, progressKey, raise, saveMarks } from "../state/progress";
import { type Route, markKey } from "../state/route";

/** marks are how far the person has come, by the markKey of each puzzle. */
export const marks = signal<Marks>(loadMarks(local));

/** marksOf are the marks of a course's puzzles by their numbers, and that of puzzle 0, which is in every course. */
export function marksOf(steps: readonly Step[]): Marks {
  const keys = [[lessonKey, lessonKey], ...steps.map(({ number, route }) => [String(number), markKey(route)])] as [string, string][];
  return Object.fromEntries(keys.flatMap(([number, key]) => (marks.value[key] ? [[number, marks.value[key]]] : [])));
}

/** record raises the mark of a route's puzzle to what a verdict earns: where answers are graded, that they are tried. */
export function record(of: Route, verdict: Verdict, isGraded: boolean): void {
  raiseMark(markKey(of), isGraded ? "tried" : markOf(verdict.classic.pass, verdict.strict.pass));
}

/** addMarks raises one's marks to those of somebody else, or of another browser. */
export function addMarks(theirs: Marks): void {
  marks.value = saveMarks(local, merge(marks.peek(), theirs));
}

/** raiseMark raises a puzzle's mark; one never falls. */
export function raiseMark(key: string, mark: Mark): void {
  marks.value = saveMarks(local, raise(marks.peek(), key, mark));
}

/** watchProgress keeps the marks in step with other tabs. */
export function watchProgress(): void {
  addEventListener("storage", (event) => {
    if (event.key === progressKey) marks.value = loadMarks(local);
  });
}
