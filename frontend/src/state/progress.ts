import { type KeyValue, isRecord, readJSON, writeJSON } from "../lib/storage";

/** Mark says how far a person has come with a puzzle; classic means that only the notebooks' check passed. */
export type Mark = "tried" | "classic" | "solved";

const rank: Record<Mark, number> = { tried: 1, classic: 2, solved: 3 };
/** progressKey is where the marks are stored. */
export const progressKey = "newt:progress";

export type Marks = Readonly<Record<string, Mark>>;

/** loadMarks reads every puzzle's mark. */
export function loadMarks(store: KeyValue): Marks {
  return readJSON(store, progressKey, isMarks) ?? {};
}

/** raise gives the marks after an attempt: a mark never falls. A puzzle is named by its markKey. */
export function raise(marks: Marks, puzzle: string, mark: Mark): Marks {
  const old = marks[puzzle];
  return old && rank[old] >= rank[mark] ? marks : { ...marks, [puzzle]: mark };
}

/** saveMarks stores the marks, keeping what another tab has reached meanwhile. */
export function saveMarks(store: KeyValue, marks: Marks): Marks {
  let merged = marks;
  for (const [puzzle, mark] of Object.entries(loadMarks(store))) merged = raise(merged, puzzle, mark);
  writeJSON(store, progressKey, merged);
  return merged;
}

/** markOf judges an attempt by its two checks. */
export function markOf(classic: boolean, strict: boolean): Mark {
  if (classic && strict) return "solved";
  return classic ? "classic" : "tried";
}

function isMarks(value: unknown): value is Marks {
  return isRecord(value) && Object.values(value).every((mark) => typeof mark === "string" && mark in rank);
}
