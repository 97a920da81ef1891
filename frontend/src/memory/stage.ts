import { batch, computed, effect, signal } from "@preact/signals";
import { doc, route, text } from "../document/workspace";
import { helper, interpreter } from "../engine/engines";
import { latest } from "../engine/latest";
import type { InspectReply, InspectRequest } from "../gen/api";
import { sessionName } from "../run/cells";
import { chosen, launches } from "../run/launches";
import { calling, runOf } from "../run/request";
import { running } from "../run/runs";
import { type Lang, lang } from "../settings/settings";
import { decode, firstProblem, type Inspected, numberOf, programAt } from "./inspected";

const inspectDelayMs = 30;
const timeoutMs = 20_000;

/** before is how many steps a window of them holds ahead of the one that is asked for. */
const before = 200;

/** Shown is a launch as the picture shows it, with what it is of. */
interface Shown {
  doc: string;
  source: string;
  inspected: Inspected;
  message: string; // about the launch
}

/** shown is the last launch that could be inspected. */
export const shown = signal<Shown | undefined>(undefined);

/** problem says why the current text has no picture, so that the one shown is of an earlier text; empty where it has one. */
export const problem = signal("");

/** Choice is what is chosen of a document's launch; it starts again with each document. */
export interface Choice {
  doc: string;
  test: number; // of a puzzle
  program: readonly number[] | undefined; // undefined: that of the first problem, or else the first
  all: boolean; // all programs at once
  step: number | "last" | "problem";
  block: number | undefined; // the step whose block of values is open
}

const unchosen = { test: 0, program: undefined, all: false, step: "last", block: undefined } as const;

const picked = signal<Choice>({ doc: "", ...unchosen });

/** choice is that for the current document. */
export const choice = computed<Choice>(() => (picked.value.doc === doc.value ? picked.value : { doc: doc.value, ...unchosen }));

/** pick changes the choice. */
export function pick(change: Partial<Choice>): void {
  picked.value = { ...choice.peek(), ...change };
}

/** current is the launch that is shown, if it is of the current document. */
export const current = computed(() => (shown.value?.doc === doc.value ? shown.value : undefined));

/** at is the chosen step's place in the window of steps; -1 where the program has none. */
export const at = computed(() => {
  const of = current.value?.inspected;
  if (!of) return -1;
  const { step } = choice.value;
  const last = of.steps.length - 1;
  if (step === "last") return last;
  if (step !== "problem") return Math.max(Math.min(0, last), Math.min(last, step - of.from));
  const wrong = firstProblem(of.steps);
  return wrong < 0 ? last : wrong;
});

/** stepTo goes to a step of the program, counted from 0. */
export function stepTo(step: number): void {
  const of = current.peek()?.inspected;
  if (of?.total) pick({ all: false, step: Math.max(0, Math.min(of.total - 1, step)) });
}

/** stepBy goes some steps forwards, or back. */
export function stepBy(steps: number): void {
  stepTo((current.peek()?.inspected.from ?? 0) + at.peek() + steps);
}

/** programBy chooses the program that comes so many after the one shown, in program order. */
export function programBy(programs: number): void {
  const of = current.peek()?.inspected;
  if (!of) return;
  const count = of.grid.reduce((n, size) => n * size, 1);
  const next = numberOf(of.program, of.grid) + programs;
  if (next >= 0 && next < count) pick({ all: false, program: programAt(next, of.grid), step: "last" });
}

interface Wanted {
  lang: Lang;
  doc: string;
  source: string;
  inspect: InspectRequest;
}

/** ask inspects a launch where a run is not in its way: a document's where its session is. */
const ask = latest(async ({ lang, inspect }: Wanted): Promise<{ reply: InspectReply; buffers: ArrayBuffer[] } | undefined> => {
  let buffers: ArrayBuffer[] = [];
  const engine = inspect.look ? interpreter : helper;
  const { inspect: reply } = await engine.call({ lang, inspect }, { timeoutMs, onBuffers: (of) => (buffers = of) });
  return reply && { reply, buffers };
});

/** launchOf says which launch of the page's document is shown; undefined while there is none. */
function launchOf(source: string): InspectRequest | undefined {
  if (route.value.page === "document") {
    const number = chosen.value?.number ?? launches.value.at(-1)?.number;
    return number === undefined ? undefined : { look: { session: sessionName(), number, text: source } };
  }
  void calling.value;
  const { puzzle, free } = runOf(source) ?? {};
  if (puzzle) return { puzzle, case: choice.value.test };
  return free?.kernel ? { free } : undefined;
}

/** windowOf is the first step to ask for, so that the chosen one is among those of the reply. */
function windowOf({ step }: Choice, of: Inspected | undefined): number {
  if (typeof step !== "number" || !of) return 0;
  const inside = step >= of.from && step < of.from + of.steps.length;
  return inside ? of.from : Math.max(0, step - before);
}

/** wanted is what the page is to show next. */
const wanted = computed<Wanted | undefined>(() => {
  const source = text.value;
  const launch = source === undefined ? undefined : launchOf(source);
  if (!launch || source === undefined) return undefined;
  const { program } = choice.value;
  const from = windowOf(choice.value, shown.peek()?.doc === doc.value ? shown.peek()?.inspected : undefined);
  return { lang: lang.value, doc: doc.value, source, inspect: { ...launch, ...(program && { program: [...program] }), from } };
});

/** watchStage inspects the launch again after every edit and choice, without Run, as long as somebody looks. */
export function watchStage(): () => void {
  let timer = 0;
  let asked = "";
  const end = effect(() => {
    const now = wanted.value;
    const busy = route.value.page === "document" && running.value !== undefined;
    const key = JSON.stringify(now);
    if (!now || busy || key === asked) return;
    asked = key;
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      void ask(now).then((answer) => {
        if (answer && now.doc === doc.peek()) receive(now, answer.reply, answer.buffers);
      });
    }, shown.peek() === undefined ? 0 : inspectDelayMs);
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}

function receive({ doc, source }: Wanted, reply: InspectReply, buffers: ArrayBuffer[]): void {
  batch(() => {
    const empty = !reply.tensors.length && !reply.steps.length;
    problem.value = empty ? why(reply) : "";
    if (!empty) shown.value = { doc, source, inspected: decode(reply, buffers), message: why(reply) };
  });
}

/** why is what is wrong with a launch: its first error, or else what the reply says; empty where nothing is. */
function why({ diagnostics, message = "" }: InspectReply): string {
  return diagnostics.find((d) => d.severity === "error")?.headline ?? message;
}
