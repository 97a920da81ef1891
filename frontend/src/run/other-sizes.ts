import { batch, computed, signal } from "@preact/signals";
import { doc } from "../document/workspace";
import { searcher } from "../engine/engines";
import type { InspectRequest, OtherSizesReply } from "../gen/api";
import { lang } from "../settings/settings";
import { runOf } from "./request";
import type { Result } from "./result";
import { addProblems, result } from "./runs";

/** Search is what came of a result's answer at other sizes; reply is that of an earlier answer until it has come. */
interface Search {
  of: Result;
  reply: OtherSizesReply | undefined;
  done: boolean;
}

const nothing: OtherSizesReply = { message: "" };

const search = signal<Search | undefined>(undefined);

const current = computed(() => (search.value?.of.doc === doc.value ? search.value : undefined));

/** told is what came of the current result's answer at other sizes, once that is known. */
export const told = computed(() => (current.value?.done && current.value.of === result.value ? current.value.reply : undefined));

/** trying tells that the current result's answer is being tried. */
export const trying = computed(() => current.value?.done === false && current.value.of === result.value);

/** failure is the launch at other sizes that failed last; it can be looked at while its mistake is mended. */
export const failure = computed(() => current.value?.reply?.failure);

let stopper = new AbortController();

/** trySizes tries the answer of a result at other sizes. */
export async function trySizes(of: Result): Promise<void> {
  const { puzzle } = runOf(of.source) ?? {};
  if (search.peek()?.of === of || !puzzle) return;
  stopper.abort();
  stopper = new AbortController();
  search.value = { of, reply: current.peek()?.reply, done: false };
  searcher.wake();
  const options = { signal: stopper.signal, interrupt: { lang: lang.peek(), stop: {} } };
  const reply = await searcher.call({ lang: lang.peek(), otherSizes: puzzle }, options).catch(() => undefined);
  if (search.peek()?.of !== of) return;
  batch(() => {
    const now = addProblems(of, reply?.otherSizes?.failure?.diagnostics ?? []);
    search.value = { of: now, reply: reply?.otherSizes ?? nothing, done: true };
  });
}

/** launchOfTest names a puzzle's test by its number; the one after the last is the launch at other sizes. */
export function launchOfTest(test: number): Pick<InspectRequest, "case" | "sizes"> {
  if (test < (result.value?.verdict?.tests ?? Infinity)) return { case: test };
  const at = failure.value;
  return at ? { case: at.case, sizes: at.sizes } : { case: 0 };
}
