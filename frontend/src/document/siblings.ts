import { signal } from "@preact/signals";
import type { GivenFile } from "../gen/api";

/** Sibling is a file next to the document: a module that it imports, or data that it reads. */
export interface Sibling {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** siblings are those given with the document. */
export const siblings = signal<readonly Sibling[]>([]);

/** maxSiblingBytes bounds all of them together. */
export const maxSiblingBytes = 64 << 20;

/** giveFiles adds files; one with the name of another replaces it. It reports whether there is room for them. */
export function giveFiles(more: readonly Sibling[]): boolean {
  const kept = siblings.peek().filter((s) => !more.some((m) => m.name === s.name));
  const all = [...kept, ...more].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (all.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxSiblingBytes) return false;
  siblings.value = all;
  return true;
}

/** takeFile removes a file. */
export function takeFile(name: string): void {
  siblings.value = siblings.peek().filter((s) => s.name !== name);
}

/** given is the session that has files, and which. */
let given: { session: string; files: readonly Sibling[] } = { session: "", files: [] };

/** Taken are the files that a run takes with it; arrived notes, once it has run, that its session has them. */
interface Taken {
  request: { files?: GivenFile[] };
  buffers: ArrayBuffer[];
  arrived: () => void;
}

/** filesFor is what a run of a session's cells takes with it: all files, where the session does not have these yet. */
export function filesFor(session: string): Taken {
  const files = siblings.peek();
  const has = given.session === session ? given.files : [];
  const arrived = () => void (given = { session, files });
  if (has === files || (!has.length && !files.length)) return { request: {}, buffers: [], arrived };
  return {
    arrived,
    request: { files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length })) },
    buffers: files.map(({ bytes }) => bytes.slice().buffer),
  };
}
