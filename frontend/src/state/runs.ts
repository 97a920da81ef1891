import { computed, effect, signal } from "@preact/signals";
import { EngineFault, type Call, type FaultReason } from "../client/engine";
import { runner } from "../client/engines";
import { args, form, grid, kernel } from "../free/form-state";
import type { Diagnostic, FreeReply, Progress, Verdict } from "../gen/api";
import { type Marks, loadMarks, markOf, raise, saveMarks } from "./progress";
import { type Route, markKey } from "./route";
import { lang, local, settings } from "./settings";
import { doc, puzzle, route, save, text } from "./workspace";

/** No run may take longer; the interpreter's own budget ends endless loops much earlier. */
const runTimeoutMs = 120_000;

/** Result is the outcome of a document's last run, with the text that was run. */
export interface Result {
  doc: string;
  source: string;
  at: number; // milliseconds since the epoch
  diagnostics: Diagnostic[];
  verdict?: Verdict;
  free?: FreeReply;
  fault?: { reason: FaultReason; message: string };
}

const results = signal<Readonly<Record<string, Result>>>({});

/** result is that of the current document. */
export const result = computed<Result | undefined>(() => results.value[doc.value]);

/** stale is true where the text has changed since the result was made. */
export const stale = computed(() => result.value !== undefined && result.value.source !== text.value);

/** running is the run in progress; one at a time. */
export const running = signal<{ doc: string; since: number; progress?: Progress } | undefined>(undefined);

/** finished counts runs that ended, so that their outcome is announced. */
export const finished = signal(0);

export const marks = signal<Marks>(loadMarks(local));

/** run runs the current document. */
export async function run(): Promise<void> {
  const source = text.peek();
  if (source === undefined || running.peek()) return;
  save();
  const call = request(source);
  if (!call) return;
  const key = doc.peek();
  const of = route.peek();
  running.value = { doc: key, since: performance.now() };
  const outcome = await attempt(call, key);
  running.value = undefined;
  results.value = { ...results.peek(), [key]: { doc: key, source, at: Date.now(), ...outcome } };
  if (outcome.verdict) record(of, outcome.verdict);
  finished.value++;
}

/** stop ends the run in progress. */
export function stop(): void {
  if (running.peek()) runner.stop();
}

/** watchProgress keeps the marks in step with other tabs. */
export function watchProgress(): void {
  addEventListener("storage", (event) => {
    if (event.key === "newt:progress") marks.value = loadMarks(local);
  });
}

/** watchLanguage repeats the current document's run in a newly chosen language, if its text is still that run's. */
export function watchLanguage(): void {
  let shown = lang.peek();
  effect(() => {
    if (lang.value === shown) return;
    shown = lang.value;
    const repeatable = result.peek() && !result.peek()?.fault && !stale.peek();
    if (repeatable) queueMicrotask(() => void run());
  });
}

/** request is the call that runs the current document; undefined while its puzzle is not loaded. */
function request(source: string): Call | undefined {
  const r = route.peek();
  const { strict } = settings.peek();
  if (r.page === "own") {
    const custom = puzzle.peek()?.own?.custom;
    return custom && { lang: lang.peek(), puzzle: { puzzle: 0, custom, source, strict } };
  }
  if (r.page === "puzzle") return { lang: lang.peek(), puzzle: { puzzle: r.puzzle, source, strict } };
  return {
    lang: lang.peek(),
    free: {
      source, strict, kernel: kernel.peek()?.name ?? "", args: args.peek(), grid: grid.peek(), seed: form.peek().seed,
    },
  };
}

async function attempt(call: Call, key: string): Promise<Omit<Result, "doc" | "source" | "at">> {
  const onProgress = (progress: Progress) => {
    const now = running.peek();
    if (now?.doc === key) running.value = { ...now, progress };
  };
  try {
    const { verdict, free } = await runner.call(call, { timeoutMs: runTimeoutMs, onProgress });
    if (verdict) return { verdict, diagnostics: verdict.diagnostics };
    if (free) return { free, diagnostics: free.diagnostics };
    return { diagnostics: [], fault: { reason: "refused", message: "" } };
  } catch (error) {
    const fault = error instanceof EngineFault ? error : new EngineFault("crashed", String(error));
    return { diagnostics: [], fault: { reason: fault.reason, message: fault.reason === "refused" ? fault.message : "" } };
  }
}

function record(of: Route, verdict: Verdict): void {
  const mark = markOf(verdict.classic.pass, verdict.strict.pass);
  marks.value = saveMarks(local, raise(marks.peek(), markKey(of), mark));
}
