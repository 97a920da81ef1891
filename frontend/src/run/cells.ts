import { batch, computed, type Signal, signal } from "@preact/signals";
import { route, text } from "../document/workspace";
import { type Call, EngineFault, type Launched } from "../engine/engine";
import { interpreter } from "../engine/engines";
import type { CellEnd, CellOutput, CellPlace, DocumentReply, JobReply, Launch, Ranking, RemoteDevice, SweepPoint } from "../gen/api";
import { type Cell, cellAt, cellsOf } from "../lib/cells";
import { editor } from "../state/view";
import { filesFor } from "../document/siblings";
import { lossOf, type RunnerLoss } from "../runner/loss";
import { settings } from "../settings/settings";
import { launches } from "./launches";
import { listLaunches } from "./listed";
import type { Attempt, DeviceRun, Stage } from "./result";
import { runAndLook, running, start, update } from "./runs";

/** A script may run for long: it is stopped by hand. */
const timeoutMs = 3_600_000;

/**
 * CellRun is one run of a cell, as far as it has come. "kept" is an earlier one, of which a notebook's file or this
 * browser has the outputs; "skipped" is one that was stopped before it began.
 */
export interface CellRun {
  state: "waiting" | "running" | "done" | "failed" | "stopped" | "skipped" | "kept";
  since?: number; // as performance.now() gives it
  outputs: readonly CellOutput[];
  sweep?: readonly SweepPoint[];
  rankings?: readonly Ranking[];
  end?: CellEnd;
}

/** Place is where the code of a cell lies whose outputs belong beneath it. */
export interface Place {
  run: number;
  from: number;
  to: number;
}

/** Session is the namespace that cells share. It lives in a worker, and is gone with it. */
interface Session {
  name: string;
  worker: number; // which one of the interpreter's
}

const session = signal<Session | undefined>(undefined);

/** SessionDevice is a device of a runner that "cuda" can be in a session. */
export interface SessionDevice {
  readonly name: string;
  /** open connects the session to it for one run; rejects with a RunnerLoss. */
  open(onStage: (stage: Stage) => void): Promise<SessionRemote>;
  /** end frees what the session has there. */
  end(): void;
}

/** SessionRemote passes the launches of a run on to the session's device, where its tensors stay. */
export interface SessionRemote {
  readonly request: RemoteDevice;
  readonly run: DeviceRun;
  readonly loss: RunnerLoss | undefined;
  launch(launch: Launch, buffers: ArrayBuffer[]): Promise<Launched>;
  stop(): void;
}

/** device is the one of a runner that "cuda" is in the session, or in the next one; undefined for the page's own. */
export const device = signal<SessionDevice | undefined>(undefined);

/** alive is true while the variables of the cells that ran are there. */
export const alive = computed(() => session.value !== undefined && session.value.worker === interpreter.starts.value);

/** lost is true once the variables are gone that the last cells made. */
export const lost = computed(() => session.value !== undefined && !alive.value);

/** sessionName is what the worker calls the session. */
export function sessionName(): string {
  return session.peek()?.name ?? "";
}

const runs = new Map<number, Signal<CellRun>>();
let lastRun = 0;

/** cellRun is a run of a cell, by its number. */
export function cellRun(run: number): Signal<CellRun> {
  let found = runs.get(run);
  if (!found) runs.set(run, (found = signal<CellRun>({ state: "waiting", outputs: [] })));
  return found;
}

/** forgetRun forgets a run whose outputs the editor shows no more. */
export function forgetRun(run: number): void {
  if (cellRun(run).peek().state !== "running") runs.delete(run);
}

/** placing are places that the editor has not shown yet. */
export const placing = signal<readonly Place[]>([]);

/** beneath is which run's outputs the editor shows, and at which offset. */
export const beneath = signal<readonly { run: number; at: number }[]>([]);

/** runOf is the run whose outputs stand beneath a cell. */
export function runBeneath(cell: Cell): number | undefined {
  return beneath.value.find(({ at }) => at >= cell.from && at <= cell.end && (at < cell.end || at === cell.to))?.run;
}

/** newRun numbers a run, which is in the state given. */
export function newRun(now: CellRun): number {
  const run = ++lastRun;
  cellRun(run).value = now;
  return run;
}

/** runHere runs what the page shows: on the document page the cell with the cursor, without leaving the editor. */
export function runHere(): void {
  if (route.peek().page === "document") void runCell();
  else runAndLook();
}

/** here is the cell with the cursor. */
function here(): Cell | undefined {
  return cellAt(cellsOf(text.peek() ?? ""), editor.peek()?.cursor() ?? 0);
}

/** runCell runs the cell with the cursor, if it is code; then goes to the next one if that is wanted. */
export async function runCell(thenNext = false): Promise<void> {
  const cell = here();
  if (!cell) return;
  if (thenNext) {
    const next = cellsOf(text.peek() ?? "")[cell.index + 1];
    if (next) editor.peek()?.goTo(next.from);
  }
  if (cell.kind === "code") await runCells([cell]);
}

/** runAll runs all cells in a session of their own, on a device of a runner if one is given. */
export async function runAll(on?: SessionDevice): Promise<void> {
  if (running.peek()) return;
  forget();
  device.value = on;
  return runCells(cellsOf(text.peek() ?? "").filter((c) => c.kind === "code" && c.to > c.from));
}

