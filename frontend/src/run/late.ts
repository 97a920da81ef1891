import { computed, signal } from "@preact/signals";
import type { PuzzleRequest } from "../gen/api";
import { type Lang, lang } from "../settings/settings";
import { runOf } from "./request";
import type { Result } from "./result";
import { result } from "./runs";

/** Asked is a question about a result's answer to a puzzle, in one language. */
interface Asked<T> {
  of: Result;
  lang: Lang;
  answer?: T | undefined; // undefined while it is asked, and where nobody answered
  done: boolean;
}

/** late is a question that is answered after the verdict, once for each result: ask answers it. */
export function late<T>(ask: (answer: PuzzleRequest, stopped: AbortSignal) => Promise<T | undefined>) {
  const last = signal<Asked<T> | undefined>(undefined);
  const asked = computed(() => (last.value?.of === result.value && last.value?.lang === lang.value ? last.value : undefined));
  const begin = async (of: Result, stopped: AbortSignal) => {
    const { puzzle } = runOf(of.source) ?? {};
    if (!puzzle || asked.peek()?.done) return;
    const begun: Asked<T> = { of, lang: lang.peek(), done: false };
    last.value = begun;
    const answer = await ask(puzzle, stopped).catch(() => undefined);
    if (last.peek() === begun) last.value = stopped.aborted ? undefined : { ...begun, answer, done: true };
  };
  return {
    /** asked is what is known of the current result. */
    asked,
    /** start asks about a result, which is the current one. It returns what ends that. */
    start: (of: Result): (() => void) => {
      const stopper = new AbortController();
      void begin(of, stopper.signal);
      return () => stopper.abort();
    },
  };
}
