import { computed, effect, signal } from "@preact/signals";
import { browserLang, type Lang } from "../lib/lang";
import { browserStorage, isRecord, readJSON, writeJSON } from "../lib/storage";

export type { Lang };
export type Theme = "auto" | "light" | "dark";

/** Settings are a person's choices; lang is absent until one is made. */
export interface Settings {
  lang?: Lang;
  theme: Theme;
  strict: boolean; // refuse what Triton's GPU compiler refuses
  lineValues: boolean; // show values behind the lines of the code
  allViews: boolean; // tabs for all views on the first puzzles, too
  rank: boolean; // rank the configs of triton.autotune by a model before any is timed
  questions?: boolean; // ask questions at puzzles; absent: yes
  sanitize?: boolean; // check launches with all sanitizers; absent: once the page has rested
  split: readonly number[]; // sizes of panes, as fractions of the page: see app/dividers.tsx
  folded: readonly ("statement" | "result")[]; // panes that a wide window does not show
}

const key = "newt:settings";
/** defaults are the settings until a person chooses. */
export const defaults: Settings = { theme: "auto", strict: false, lineValues: true, allViews: false, rank: false, split: [0.31, 0.31, 0.36, 0.46, 0.88], folded: [] };

export const local = browserStorage("localStorage");

const stored = readJSON(local, key, isSettings);

export const settings = signal<Settings>({ ...defaults, ...stored, split: defaults.split.map((size, i) => stored?.split?.[i] ?? size) });

/** lang is the chosen language, or the browser's own. */
export const lang = computed<Lang>(() => settings.value.lang ?? browserLang());

const systemDark = signal(matchMedia("(prefers-color-scheme: dark)").matches);

/** theme is the theme in use: the chosen one, or the system's if the choice is "auto". */
export const shownTheme = computed<"light" | "dark">(() => {
  const { theme } = settings.value;
  return theme === "auto" ? (systemDark.value ? "dark" : "light") : theme;
});

/** adjust changes some of the settings until one is chosen. */
export function adjust(change: Partial<Settings>): void {
  settings.value = { ...settings.value, ...change };
}

/** choose changes some of the settings and keeps all. */
export function choose(change: Partial<Settings>): void {
  adjust(change);
  writeJSON(local, key, settings.value);
}

/** watchSettings keeps the document's language and theme in step. */
export function watchSettings(): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (e) => (systemDark.value = e.matches));
  effect(() => {
    document.documentElement.lang = lang.value === "zh" ? "zh-Hans" : "en";
    document.documentElement.dataset["theme"] = shownTheme.value;
  });
}

function isSettings(value: unknown): value is Partial<Settings> {
  if (!isRecord(value)) return false;
  const { lang, theme, strict, lineValues, allViews, rank, questions, sanitize, split, folded } = value;
  return (
    (lang === undefined || lang === "en" || lang === "zh") &&
    (theme === undefined || theme === "auto" || theme === "light" || theme === "dark") &&
    (strict === undefined || typeof strict === "boolean") &&
    (lineValues === undefined || typeof lineValues === "boolean") &&
    (allViews === undefined || typeof allViews === "boolean") &&
    (rank === undefined || typeof rank === "boolean") &&
    (questions === undefined || typeof questions === "boolean") &&
    (sanitize === undefined || typeof sanitize === "boolean") &&
    (split === undefined || (Array.isArray(split) && split.every((s) => s > 0.1 && s < 0.9))) &&
    (folded === undefined || (Array.isArray(folded) && folded.every((pane) => pane === "statement" || pane === "result")))
  );
}
