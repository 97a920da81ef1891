import fast from "../../../puzzles/fast/course.json";
import twelve from "../../../puzzles/course.json";
import { lesson } from "../basics/lesson";
import type { Course, Idea } from "../content/course";
import { type Marks, lessonKey } from "../state/progress";

/** newts are the courses that newt has. Their ids are those of puzzles.newtsCourses in Go. */
export const newts: readonly Course[] = [{ id: "newt", ...twelve }, { id: "fast", ...fast }];

/** isNewts is whether a course is one of newt's, whose marks a link holds together. */
export function isNewts({ id }: Course): boolean {
  return newts.some((course) => course.id === id);
}

/** byRegion are the puzzles of each part of a course that has any: those of a list that is there. */
export function byRegion<P extends { number: number }>({ regions }: Course, list: readonly P[]): { title: Course["title"]; puzzles: P[] }[] {
  return regions.map(({ title, puzzles }) => ({ title, puzzles: puzzles.flatMap((number) => list.find((p) => p.number === number) ?? []) }))
    .filter((region) => region.puzzles.length > 0);
}

/** ideasOf are a course's ideas, and whether somebody with these marks knows each: by its puzzle, or one of newt's by the lesson. */
export function ideasOf({ ideas = [] }: Course, marks: Marks): { idea: Idea; known: boolean }[] {
  const done = (key: string | number) => marks[key] === "solved";
  return ideas.map((idea) => ({ idea, known: done(idea.puzzle) || (!idea.title && done(lessonKey) && lesson.some((id) => id === idea.id)) }));
}
