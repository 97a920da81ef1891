import { signal } from "@preact/signals";
import type { Verdict } from "../gen/api";
import { local } from "../settings/settings";
import { type Mark, type Marks, loadMarks, markOf, merge, progressKey, raise, saveMarks } from "../state/progress";
import { type Route, markKey } from "../state/route";

/** marks are how far the person has come, by the markKey of each puzzle. */
export const marks = signal<Marks>(loadMarks(local));

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