/** forget ends the session: the next cell that runs begins one. */
export function forget(): void {
  if (running.peek()) return;
  session.value = undefined;
  device.peek()?.end();
}

/** queue are the cells, by index, that a person wants to run after the one that runs. */
let queue: number[] = [];

/** runCells runs cells of the text as it is now: after the run in progress, if there is one. */
export async function runCells(cells: readonly Cell[]): Promise<void> {
  if (running.peek()) return void queue.push(...cells.map((c) => c.index));
  await start((call, doc, stopped) => attempt(call, cells, doc, stopped), device.peek()?.name);
  const next = queue;
  queue = [];
  if (next.length && route.peek().page === "document") await runCells(cellsOf(text.peek() ?? "").filter((c) => next.includes(c.index) && c.kind === "code"));
}

async function attempt(call: Call, cells: readonly Cell[], doc: string, signal: AbortSignal): Promise<Attempt> {
  if (!call.document) return { diagnostics: [] };
  interpreter.grow();
  let to: SessionRemote | undefined;
  try {
    to = await connected(doc, signal);
  } catch (error) {
    return { diagnostics: [], loss: error as RunnerLoss };
  }
  if (signal.aborted) return { diagnostics: [], fault: { reason: "stopped", message: "" } };
  if (!alive.peek()) {
    session.value = { name: Math.random().toString(36).slice(2), worker: interpreter.starts.peek() };
    launches.value = [];
  }
  const places = cells.map((cell): CellPlace => ({ run: newRun({ state: "waiting", outputs: [] }), instead: runBeneath(cell) ?? 0, from: cell.from, to: cell.to }));
  launches.value = launches.peek().filter((l) => !places.some((p) => p.instead === l.run));
  placing.value = [...placing.peek(), ...places];
  const mine = places.map(({ run }) => cellRun(run));
  const outcome = () => ({
    ran: mine.filter((r) => r.peek().end).length,
    failed: mine.filter((r) => r.peek().end && !r.peek().end?.ok).length,
  });
  try {
    const given = filesFor(sessionName());
    const { rank } = settings.peek();
    const onEstimate = async (job: JobReply, tensors: ArrayBuffer[]) => (await import("./estimate")).estimate(job, tensors, signal);
    const { document } = await interpreter.call(
      { ...call, document: { ...call.document, ...given.request, ...(to && { remote: to.request }), ...(rank && { rank }), cells: places, session: sessionName() } },
      {
        signal, timeoutMs, buffers: given.buffers, interrupt: { lang: call.lang, stop: {} },
        onDocument: receive, onProgress: (progress) => update(doc, { progress }),
        ...(to && { onLaunch: (launch, buffers) => to.launch(launch, buffers) }), ...(rank && { onEstimate }),
      },
    );
    leave(mine, "skipped");
    const { run: told, loss } = to ?? {};
    return { diagnostics: document?.diagnostics ?? [], cells: outcome(), ...(told && { device: told }), ...(loss && !signal.aborted && { loss }) };
  } catch (error) {
    const fault = error instanceof EngineFault ? error : new EngineFault("crashed", String(error));
    leave(mine, "stopped");
    return { diagnostics: [], fault: { reason: fault.reason, message: fault.reason === "refused" ? fault.message : "" }, cells: outcome() };
  }
}

/** connected is the session's way to its device, undefined where that is the page's own; rejects with a RunnerLoss. */
async function connected(doc: string, stopped: AbortSignal): Promise<SessionRemote | undefined> {
  const on = device.peek();
  if (!on) return undefined;
  const to = await on.open((stage) => update(doc, { device: { name: on.name, stage } }));
  stopped.addEventListener("abort", () => to.stop(), { once: true });
  return to;
}

/** leave marks the runs that did not end, and forgets those that were to follow them. */
function leave(runs: readonly Signal<CellRun>[], state: "stopped" | "skipped"): void {
  const open = runs.filter((r) => !r.peek().end);
  if (open.length) queue = [];
  batch(() => open.forEach((r) => (r.value = { ...r.peek(), state })));
}

/** receive takes what a cell did since the last reply. */
function receive({ run, outputs, launches: ended, sweep, rankings, ended: end }: DocumentReply): void {
  if (!run) return;
  const of = cellRun(run);
  const before = of.peek();
  batch(() => {
    of.value = {
      state: end ? (end.ok ? "done" : "failed") : "running",
      since: before.since ?? performance.now(),
      outputs: join(before.outputs, outputs),
      ...((before.sweep ?? sweep) && { sweep: [...(before.sweep ?? []), ...(sweep ?? [])] }),
      ...((before.rankings ?? rankings) && { rankings: renew(before.rankings ?? [], rankings ?? []) }),
      ...(end && { end }),
    };
    if (ended.length) launches.value = listLaunches(launches.peek(), run, ended);
  });
}

/** renew puts rankings in the place of what they were, or after the others. */
function renew(before: readonly Ranking[], now: readonly Ranking[]): Ranking[] {
  const all = [...before];
  for (const r of now) all[r.number] = r;
  return all;
}

/** join appends outputs; text of one stream goes on where the last one ended. */
function join(before: readonly CellOutput[], more: readonly CellOutput[]): CellOutput[] {
  const all = [...before];
  for (const o of more) {
    const last = all.at(-1);
    if (last && last.kind === o.kind && (o.kind === "stdout" || o.kind === "stderr")) all[all.length - 1] = { ...last, text: last.text + o.text };
    else all.push(o);
  }
  return all;
}
