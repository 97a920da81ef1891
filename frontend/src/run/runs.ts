import { batch, computed, effect, signal } from "@preact/signals";
import { known } from "../document/call";
import { puzzle, doc, route, save, text } from "../document/workspace";
import { EngineFault, type Call, type CallOptions } from "../engine/engine";
import { helperFailed, interpreter } from "../engine/engines";
import type { Diagnostic, Progress, Verdict } from "../gen/api";
import { until } from "../lib/until";
import { lang } from "../settings/settings";
import { showView } from "../state/view";
import { choice, pick } from "./choice";
import { record } from "./marks";
import { calling, runOf } from "./request";
import type { Attempt, DeviceRun, Result, Running, RunProgress } from "./result";

/** No run may take longer; the interpreter's own budget ends endless loops much earlier. */
const runTimeoutMs = 120_000;

const results = signal<Readonly<Record<string, Result>>>({});

/** result is that of the current document. */
export const result = computed<Result | undefined>(() => results.value[doc.value]);

/** stale is true where the text, or what it is called with, has changed since the result was made. */
export const stale = computed(() => result.value !== undefined && !isCurrent(result.value));

/** OnDevice is a run on a device, with the text that was run. */
export type OnDevice = DeviceRun & Pick<Result, "doc" | "source" | "call">;

/** lastRun keeps of each document the last run on a device that told something; of is that of the current text. */
function lastRun(told: (run: DeviceRun) => boolean) {
  const runs = signal<Readonly<Record<string, OnDevice>>>({});
  const of = computed(() => {
    const run = runs.value[doc.value];
    return run && isCurrent(run) ? run : undefined;
  });
  const keep = (run: OnDevice) => {
    if (told(run)) runs.value = { ...runs.peek(), [run.doc]: run };
  };
  return { of, keep };
}

const timedRuns = lastRun(({ timings }) => Boolean(timings?.n));
const printedRuns = lastRun(({ sass }) => sass !== undefined);
const compiledRuns = lastRun(({ compiled }) => Boolean(compiled?.ptx));

/** timed is the last run on a device that measured the current text, whatever ran in the page since. */
export const timed = timedRuns.of;

/** printed is the last one whose runner printed the machine code. */
export const printed = printedRuns.of;

/** withPTX is the last one whose device told its PTX. */
export const withPTX = compiledRuns.of;

function isCurrent({ source, call }: Pick<Result, "source" | "call">): boolean {
  return source === text.value && call === calling.value;
}

/** running is the run in progress; one at a time. */
export const running = signal<Running | undefined>(undefined);

/** runProgress is how far it has come, apart from it: a run tells that tens of times, and little of the page shows it. */
export const runProgress = signal<RunProgress>({});

/** busy is true while a run is in progress, however far it has come. */
export const busy = computed(() => running.value !== undefined);

/** finished counts runs that ended, so that their outcome is announced. */
export const finished = signal(0);

/** run runs the current document in the page. */
export function run(): Promise<void> {
  return start((call, of, stopped) => attempt(call, of, { signal: stopped, timeoutMs: runTimeoutMs }));
}

/** runAndLook runs the current document and shows the result, on a phone too. */
export function runAndLook(): void {
  showView("result");
  void run();
}

/** start runs the current document unless a run is in progress. make makes its call; device names where. */
export async function start(make: (call: Call, doc: string, stopped: AbortSignal) => Promise<Attempt>, device?: string): Promise<void> {
  if (text.peek() === undefined || running.peek()) return;
  save();
  const key = doc.peek();
  const of = route.peek();
  const stopper = new AbortController();
  running.value = { doc: key, since: performance.now(), stopper, ...(device === undefined ? {} : { device }) };
  // What the free page's form calls is known once the compiler has read the text.
  if (of.page === "free") await until(() => known.value || helperFailed.value || doc.value !== key, stopper.signal);
  const source = text.peek();
  const calledWith = calling.peek();
  const call = doc.peek() === key && source !== undefined ? runOf(source) : undefined;
  const outcome = call && (await make(call, key, stopper.signal).catch(failed));
  // At once: between the end of the run and its result, an example would seem not to have been run yet.
  batch(() => {
    running.value = undefined;
    runProgress.value = {};
    if (!outcome || source === undefined) return;
    results.value = { ...results.peek(), [key]: { doc: key, source, call: calledWith, at: Date.now(), ...outcome } };
    if (outcome.device) for (const { keep } of [timedRuns, printedRuns, compiledRuns]) keep({ ...outcome.device, doc: key, source, call: calledWith });
    if (outcome.loss) showView("result"); // nothing else says why a document's cells did not run
    if (outcome.verdict) {
      record(of, outcome.verdict, puzzle.peek()?.goals !== undefined && key === doc.peek());
      follow(key, outcome.verdict);
    }
    finished.value++;
  });
}

/** follow has the memory view show the first test that failed, unless that which it shows failed too. */
function follow(key: string, { classic, strict }: Verdict): void {
  const cases = [...classic.cases, ...strict.cases];
  const failed = cases.findIndex((c) => !c.pass);
  if (failed >= 0 && key === doc.peek() && cases[choice.peek().test]?.pass !== false) {
    pick({ test: failed, program: undefined, all: false, step: "last" });
  }
}

/** addProblems gives a result more diagnostics, unless its document has another one by now. */
export function addProblems(to: Result, list: readonly Diagnostic[]): Result {
  if (!list.length) return to;
  const now = { ...to, diagnostics: [...to.diagnostics, ...list] };
  if (results.peek()[to.doc] === to) results.value = { ...results.peek(), [to.doc]: now };
  return now;
}

/** stop ends the run in progress. */
export function stop(): void {
  running.peek()?.stopper.abort();
}

/** update changes how far the run in progress has come, if it is of that document. */
export function update(of: string, change: RunProgress): void {
  if (running.peek()?.doc === of) runProgress.value = { ...runProgress.peek(), ...change };
}

/** attempt makes a call of the interpreter and tells what came of it. */
export async function attempt(call: Call, of: string, options: CallOptions): Promise<Attempt> {
  try {
    const { verdict, free } = await interpreter.call(call, { ...options, onProgress: (progress: Progress) => update(of, { progress }) });
    if (verdict) return { verdict, diagnostics: verdict.diagnostics };
    if (free) return { free, diagnostics: free.diagnostics };
    return { diagnostics: [], fault: { reason: "refused", message: "" } };
  } catch (error) {
    return failed(error);
  }
}

/** failed is what came of a run that an error ended. */
export function failed(error: unknown): Attempt {
  const fault = error instanceof EngineFault ? error : new EngineFault("crashed", String(error));
  return { diagnostics: [], fault: { reason: fault.reason, message: fault.reason === "refused" ? fault.message : "" } };
}

/** watchLanguage repeats the current document's run in a newly chosen language, if its text is still that run's. */
export function watchLanguage(): void {
  let shown = lang.peek();
  effect(() => {
    if (lang.value === shown) return;
    shown = lang.value;
    const repeatable = route.peek().page !== "document" && result.peek() && !result.peek()?.fault && !stale.peek();
    if (repeatable) queueMicrotask(() => void run());
  });
}
