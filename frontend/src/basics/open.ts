import { signal } from "@preact/signals";
import { leaveOverlay, watchOverlay } from "../document/overlay";
import type { Idea } from "../content/course";
import { go } from "../document/workspace";
import { raiseMark } from "../run/marks";
import { readJSON, writeJSON } from "../lib/storage";
import { local } from "../settings/settings";
import { lessonKey } from "../state/progress";
import type { ConceptID } from "./concepts";
import { lesson } from "./lesson";

/** lessonAddress is that of puzzle 0, which opens over the page that is shown. */
export const lessonAddress = "#/puzzle/0";

const key = "newt:basics";

/** shownConcept is the concept whose card is open, and whether it is part of the lesson; or an idea with a card of its own. */
export const shownConcept = signal<{ id: ConceptID; inLesson: boolean; own?: never } | { own: Idea } | undefined>(undefined);

/** openLesson opens puzzle 0 at the first concept whose task is not done. */
export function openLesson(): void {
  const done = loadDone();
  shownConcept.value = { id: lesson.find((id) => !done.includes(id)) ?? lesson[0], inLesson: true };
}

/** openConcept opens the card of one concept. */
export function openConcept(id: ConceptID): void {
  shownConcept.value = { id, inLesson: false };
}

/** openIdea opens the card of an idea of a course. */
export function openIdea(idea: Idea): void {
  if (idea.title) shownConcept.value = { own: idea };
  else openConcept(idea.id as ConceptID); // the server has checked that it is one
}

/** closeConcept closes the card. Where the address is that of the lesson it becomes that of the page below. */
export function closeConcept(): void {
  shownConcept.value = undefined;
  leaveOverlay(isLesson);
}

/** startPuzzles goes on from the lesson to puzzle 1. */
export function startPuzzles(): void {
  closeConcept();
  go({ page: "puzzle", puzzle: 1 });
}

/** finish remembers that a concept's task is done; with the last of the lesson puzzle 0 is solved. */
export function finish(id: ConceptID): void {
  const done = loadDone();
  if (!done.includes(id)) writeJSON(local, key, [...done, id]);
  raiseMark(lessonKey, lesson.every((other) => other === id || done.includes(other)) ? "solved" : "tried");
}

function loadDone(): readonly string[] {
  return readJSON(local, key, (v): v is string[] => Array.isArray(v) && v.every((id) => typeof id === "string")) ?? [];
}

/** watchLesson opens the lesson where the address names it. */
export function watchLesson(): void {
  watchOverlay({ names: isLesson, open: openLesson, close: () => (shownConcept.value = undefined) });
}

function isLesson(hash: string): boolean {
  return hash === lessonAddress;
}
