import type { Custom } from "../gen/api";
import type { WaitsFor } from "./path";
import type { Lang } from "../settings/settings";

/** Phrase is a text in both languages, or one for both. */
export type Phrase = string | Readonly<Record<Lang, string>>;

/** Idea is what somebody knows who has solved a puzzle: one of newt's concepts by its id, or one with a card of its own. */
export interface Idea {
  id: string;
  puzzle: number;
  title?: Phrase;
  text?: Phrase;
  words?: readonly string[]; // which open the card where a statement has them
}

/** Course is course.json, which puzzles/README.md describes. */
export interface Course {
  id: string; // in addresses; with a folder's name it is the id of a puzzle, whose files may then change
  title: Phrase;
  regions: readonly { title: Phrase; puzzles: readonly number[] }[];
  after?: Readonly<Record<string, readonly number[]>>; // the puzzles that are solved before one
  ideas?: readonly Idea[];
}

/** courseIn is the course that a list of folders is: the server has checked its file. Undefined where it is none. */
export function courseIn(folders: readonly Custom[]): Course | undefined {
  const text = folders.find(({ folder }) => folder === ".")?.files[0]?.text;
  return text === undefined ? undefined : (JSON.parse(text) as Course);
}

/** inOrder are the folders of puzzles, in the order of their course if they are one. */
export function inOrder(folders: readonly Custom[], course: Course | undefined): Custom[] {
  const order = course?.regions.flatMap(({ puzzles }) => puzzles) ?? [];
  const at = ({ folder }: Custom) => order.indexOf(parseInt(folder, 10));
  return folders.filter(({ folder }) => folder !== ".").sort((a, b) => at(a) - at(b));
}

/** waitsIn gives, by what is solved, the puzzles that one of a course still waits for. */
export function waitsIn(course: Course | undefined, isSolved: (number: number) => boolean): WaitsFor {
  return (number) => (course?.after?.[number] ?? []).filter((before) => !isSolved(before));
}

/** phraseIn is a phrase in a language. */
export function phraseIn(phrase: Phrase, lang: Lang): string {
  return typeof phrase === "string" ? phrase : phrase[lang];
}
