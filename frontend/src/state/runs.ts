import { computed, effect, signal } from "@preact/signals";
import { EngineFault, type Call, type FaultReason } from "../client/engine";
import { runner } from "../client/engines";
import { args, form, grid, kernel } from "../free/form-state";
import type { Diagnostic, FreeReply, Progress, Verdict } from "../gen/api";
import { type Marks, loadMarks, markOf, raise, saveMarks } from "./progress";
import { type Route, markKey } from "./route";
import { type Choice, choice, deviceOpen } from "../device/devices";
import type { DeviceRun, Remote, Stage } from "../device/run";
import type { RunnerLoss } from "../runner/connection";
import { lang, local, settings } from "./settings";
import { doc, puzzle, route, save, text } from "./workspace";

/** No run may take longer; the interpreter's own budget ends endless loops much earlier. */
const runTimeoutMs = 120_000;

/** A run on a device may wait long for its turn. */
const deviceTimeoutMs = 1_200_000;

/** Result is the outcome of a document's last run, with the text that was run. */
export interface Result {
  doc: string;
  source: string;
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

/** stale is true where the text has changed since the result was made. */
export const stale = computed(() => result.value !== undefined && result.value.source !== text.value);

/** running is the run in progress; one at a time. */
export const running = signal<{ doc: string; since: number; progress?: Progress; device?: { name: string; stage?: Stage } } | undefined>(undefined);

/** finished counts runs that ended, so that their outcome is announced. */
export const finished = signal(0);

export const marks = signal<Marks>(loadMarks(local));

/** remote is the way to the device of the run in progress. */
let remote: Remote | undefined;

/** halted is true where the run in progress was stopped before there was a way to its device. */
let halted = false;

/** run runs the current document in the page. */
export function run(): Promise<void> {
  return start((call, key) => attempt(call, key));
}

/** runOnDevice runs the current document on the chosen device, or lets one be chosen. */
export async function runOnDevice(): Promise<void> {
  const on = choice.peek();
  if (!on) {
    deviceOpen.value = true;
    return;
  }
  await start((call, key) => attemptOn(on, call, key), on.name);
}

type Attempt = Omit<Result, "doc" | "source" | "at">;

async function start(make: (call: Call, key: string) => Promise<Attempt>, device?: string): Promise<void> {
  const source = text.peek();
  if (source === undefined || running.peek()) return;
  save();
  const call = request(source);
  if (!call) return;
  const key = doc.peek();
  const of = route.peek();
  running.value = { doc: key, since: performance.now(), ...(device === undefined ? {} : { device: { name: device } }) };
  const outcome = await make(call, key);
  running.value = undefined;
  results.value = { ...results.peek(), [key]: { doc: key, source, at: Date.now(), ...outcome } };
  if (outcome.verdict) record(of, outcome.verdict);
  finished.value++;
}

/** stop ends the run in progress. */
export function stop(): void {
  halted = true;
  remote?.stop();
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

/** attemptOn makes a call whose launches a device makes. */
async function attemptOn(on: Choice, call: Call, key: string): Promise<Attempt> {
  const { Remote } = await import("../device/run");
  const onStage = (stage: Stage) => {
    const now = running.peek();
    if (now?.doc === key && now.device) running.value = { ...now, device: { ...now.device, stage } };
  };
  halted = false;
  try {
    remote = await Remote.open(on, onStage);
  } catch (error) {
    return { diagnostics: [], loss: error as RunnerLoss };
  }
  if (halted) return { diagnostics: [], fault: { reason: "stopped", message: "" } };
  const { device } = remote.run;
  const to = { poisons: device.poisons, times: device.times };
  const asked = { ...call, ...(call.puzzle && { puzzle: { ...call.puzzle, remote: to } }), ...(call.free && { free: { ...call.free, remote: to } }) };
  const outcome = await attempt(asked, key, remote);
  const { loss, run: told } = remote;
  remote = undefined;
  if (loss && outcome.fault?.reason !== "stopped") return { diagnostics: [], loss };
  return { ...outcome, device: told };
}

async function attempt(call: Call, key: string, on?: Remote): Promise<Attempt> {
  const onProgress = (progress: Progress) => {
    const now = running.peek();
    if (now?.doc === key) running.value = { ...now, progress };
  };
  try {
    const { verdict, free } = await runner.call(call, {
      timeoutMs: on ? deviceTimeoutMs : runTimeoutMs,
      onProgress,
      ...(on && { onLaunch: (number, launch) => on.launch(number, launch) }),
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
