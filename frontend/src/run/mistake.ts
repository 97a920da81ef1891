import { effect } from "@preact/signals";
import { text } from "../document/workspace";
import { searcher } from "../engine/engines";
import type { Diagnostic, PuzzleRequest } from "../gen/api";
import { lang } from "../settings/settings";
import { late } from "./late";
import { runOf } from "./request";
import { result, running, stale } from "./runs";

/** Search is one for the mistake in an answer. */
interface Search {
  key: string; // the answer and the language
  stopper: AbortController;
  found: Promise<Diagnostic | undefined>;
}

let last: Search | undefined;

/** search begins one unless the last one is the same and nobody has ended it. */
function search(answer: PuzzleRequest): Search {
  const key = JSON.stringify([answer, lang.peek()]);
  if (last?.key === key && !last.stopper.signal.aborted) return last;
  last?.stopper.abort();
  const stopper = new AbortController();
  const options = { signal: stopper.signal, interrupt: { lang: lang.peek(), stop: {} } };
  const found = searcher.call({ lang: lang.peek(), mistake: answer }, options).then((reply) => reply.mistake?.found);
  const begun = (last = { key, stopper, found });
  found.catch(() => {
    if (last === begun) last = undefined;
  });
  return begun;
}

function endsWith({ stopper }: Search, signal: AbortSignal): void {
  signal.addEventListener("abort", () => stopper.abort(), { once: true });
}

// Where the program that searches runs already, a search begins with the run, on a core of its own: whether the answer
// fails is known sooner than why, and an answer that passes costs it little.
effect(() => {
  const run = running.value;
  if (!run || run.device || searcher.state.peek() !== "ready") return;
  const answer = runOf(text.peek() ?? "")?.puzzle;
  if (answer) endsWith(search(answer), run.stopper.signal);
});

/** mistake is the question for the mistake in an answer that fails. The first fix of what is found makes the answer pass. */
export const mistake = late(async (answer, signal) => {
  searcher.wake();
  const begun = search(answer);
  endsWith(begun, signal);
  return begun.found;
});

// Asked at once, and not when the verdict is drawn: what a search has found by then is drawn with it.
effect(() => {
  const of = result.value;
  return of?.verdict?.pass === false && !stale.value && lang.value ? mistake.start(of) : undefined;
});
