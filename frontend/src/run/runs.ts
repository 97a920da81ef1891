import { computed, effect, signal } from "@preact/signals";
import { EngineFault, type Call, type FaultReason } from "../engine/engine";
import { helperFailed, interpreter } from "../engine/engines";
import { args, form, grid, kernel, known } from "../document/call";
import type { Diagnostic, FreeReply, Progress, Verdict } from "../gen/api";
import { until } from "../lib/until";
import { type Marks, loadMarks, markOf, raise, saveMarks } from "../state/progress";
import { type Route, markKey } from "../state/route";
import { type Choice, choice, deviceOpen } from "../device/devices";
import type { DeviceRun, Remote, Stage } from "../device/run";
import type { RunnerLoss } from "../runner/connection";
import { lang, local, settings } from "../settings/settings";
import { doc, puzzle, route, save, text } from "../document/workspace";

/** No run may take longer; the interpreter's own budget ends endless loops much earlier. */
const runTimeoutMs = 120_000;

/** A run on a device may wait long for its turn. */
const deviceTimeoutMs = 1_200_000;

/** Result is the outcome of a document's last run, with the text that was run. */
export interface Result {
  doc: string;
  source: string;
  call: string; // what the text was run with, as JSON
  at: number; // milliseconds since the epoch
  diagnostics: Diagnostic[];
  verdict?: Verdict;
  free?: FreeReply;
  fault?: { reason: FaultReason; message: string };
  device?: DeviceRun; // where a runner's device made the launches
  loss?: RunnerLoss; // why there is no result of a device
}

const results = signal<Readonly<Record<string, Result>>>({});

/** result is that of the current document. */
export const result = computed<Result | undefined>(() => results.value[doc.value]);

/** calling is what the current document is run with, besides its text: options, and the free page's form. */
const calling = computed(() => {
  const { strict } = settings.value;
  return JSON.stringify(route.value.page === "free" ? [strict, kernel.value?.name, args.value, grid.value, form.value.seed] : strict);
});

/** stale is true where the text, or what it is called with, has changed since the result was made. */
export const stale = computed(() => result.value !== undefined && (result.value.source !== text.value || result.value.call !== calling.value));

/** running is the run in progress; one at a time. */
export const running = signal<{ doc: string; since: number; progress?: Progress; device?: { name: string; stage?: Stage } } | undefined>(undefined);

/** finished counts runs that ended, so that their outcome is announced. */
export const finished = signal(0);

export const marks = signal<Marks>(loadMarks(local));

/** stopper stops the run in progress. */
let stopper: AbortController | undefined;

/** run runs the current document in the page. */
export function run(): Promise<void> {
  return start(attempt);
}

/** runOnDevice runs the current document on the chosen device, or lets one be chosen. */
export async function runOnDevice(): Promise<void> {
  const on = choice.peek();
  if (!on) {
    deviceOpen.value = true;
    return;
  }
  await start((call, key, stopped) => attemptOn(on, call, key, stopped), on.name);
}

type Attempt = Omit<Result, "doc" | "source" | "call" | "at">;

async function start(make: (call: Call, key: string, stopped: AbortSignal) => Promise<Attempt>, device?: string): Promise<void> {
  if (text.peek() === undefined || running.peek()) return;
  save();
  const key = doc.peek();
  const of = route.peek();
  stopper = new AbortController();
  running.value = { doc: key, since: performance.now(), ...(device === undefined ? {} : { device: { name: device } }) };
  // What the free page's form calls is known once the compiler has read the text.
  if (of.page === "free") await until(() => known.value || helperFailed.value || doc.value !== key, stopper.signal);
  const source = text.peek();
  const calledWith = calling.peek();
  const call = doc.peek() === key && source !== undefined ? request(source) : undefined;
  const outcome = call && (await make(call, key, stopper.signal));
  running.value = undefined;
  if (!outcome || source === undefined) return;
  results.value = { ...results.peek(), [key]: { doc: key, source, call: calledWith, at: Date.now(), ...outcome } };
  if (outcome.verdict) record(of, outcome.verdict);
  finished.value++;
}

/** stop ends the run in progress. */
export function stop(): void {
  stopper?.abort();
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

/** attemptOn makes a call whose launches a device makes. */
async function attemptOn(on: Choice, call: Call, key: string, stopped: AbortSignal): Promise<Attempt> {
  const { Remote } = await import("../device/run");
  const onStage = (stage: Stage) => {
    const now = running.peek();
    if (now?.doc === key && now.device) running.value = { ...now, device: { ...now.device, stage } };
  };
  let remote: Remote;
  try {
    remote = await Remote.open(on, onStage);
  } catch (error) {
    return { diagnostics: [], loss: error as RunnerLoss };
  }
  if (stopped.aborted) return { diagnostics: [], fault: { reason: "stopped", message: "" } };
  stopped.addEventListener("abort", () => remote.stop(), { once: true });
  const { device } = remote.run;
  const to = { poisons: device.poisons, times: device.times };
  const asked = { ...call, ...(call.puzzle && { puzzle: { ...call.puzzle, remote: to } }), ...(call.free && { free: { ...call.free, remote: to } }) };
  const outcome = await attempt(asked, key, stopped, remote);
  const { loss, run: told } = remote;
  if (loss && outcome.fault?.reason !== "stopped") return { diagnostics: [], loss };
  return { ...outcome, device: told };
}

async function attempt(call: Call, key: string, stopped: AbortSignal, on?: Remote): Promise<Attempt> {
  const onProgress = (progress: Progress) => {
    const now = running.peek();
    if (now?.doc === key) running.value = { ...now, progress };
  };
  try {
    const { verdict, free } = await interpreter.call(call, {
      timeoutMs: on ? deviceTimeoutMs : runTimeoutMs,
      signal: stopped,
      onProgress,
      ...(on && { onLaunch: (launch, buffers) => on.launch(launch, buffers) }),
    });
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
