import { type KeyValue, isRecord, readJSON, writeJSON } from "../lib/storage";

/**
 * letters are of how far a person has come with a puzzle, from low to high, each with its letter in a link; classic means that only the
 * notebooks' check passed, bronze and silver are levels of an answer that is graded.
 */
const letters = { tried: "t", classic: "c", bronze: "b", silver: "v", solved: "s" } as const;

export type Mark = keyof typeof letters;

const ranks = Object.keys(letters) as Mark[];

/** levelMarks are the marks of an answer that is graded, by its level. */
export const levelMarks: readonly Mark[] = ["tried", "bronze", "silver", "solved"];

/** progressKey is where the marks are stored. */
export const progressKey = "newt:progress";

/** lessonKey is the markKey of puzzle 0, which has no code. */
export const lessonKey = "0";

export type Marks = Readonly<Record<string, Mark>>;

/** loadMarks reads every puzzle's mark. */
export function loadMarks(store: KeyValue): Marks {
  return readJSON(store, progressKey, isMarks) ?? {};
}

/** solvedIn tells of a puzzle of newt's own whether it is solved. */
export function solvedIn(marks: Marks): (number: number) => boolean {
  return (number) => marks[number] === "solved";
}

/** raise gives the marks after an attempt: a mark never falls. A puzzle is named by its markKey. */
export function raise(marks: Marks, puzzle: string, mark: Mark): Marks {
  const old = marks[puzzle];
  return old && ranks.indexOf(old) >= ranks.indexOf(mark) ? marks : { ...marks, [puzzle]: mark };
}

/** saveMarks stores the marks, keeping what another tab has reached meanwhile. */
export function saveMarks(store: KeyValue, marks: Marks): Marks {
  const merged = merge(marks, loadMarks(store));
  writeJSON(store, progressKey, merged);
  return merged;
}

/** formatMarks writes the marks of newt's own puzzles for a link, like 1s.2t.601s: by number, each by its letter. */
export function formatMarks(marks: Marks): string {
  const numbers = Object.keys(marks).filter((of) => /^\d{1,4}$/.test(of)).map(Number).sort((a, b) => a - b);
  return numbers.map((n) => `${n}${letters[marks[n] ?? "tried"]}`).join(".");
}

/** parseMarks reads what formatMarks writes. What is no mark is left out. */
export function parseMarks(text: string): Marks {
  const marks: Record<string, Mark> = {};
  for (const part of text.slice(0, 1000).split(".")) {
    const [, number, letter] = /^(\d{1,4})([a-z])$/.exec(part) ?? [];
    const mark = ranks.find((m) => letters[m] === letter);
    if (number !== undefined && mark) marks[String(Number(number))] = mark;
  }
  return marks;
}

/** merge gives the higher of two people's marks for each puzzle. */
export function merge(mine: Marks, theirs: Marks): Marks {
  return Object.entries(theirs).reduce((all, [puzzle, mark]) => raise(all, puzzle, mark), mine);
}

/** markOf judges an attempt by its two checks. */
export function markOf(classic: boolean, strict: boolean): Mark {
  if (classic && strict) return "solved";
  return classic ? "classic" : "tried";
}

function isMarks(value: unknown): value is Marks {
  return isRecord(value) && Object.values(value).every((mark) => typeof mark === "string" && mark in letters);
}
