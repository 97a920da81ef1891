import type { Edit } from "../gen/api";

/** changedLines are the lines that edits change in a text, as they are and as they will be. */
export function changedLines(text: string, edits: readonly Edit[]): { before: string; after: string } {
  const ordered = [...edits].sort((a, b) => b.from - a.from);
  let now = text;
  for (const { from, to, insert } of ordered) now = now.slice(0, from) + insert + now.slice(to);
  const [old, changed] = [text.split("\n"), now.split("\n")];
  const shorter = Math.min(old.length, changed.length);
  let same = 0;
  while (same < shorter && old[same] === changed[same]) same++;
  let end = 0;
  while (end < shorter - same && old.at(-1 - end) === changed.at(-1 - end)) end++;
  const part = (lines: readonly string[]) => lines.slice(same, lines.length - end).join("\n");
  return { before: part(old), after: part(changed) };
}
