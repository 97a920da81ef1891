import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import assets from "newt:assets";
import { type Lang, lang } from "../settings/settings";
import type { Puzzle, Solution } from "./content";

/** loaded are the solutions of newt's own puzzles, by language and number. */
const loaded = signal<Partial<Record<Lang, Readonly<Record<number, readonly Solution[]>>>>>({});

/** useWays gives all solutions of a puzzle: the first one alone until the others have been fetched, or if they cannot be. */
export function useWays({ number, own, solutions }: Puzzle): readonly Solution[] {
  const wanted = lang.value;
  useEffect(() => {
    if (!own) void fetchWays(wanted).catch(() => undefined); // it is tried again the next time
  }, [own, wanted]);
  return (own ? undefined : loaded.value[wanted]?.[number]) ?? solutions;
}

async function fetchWays(wanted: Lang): Promise<void> {
  if (loaded.peek()[wanted]) return;
  const response = await fetch(assets.ways[wanted]);
  if (!response.ok) throw new Error(response.statusText);
  loaded.value = { ...loaded.peek(), [wanted]: (await response.json()) as Record<number, Solution[]> };
}
