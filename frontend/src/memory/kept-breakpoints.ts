import { isRecord, readJSON, writeJSON } from "../lib/storage";
import { local } from "../settings/settings";

/** Breakpoint is a line to stop at, where a condition holds; an empty one holds everywhere. */
export interface Breakpoint {
  line: number; // counted from 1
  condition: string;
}

/** keyOf is where this browser keeps the breakpoints of a document. */
const keyOf = (doc: string) => `newt:breakpoints:${doc}`;

/** kept are the breakpoints that a document had when it was last open, by their lines. */
export function kept(doc: string): Breakpoint[] {
  const list = readJSON(local, keyOf(doc), isList) ?? [];
  return [...new Map(list.map((at) => [at.line, at])).values()].sort((a, b) => a.line - b.line);
}

/** keep keeps the breakpoints of a document for another visit. */
export function keep(doc: string, list: readonly Breakpoint[]): void {
  if (list.length) writeJSON(local, keyOf(doc), list);
  else local.removeItem(keyOf(doc));
}

function isList(value: unknown): value is Breakpoint[] {
  return Array.isArray(value) && value.every((at) => isRecord(at) && isLine(at.line) && typeof at.condition === "string");
}

const isLine = (value: unknown) => typeof value === "number" && Number.isInteger(value) && value >= 1;
