import { computed, effect, signal } from "@preact/signals";
import assets from "newt:assets";
import type { Custom } from "../gen/api";
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
  solutions: Solution[]; // the first is the one to show first
  learned: string; // HTML: what a person knows who has solved it
  /** Where the puzzle is somebody's own, what it was made of; its texts are then a stranger's Markdown, not HTML. */
  own?: { id: string; custom: Custom };
}

export interface Solution {
  title: string;
  source: string;
}

/** Content is everything that frontend/build writes for one language. */
export interface Content {
  puzzles: Puzzle[];
}

const loaded = signal<Partial<Record<Lang, Content>>>({});

/** contentFailed is true while the content of the current language could not be fetched. */
export const contentFailed = signal(false);

/** content is that of the current language; until it is there, that of the other one, if loaded. */
export const content = computed(() => loaded.value[lang.value] ?? Object.values(loaded.value)[0]);

export const puzzles = computed(() => content.value?.puzzles ?? []);

/** puzzlesIn are the puzzles in a language; none until its content is there. */
export function puzzlesIn(language: Lang): Puzzle[] {
  return loaded.value[language]?.puzzles ?? [];
}

/** watchContent fetches the content of every language that is chosen. */
export function watchContent(): void {
  effect(() => {
    const wanted = lang.value;
    if (!loaded.peek()[wanted]) void fetchContent(wanted);
  });
}

/** fetchContent fetches one language's content; call it again after a failure. */
export async function fetchContent(wanted: Lang): Promise<void> {
  contentFailed.value = !(await loadContent(wanted).then(() => true, () => false));
}

/** loadContent fetches one language's content; it rejects where that fails. */
export async function loadContent(wanted: Lang): Promise<void> {
  const response = await fetch(assets.content[wanted]);
  if (!response.ok) throw new Error(response.statusText);
  const content = (await response.json()) as Content;
  loaded.value = { ...loaded.value, [wanted]: content };
}
