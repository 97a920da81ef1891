import { computed, effect, signal } from "@preact/signals";
import { helper } from "../client/engines";
import { latest } from "../client/latest";
import { args, kernel } from "../free/form-state";
import type { CheckRequest, Diagnostic } from "../gen/api";
import { lang, settings, type Lang } from "./settings";
import { result } from "./runs";
import { doc, puzzle, route, text } from "./workspace";

const checkDelayMs = 200;

/** checked are the diagnostics of a text; they are shown only while it is what the editor holds. */
const checked = signal<{ doc: string; source: string; list: Diagnostic[] } | undefined>(undefined);

/** problems are the diagnostics of the current text: the checker's, and those of its last run. */
export const problems = computed<Diagnostic[]>(() => {
  const now = { doc: doc.value, source: text.value };
  const fresh = (of: { doc: string; source: string } | undefined) => of?.doc === now.doc && of.source === now.source;
  const live = fresh(checked.value) ? (checked.value?.list ?? []) : [];
  const run = fresh(result.value) ? (result.value?.diagnostics ?? []) : [];
  const seen = new Set(live.map(identity));
  return [...live, ...run.filter((d) => !seen.has(identity(d)))].sort((a, b) => a.from - b.from);
});

/** problemsFor tells which text the problems are of, so that the editor drops stale ones. */
export const problemsFor = computed(() => ({ source: text.value, list: problems.value, known: checked.value?.source === text.value }));

const ask = latest(({ check, lang }: { check: CheckRequest; lang: Lang }) =>
  helper.call({ lang, check }, { timeoutMs: 10_000 }),
);

/** watchChecks checks the text whenever it rests, and when what it is called with changes. */
export function watchChecks(): void {
  let timer = 0;
  effect(() => {
    const source = text.value;
    const request = checkOf(source ?? "");
    const wanted = { lang: lang.value, check: request };
    const of = doc.value;
    clearTimeout(timer);
    if (source === undefined) return;
    timer = window.setTimeout(() => {
      void ask(wanted).then((reply) => {
        if (reply?.check) checked.value = { doc: of, source, list: reply.check.diagnostics };
      });
    }, checkDelayMs);
  });
}

/** checkOf is what a text is checked, or compiled, for. */
export function checkOf(source: string): CheckRequest {
  const r = route.value;
  const { strict } = settings.value;
  if (r.page === "puzzle") return { source, strict, puzzle: r.puzzle };
  const custom = puzzle.value?.own?.custom;
  if (r.page === "own") return custom ? { source, strict, custom } : { source, strict };
  const name = kernel.value?.name;
  return name === undefined ? { source, strict } : { source, strict, kernel: name, args: args.value };
}

function identity(d: Diagnostic): string {
  return `${d.code} ${d.from} ${d.to}`;
}
