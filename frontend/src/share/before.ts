import { computed } from "@preact/signals";
import { change, form, type Form } from "../document/call";
import { file, type OpenedFile, setFile } from "../document/file";
import { hash } from "../lib/hash";
import { isRecord, writeText } from "../lib/storage";
import { choose, local, settings } from "../settings/settings";
import { Shared } from "../settings/shared";
import { doc, replaceText, starter, text } from "../document/workspace";

/** Before is the document that a link replaced: its text and how it was run. */
export interface Before {
  doc: string;
  text: string;
  strict: boolean;
  form?: Form; // on the free page
  file?: OpenedFile; // of a document, without its bytes
}

/** How many replaced texts are kept; the oldest goes first. */
const maxKept = 6;

const all = new Shared<Before[]>(local, "newt:before", isBefores, []);

/** noteLinked remembers what a link has brought, by its hash. */
export function noteLinked(of: string, linked: string): void {
  writeText(local, linkedKey(of), hash(linked));
}

/** isLinked is whether a document's text came from a link unchanged, so that losing it loses nothing. */
export function isLinked(of: string, kept: string): boolean {
  return local.getItem(linkedKey(of)) === hash(kept);
}

const linkedKey = (of: string) => `newt:linked:${of}`;

/** before is the version of the current document that a link replaced, if any. */
export const before = computed(() => all.value.find((b) => b.doc === doc.value));

/** keepBefore keeps the current document before a link's text takes its place. */
export function keepBefore(linked: string): void {
  const now = text.peek();
  if (now === undefined || now === linked) return;
  if (now === starter.peek() && doc.peek() !== "free") return; // Start over brings it back
  // What an earlier link brought and nobody changed is nobody's loss.
  if (isLinked(doc.peek(), now)) return;
  const kept: Before = { doc: doc.peek(), text: now, strict: settings.peek().strict };
  if (kept.doc === "free") kept.form = form.peek();
  if (kept.doc === "document") kept.file = { name: file.peek().name, format: file.peek().format, id: file.peek().id };
  all.change((list) => [kept, ...list].slice(0, maxKept));
}

/** bringBack puts the replaced text, and how it was run, back into its place. */
export function bringBack(): void {
  const b = before.peek();
  if (!b) return;
  letGo();
  choose({ strict: b.strict });
  if (b.form) change(b.form);
  if (b.file) setFile(b.file);
  replaceText(b.text);
}

/** letGo forgets the replaced text. */
export function letGo(): void {
  const b = before.peek();
  all.change((list) => list.filter((other) => other.doc !== b?.doc || other.text !== b.text));
}

function isBefores(value: unknown): value is Before[] {
  return Array.isArray(value) && value.every(
    (b) => isRecord(b) && typeof b["doc"] === "string" && typeof b["text"] === "string" &&
      typeof b["strict"] === "boolean",
  );
}
