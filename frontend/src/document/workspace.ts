import { computed, effect, signal } from "@preact/signals";
import { fastWanted, puzzleOf } from "../content/content";
import { labelOf } from "../content/path";
import { documentExample, examples } from "../content/examples";
import { debounce } from "../lib/debounce";
import { isFast } from "../lib/fast";
import { newlines } from "../lib/newlines";
import { browserStorage, writeText } from "../lib/storage";
import { ensureLoaded, fetchOffered, ownPuzzle, ownPuzzles } from "../content/own";
import { parseLink } from "../state/link";
import { type Route, docOf, formatRoute, parseRoute } from "../state/route";
import { local } from "../settings/settings";
import { refused } from "../settings/shared";
import { Texts, type Version } from "../state/texts";
import { notice } from "../state/view";

const session = browserStorage("sessionStorage");
const tabKey = "newt:tab";
const tab = takeTabID();
const texts = new Texts(local, tab);

/** How long typing must rest until the text is stored. */
const saveDelayMs = 300;

export const route = signal<Route>(parseRoute(location.hash) ?? lastRoute());

/** doc is the key of the document in the editor. */
export const doc = computed(() => docOf(route.value));

/** puzzle is the current puzzle; undefined on the free page and until the content is there. */
export const puzzle = computed(() => {
  const r = route.value;
  if (r.page === "own") return ownPuzzle(r.id);
  return r.page === "puzzle" ? puzzleOf(r.puzzle) : undefined;
});

/** starter is the text that a document begins with. */
export const starter = computed(() => {
  const { page } = route.value;
  if (page === "document") return documentExample;
  if (page === "free") return examples[0].source;
  return puzzle.value && newlines(puzzle.value.starter);
});

/** text is what the editor holds; undefined while there is nothing to edit yet. */
export const text = signal<string | undefined>(undefined);

/** textSaved tells whether the browser holds the newest text. */
const textSaved = signal<"saved" | "pending" | "failed">("saved");

/** saved tells whether the browser holds the newest text, and all else that it keeps for its tabs. */
export const saved = computed(() => (refused.value.size > 0 ? "failed" : textSaved.value));

/** offered is another tab's newer text of this document. */
export const offered = signal<Version | undefined>(undefined);

/** replaced counts the times when the text changed by other means than typing, so that the editor shows it. */
export const replaced = signal(0);

/** keptText is the text that a document opens with, if this browser keeps any of it. */
export function keptText(of: Route): string | undefined {
  return textOf(docOf(of));
}

function textOf(key: string): string | undefined {
  const kept = texts.open(key);
  return kept === undefined ? undefined : newlines(kept);
}

/** edit takes what was typed. */
export function edit(now: string): void {
  if (now === text.peek()) return;
  text.value = now;
  notice.value = undefined;
  textSaved.value = "pending";
  saveSoon();
}

/** replaceText puts another text into the editor; undo brings the old one back. */
export function replaceText(now: string): void {
  edit(newlines(now));
  replaced.value = replaced.peek() + 1;
}

/** replaceAll puts another text into the editor and offers to undo it. */
export function replaceAll(now: string): void {
  replaceText(now);
  notice.value = "replaced";
}

/** startOver brings the starter back, and offers to undo that. */
export function startOver(): void {
  const initial = starter.peek();
  if (initial !== undefined) replaceAll(initial);
}

const saveSoon = debounce(save, saveDelayMs);

/** save stores the text at once. */
export function save(): void {
  const now = text.peek();
  if (now === undefined || textSaved.peek() === "saved") return;
  textSaved.value = texts.save(doc.peek(), now) ? "saved" : "failed";
}

/** acceptOffer takes the other tab's text into the editor. */
export function acceptOffer(): void {
  const version = offered.peek();
  offered.value = undefined;
  if (version) replaceText(version.text);
}

/** declineOffer makes this tab's text the newest. */
export function declineOffer(): void {
  offered.value = undefined;
  textSaved.value = "pending";
  save();
}

/** go shows a route. */
export function go(to: Route): void {
  location.hash = formatRoute(to);
}

/** watchWorkspace follows the address, opens documents and stores what is left unsaved. */
export function watchWorkspace(): void {
  addEventListener("hashchange", () => {
    const to = parseRoute(location.hash);
    if (to) visit(to);
  });
  addEventListener("pagehide", () => {
    save();
    writeText(session, tabKey, tab);
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) session.removeItem(tabKey);
  });
  addEventListener("storage", (event) => {
    if (event.key === Texts.key(doc.peek())) offered.value = texts.newer(doc.peek(), text.peek() ?? "");
  });
  if (!parseRoute(location.hash) && !parseLink(location.hash)) history.replaceState(null, "", formatRoute(route.peek()));
  effect(() => writeText(local, "newt:last", formatRoute(route.value)));
  effect(fetchOwn);
  effect(() => {
    if (route.value.page === "puzzle" && isFast(route.value.puzzle)) fastWanted.value = true;
  });
  let opened = "";
  effect(() => void (opened = openDocument(opened)));
  effect(() => {
    document.title = puzzle.value ? `${labelOf(puzzle.value.number)} ${puzzle.value.title} · newt` : "newt";
  });
}

/** visit shows a route that the address names already. */
export function visit(to: Route): void {
  save();
  notice.value = undefined;
  route.value = to;
}

/** fetchOwn loads the puzzle of one's own that the route names. */
function fetchOwn(): void {
  const r = route.value;
  if (r.page !== "own") return;
  if (!ownPuzzles.value.has(r.id)) void fetchOffered();
  ensureLoaded(r.id);
}

/** openDocument runs whenever the route or the starter may have changed. It gives the document that is open now, as opened is before. */
function openDocument(opened: string): string {
  const key = doc.value;
  const initial = starter.value;
  if (key === opened && text.peek() !== undefined) return key;
  const now = textOf(key) ?? initial;
  text.value = now;
  textSaved.value = texts.isUnsaved(key) ? "failed" : "saved";
  offered.value = now === undefined ? undefined : texts.newer(key, now);
  replaced.value = replaced.peek() + 1;
  return key;
}

function lastRoute(): Route {
  return parseRoute(local.getItem("newt:last") ?? "") ?? { page: "free" };
}

/** takeTabID names this tab. The name is in the session only while no page is shown: a duplicated tab has a copy of the session. */
function takeTabID(): string {
  const id = session.getItem(tabKey) ?? Math.random().toString(36).slice(2, 10);
  session.removeItem(tabKey);
  return id;
}
