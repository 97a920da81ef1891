import { computed, signal } from "@preact/signals";
import { local } from "../settings/settings";
import { isRecord, readJSON, writeJSON } from "../lib/storage";

/** Format is a way to write a document down, as wasm/api names it. */
export type Format = "python" | "notebook" | "markdown" | "transcript";

/** OpenedFile is the file that the document was opened from. Its bytes are there until the page is left. */
export interface OpenedFile {
  name: string;
  format: Format;
  bytes?: Uint8Array;
}

/** unnamed is the file of a document that none was opened for. */
export const unnamed: OpenedFile = { name: "document.py", format: "python" };

const key = "newt:file";

const opened = signal<OpenedFile>(readJSON(local, key, isFile) ?? unnamed);

/** file is the document's file. */
export const file = computed(() => opened.value);

/** setFile notes which file the document is from now on. */
export function setFile(now: OpenedFile): void {
  opened.value = now;
  writeJSON(local, key, { name: now.name, format: now.format });
}

function isFile(value: unknown): value is OpenedFile {
  return isRecord(value) && typeof value["name"] === "string" && typeof value["format"] === "string";
}
