import { computed, effect, signal } from "@preact/signals";
import assets from "newt:assets";
import type { Custom } from "../gen/api";
import type { Goal } from "../gen/goal";
import { isFast } from "../lib/fast";
import { type Lang, lang } from "../settings/settings";

/** Puzzle is one puzzle's text in one language; frontend/build/content.go writes it. */
export interface Puzzle {
  number: number;
  title: string;
  html: string; // the statement; formulas are <code class="math"> with their TeX
  picture: string; // SVG
  shows: string; // what the picture shows, in words
  starter: string;
  hints: string[]; // HTML, from vague to plain
  solutions: readonly Solution[]; // of newt's own puzzles the first one: waysOf gives all
  learned: string; // HTML: what a person knows who has solved it
  refused?: string[] | undefined; // what its question is about: the code of a program that newt refuses, then two others
  goals?: Goal[] | undefined; // what makes an answer fast; the starter is right then
  timing?: Record<string, number> | undefined; // sizes and blocks with which it is timed on a GPU, where the first test's do not do
  /** Where the puzzle is somebody's own, what it was made of; its texts are then a stranger's Markdown, not HTML. */
  own?: { id: string; custom: Custom };
}

export interface Solution {
  title: string;
  why?: string | undefined; // HTML, as the texts of its puzzle: why one might prefer it to the others, and when not
  source: string;
}

/** Content is everything that frontend/build writes for one language. */
export interface Content {
  puzzles: Puzzle[];
}

/** Course is the twelve puzzles with their warm-ups, or the second course, which is fetched when it is first wanted. */
type Course = "content" | "fast";

const loaded = signal<Partial<Record<`${Course} ${Lang}`, Content>>>({});

/** fastWanted is true once somebody looks for the second course. */
export const fastWanted = signal(false);

/** contentFailed is true while the content of the current language could not be fetched. */
export const contentFailed = signal(false);

/** contentOf is a course in the current language; until it is there, in the other one, if loaded. */
function contentOf(course: Course): Content | undefined {
  return loaded.value[`${course} ${lang.value}`] ?? loaded.value[`${course} ${lang.value === "en" ? "zh" : "en"}`];
}

/** content is that of the twelve puzzles and their warm-ups. */
export const content = computed(() => contentOf("content"));

export const puzzles = computed(() => content.value?.puzzles ?? []);

/** fastPuzzles are those of the second course; none until it is there. */
export const fastPuzzles = computed(() => contentOf("fast")?.puzzles ?? []);

/** courseOf are the puzzles of the course that a number belongs to. */
export function courseOf(number: number): Puzzle[] {
  return isFast(number) ? fastPuzzles.value : puzzles.value;
}

/** puzzleOf is the puzzle with a number; undefined where there is none, or it is not there yet. */
export function puzzleOf(number: number): Puzzle | undefined {
  return courseOf(number).find((p) => p.number === number);
}

/** puzzlesIn are the puzzles of both courses in a language; none until its content is there. */
export function puzzlesIn(language: Lang): Puzzle[] {
  return [...(loaded.value[`content ${language}`]?.puzzles ?? []), ...(loaded.value[`fast ${language}`]?.puzzles ?? [])];
}

/** watchContent fetches the content of every language that is chosen. */
export function watchContent(): void {
  effect(() => {
    void fetchContent(lang.value, fastWanted.value);
  });
}

/** fetchContent fetches one language's content, with the second course if that is wanted; call it again after a failure. */
export async function fetchContent(wanted: Lang, fast = fastWanted.peek()): Promise<void> {
  const courses = fast ? (["content", "fast"] as const) : (["content"] as const);
  contentFailed.value = !(await Promise.all(courses.map((course) => loadContent(wanted, course))).then(() => true, () => false));
}

/** loads are the courses that are fetched, or being fetched. */
const loads = new Map<string, Promise<void>>();

/** loadContent fetches a course in one language, once; it rejects where that fails, and the next call tries again. */
export function loadContent(wanted: Lang, course: Course = "content"): Promise<void> {
  const key = `${course} ${wanted}`;
  const load = loads.get(key) ?? fetchCourse(wanted, course);
  loads.set(key, load);
  load.catch(() => loads.delete(key));
  return load;
}

async function fetchCourse(wanted: Lang, course: Course): Promise<void> {
  const response = await fetch(assets[course][wanted]);
  if (!response.ok) throw new Error(response.statusText);
  const content = (await response.json()) as Content;
  loaded.value = { ...loaded.peek(), [`${course} ${wanted}`]: content };
}
