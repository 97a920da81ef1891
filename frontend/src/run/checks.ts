import { computed, effect, signal } from "@preact/signals";
import { helper, helperFailed } from "../engine/engines";
import { latest } from "../engine/latest";
import type { CheckReply, CheckRequest, Diagnostic, FieldProblem } from "../gen/api";
import { type Sorted, restMs, sort } from "./held";
import { lang, type Lang } from "../settings/settings";
import { cursorLine } from "../state/view";
import { checkOf } from "./request";
import { result } from "./runs";
import { doc, text } from "../document/workspace";

/** A check takes a few milliseconds; this keeps the keys of one burst from asking for one each. */
const checkDelayMs = 30;

/** checked are the diagnostics of a text; they are shown only while it is what the editor holds. */
const checked = signal<({ doc: string; source: string } & Sorted) | undefined>(undefined);

/** fieldProblem is what is wrong with a field of the free page's form, as the last check saw it. */
export const fieldProblem = signal<FieldProblem | undefined>(undefined);

/** found are the diagnostics of sanitizers, which the memory view lists; the editor marks them like the problems. */
export const found = signal<{ doc: string; source: string; list: readonly Diagnostic[] } | undefined>(undefined);

/** problems are the diagnostics of the current text: the checker's, and those of its last run. */
export const problems = computed<Diagnostic[]>(() => {
  const now = { doc: doc.value, source: text.value };
  const fresh = (of: { doc: string; source: string } | undefined) => of?.doc === now.doc && of.source === now.source;
  const live = fresh(checked.value) ? (checked.value?.shown ?? []) : [];
  const run = fresh(result.value) ? (result.value?.diagnostics ?? []) : [];
  return merged(live, run);
});

/** merged adds diagnostics that a list does not have, in the order of the text. */
function merged(list: readonly Diagnostic[], more: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set(list.map(identity));
  return [...list, ...more.filter((d) => !seen.has(identity(d)))].sort((a, b) => a.from - b.from);
}

/** problemsFor tells which text the problems are of, so that the editor drops stale ones. */
export const problemsFor = computed(() => {
  const source = text.value;
  const more = found.value?.doc === doc.value && found.value.source === source ? found.value.list : [];
  return { source, list: merged(problems.value, more), known: checked.value?.source === source };
});

const ask = latest(({ check, lang }: { check: CheckRequest; lang: Lang }) =>
  helper.call({ lang, check }),
);

/** typing is true until typing has rested. */
const typing = signal(false);

/** watchChecks checks the text after every edit, when what it is called with changes, and when a helper that failed is tried again. */
export function watchChecks(): void {
  let timer = 0;
  effect(() => {
    const source = text.value;
    const request = checkOf(source ?? "");
    const wanted = { lang: lang.value, check: request };
    const of = doc.value;
    clearTimeout(timer);
    if (source === undefined || helperFailed.value) return;
    timer = window.setTimeout(() => {
      void ask(wanted).then((reply) => {
        if (reply?.check) receive(of, source, reply.check);
      });
    }, checkDelayMs);
  });
  watchTyping();
}

/** watchTyping shows what was held back once typing rests or the cursor goes to another line. */
function watchTyping(): void {
  let of = "";
  let timer = 0;
  effect(() => {
    void text.value;
    clearTimeout(timer);
    typing.value = doc.value === of;
    if (doc.value === of) timer = window.setTimeout(release, restMs);
    of = doc.value;
  });
  effect(() => {
    const line = cursorLine.value;
    if (checked.peek()?.held.some((d) => d.line !== line)) release();
  });
}

function receive(of: string, source: string, { diagnostics, field }: CheckReply): void {
  fieldProblem.value = field;
  const before = checked.peek();
  const known = before?.doc === of ? before.shown : [];
  checked.value = { doc: of, source, ...sort(diagnostics, known, typing.peek() ? cursorLine.peek() : undefined) };
}

function release(): void {
  typing.value = false;
  const now = checked.peek();
  if (now?.held.length) checked.value = { ...now, shown: [...now.shown, ...now.held], held: [] };
}

/** sameProblem tells whether two diagnostics say the same of the same place. */
export function sameProblem(a: Diagnostic, b: Diagnostic): boolean {
  return identity(a) === identity(b);
}

function identity(d: Diagnostic): string {
  return `${d.code} ${d.from} ${d.to}`;
}
