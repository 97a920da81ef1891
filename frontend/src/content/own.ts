import { computed, signal } from "@preact/signals";
import type { Puzzle } from "./content";
import { type Course, courseIn, inOrder } from "./course";
import { EngineFault } from "../engine/engine";
import { interpreter } from "../engine/engines";
import type { Custom, LoadReply } from "../gen/api";
import { hash } from "../lib/hash";
import { isRecord } from "../lib/storage";
import { lang, local, type Lang } from "../settings/settings";
import { Shared } from "../settings/shared";

/** How many puzzles from links and folders this browser keeps, and how many letters of them; the oldest goes first. */
const maxKept = 8;
const maxLetters = 1_500_000;

/** kept are the puzzles that were opened from a link or from a folder, newest first. */
export const kept = new Shared<Custom[]>(local, "newt:own", isCustoms, []);

/** offered are the puzzles that this site serves in addition to newt's own, by id: of a course's puzzle it stays while the files change. */
const offered = signal<[id: string, Custom][]>([]);

/** siteCourse is the course that this site's puzzles are, if they are one. */
export const siteCourse = signal<Course | undefined>(undefined);

/** ownPuzzles are all puzzles that are not newt's own, by id, those of a course in its order. */
export const ownPuzzles = computed(() => new Map([...kept.value.map((c): [string, Custom] => [idOf(c), c]), ...offered.value]));

/** courseOfOwn is the course that a puzzle which is not newt's own is in, if it is in one. */
export function courseOfOwn(id: string): Course | undefined {
  return siteCourse.value && id.endsWith(`.${siteCourse.value.id}`) ? siteCourse.value : undefined;
}

/** Loaded is the engine's reply about a puzzle, in one language. */
export type Loaded = LoadReply | { fault: EngineFault };

/** loaded is by language and id; a puzzle that the engine is reading is "loading". */
const loaded = signal<Readonly<Record<string, Loaded | "loading">>>({});

/** idOf names a puzzle by its folder and what its files hold, so that a changed puzzle is another. */
export function idOf({ folder, files }: Custom): string {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${folder}.${hash(sorted.map((f) => `${f.name}\n${f.text}`).join("\0"))}`;
}

/** titleOf reads a puzzle's title from its files without running or checking anything. */
export function titleOf(custom: Custom, language: Lang): string {
  return phraseOf(custom, "puzzle.json", "title", language).trim().slice(0, 80) || custom.folder;
}

/** phraseOf reads a text from a file of a puzzle; it is empty where it is missing. */
export function phraseOf({ files }: Custom, file: string, field: string, language: Lang): string {
  try {
    const json: unknown = JSON.parse(files.find((f) => f.name === file)?.text ?? "");
    const text = isRecord(json) ? json[field] : undefined;
    const inLanguage = isRecord(text) ? text[language] : text;
    return typeof inLanguage === "string" ? inLanguage : "";
  } catch {
    return "";
  }
}

/** load asks the engine whether a puzzle is sound; its solutions and its starter run for that. */
export async function load(custom: Custom, language: Lang): Promise<Loaded> {
  try {
    const { load: reply } = await interpreter.call({ lang: language, load: { custom } });
    return reply ?? { fault: new EngineFault("refused") };
  } catch (error) {
    return { fault: error instanceof EngineFault ? error : new EngineFault("crashed", String(error)) };
  }
}

/** loadedOwn is a puzzle as the engine read it; undefined until it answered. */
export function loadedOwn(id: string): Loaded | undefined {
  const reply = loaded.value[`${lang.value} ${id}`];
  return reply === "loading" ? undefined : reply;
}

/** ensureLoaded loads a puzzle unless that is done or under way; again after a fault. */
export function ensureLoaded(id: string): void {
  const custom = ownPuzzles.value.get(id);
  const language = lang.value;
  const name = `${language} ${id}`;
  const before = loaded.peek()[name];
  if (!custom || before === "loading" || (before && !("fault" in before))) return;
  remember(name, "loading");
  void load(custom, language).then((reply) => remember(name, reply));
}

/** adopt keeps a puzzle that was found sound. */
export function adopt(custom: Custom, reply: LoadReply): string {
  const id = idOf(custom);
  kept.change((list) => bounded([custom, ...list.filter((c) => idOf(c) !== id)]));
  remember(`${lang.peek()} ${id}`, reply);
  return id;
}

/** forget removes a kept puzzle; its text and its mark stay, in case it comes back. */
export function forget(id: string): void {
  kept.change((list) => list.filter((c) => idOf(c) !== id));
}

/** ownPuzzle is the puzzle as the page shows it. */
export function ownPuzzle(id: string): Puzzle | undefined {
  const custom = ownPuzzles.value.get(id);
  const reply = loadedOwn(id);
  if (!custom || !reply || "fault" in reply || !reply.ok) return undefined;
  const { number, title, statement, picture, starter, hints, solutions, learned, refused, goals, timing } = reply;
  return { number, title, html: statement, picture, shows: shownBy(picture) || title, starter, hints, solutions, learned, refused, goals, timing, own: { id, custom } };
}

/** shownBy is what an SVG says that it shows: in the page's language, where it says so in several. */
function shownBy(svg: string): string {
  if (!svg) return "";
  const descriptions = [...new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("desc")];
  return (descriptions.find((d) => d.getAttribute("lang") === lang.value) ?? descriptions[0])?.textContent?.trim() ?? "";
}

let asked: Promise<void> | undefined;

/** fetchOffered asks the site for its puzzles, once; a site that has none need not know the question. */
export function fetchOffered(): Promise<void> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<void> {
  try {
    const response = await fetch("api/puzzles");
    const list: unknown = response.ok ? await response.json() : [];
    if (!isCustoms(list)) return;
    const course = courseIn(list);
    siteCourse.value = course;
    offered.value = inOrder(list, course).map((c) => [course ? `${c.folder}.${course.id}` : idOf(c), c]);
  } catch {
    asked = undefined; // the next call tries again
  }
}

/** bounded leaves room in the browser's storage for texts; the newest puzzle always stays. */
function bounded(list: Custom[]): Custom[] {
  let letters = 0;
  return list.slice(0, maxKept).filter((c, i) => {
    letters += c.files.reduce((sum, f) => sum + f.text.length, 0);
    return i === 0 || letters <= maxLetters;
  });
}

function remember(name: string, reply: Loaded | "loading"): void {
  loaded.value = { ...loaded.peek(), [name]: reply };
}

/** isCustoms is whether a value is a list of puzzles. */
export function isCustoms(value: unknown): value is Custom[] {
  return Array.isArray(value) && value.every(
    (c) => isRecord(c) && typeof c["folder"] === "string" && Array.isArray(c["files"]) &&
      c["files"].every((f) => isRecord(f) && typeof f["name"] === "string" && typeof f["text"] === "string"),
  );
}
