import type { Diagnostic } from "../gen/api";

/** How long typing has to rest until what is newly wrong on its own line is shown. */
export const restMs = 700;

/** Sorted are a check's diagnostics: those to show at once, and those that wait until typing rests. */
export interface Sorted {
  shown: Diagnostic[];
  held: Diagnostic[];
}

/**
 * sort holds back what is newly wrong on the line that is being typed, where half a name is no mistake
 * yet. What was shown before stays, and what is wrong elsewhere is shown at once.
 */
export function sort(found: readonly Diagnostic[], before: readonly Diagnostic[], typing: number | undefined): Sorted {
  const known = new Set(before.map(message));
  const waits = (d: Diagnostic) => d.line === typing && !known.has(message(d));
  return { shown: found.filter((d) => !waits(d)), held: found.filter(waits) };
}

/** message names a diagnostic without its place, which moves with the text. */
function message(d: Diagnostic): string {
  return `${d.code} ${d.headline}`;
}
