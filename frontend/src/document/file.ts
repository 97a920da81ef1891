import { computed, signal } from "@preact/signals";
import { local } from "../settings/settings";
import { isRecord, readJSON, writeJSON } from "../lib/storage";

/** formats are the ways to write a document down, as wasm/api names them. */
export const formats = ["python", "notebook", "markdown", "transcript"] as const;
export type Format = (typeof formats)[number];

/** OpenedFile is the file that the document was opened from. */
export interface OpenedFile {
  name: string;
  format: Format;
  id: string; // tells it from other files of its name
  bytes?: Uint8Array<ArrayBuffer>; // until the page is left, and after that where the browser has room for them
}

const key = "newt:file";

const opened = signal<OpenedFile>(readJSON(local, key, isFile) ?? { ...unnamed(), id: "" });

/** file is the document's file. */
export const file = computed(() => opened.value);

/** unnamed is the file of a document that none was opened for. */
export function unnamed(): OpenedFile {
  return { name: "document.py", format: "python", id: newID() };
}

/** newID is an id for a file that is opened now. */
export function newID(): string {
  return Math.random().toString(36).slice(2);
}

/** setFile notes which file the document is from now on. */
export function setFile(now: OpenedFile): void {
  opened.value = now;
  writeJSON(local, key, { name: now.name, format: now.format, id: now.id });
}

function isFile(value: unknown): value is OpenedFile {
  return isRecord(value) && ["name", "format", "id"].every((k) => typeof value[k] === "string");
}
