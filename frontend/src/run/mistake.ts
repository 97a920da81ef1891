import { computed, signal } from "@preact/signals";
import { searcher } from "../engine/engines";
import type { Diagnostic } from "../gen/api";
import { lang } from "../settings/settings";
import { runOf } from "./request";
import type { Result } from "./result";
import { result } from "./runs";

/** Search is what came of the search for the mistake in a result's answer. */
interface Search {
  of: Result;
  found?: Diagnostic | undefined;
  done: boolean;
}

const search = signal<Search | undefined>(undefined);

const current = computed(() => (search.value?.of === result.value ? search.value : undefined));

/** mistake is that in the current result's answer, if it is known. Its first fix makes the answer pass. */
export const mistake = computed(() => current.value?.found);

/** looking tells that it is being looked for. */
export const looking = computed(() => current.value?.done === false);

/** unknown tells that it was looked for in vain. */
export const unknown = computed(() => current.value?.done === true && !current.value.found);

/** findMistake looks for the mistake in the answer of a result that fails. It returns what ends the search. */
export function findMistake(of: Result): () => void {
  const stopper = new AbortController();
  void find(of, stopper.signal);
  return () => stopper.abort();
}

async function find(of: Result, stopped: AbortSignal): Promise<void> {
  const { puzzle } = runOf(of.source) ?? {};
  const known = search.peek();
  if (!puzzle || (known?.of === of && known.done)) return;
  search.value = { of, done: false };
  searcher.wake();
  const options = { signal: stopped, interrupt: { lang: lang.peek(), stop: {} } };
  const reply = await searcher.call({ lang: lang.peek(), mistake: puzzle }, options).catch(() => undefined);
  if (search.peek()?.of !== of) return;
  search.value = stopped.aborted ? undefined : { of, found: reply?.mistake?.found, done: true };
}
