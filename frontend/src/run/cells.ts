import { batch, computed, effect, type Signal, signal, untracked } from "@preact/signals";
import { file } from "../document/file";
import { route, text } from "../document/workspace";
import { type Call, EngineFault, type Launched } from "../engine/engine";
import { interpreter } from "../engine/engines";
import type { CellEnd, CellOutput, CellPlace, DocumentReply, JobReply, Launch, Ranking, RemoteDevice, Sweeping, SweepPoint } from "../gen/api";
import { type Cell, cellAt, cellsOf } from "../lib/cells";
import { editor } from "../state/view";
import { filesFor } from "../document/siblings";
import { lossOf, type RunnerLoss } from "../runner/loss";
import { settings } from "../settings/settings";
import { docOf } from "../state/route";
import { followRun, launches } from "./launches";
import { listLaunches } from "./listed";
import type { Attempt, DeviceRun, Stage } from "./result";
import { failed, runAndLook, running, start, stop, update } from "./runs";

/** A script may run for long: it is stopped by hand. */
const timeoutMs = 3_600_000;

/**
 * CellRun is one run of a cell, as far as it has come. "kept" is an earlier one, of which a notebook's file or this
 * browser has the outputs; "skipped" is one that was stopped before it began.
 */
export interface CellRun {
  state: "waiting" | "running" | "done" | "failed" | "stopped" | "crashed" | "memory" | "skipped" | "kept";
  since?: number; // as performance.now() gives it
  instead?: number; // the earlier run whose place it takes, until the interpreter knows of it; 0: none
  outputs: readonly CellOutput[];
  sweep?: readonly SweepPoint[];
  sweeping?: Sweeping;
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
let firstRun = 1; // of the document

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
  if (route.peek().page === "document") runCell();
  else runAndLook();
}

/** here is the cell with the cursor. */
function here(): Cell | undefined {
  return cellAt(cellsOf(text.peek() ?? ""), editor.peek()?.cursor() ?? 0);
}

/** runCell runs the cell with the cursor, if it is code; then goes to the next one if that is wanted. */
export function runCell(thenNext = false): void {
  const cell = here();
  if (!cell) return;
  if (thenNext) {
    const next = cellsOf(text.peek() ?? "")[cell.index + 1];
    if (next) editor.peek()?.goTo(next.from);
  }
  if (cell.kind === "code") runCells([cell]);
}

/** runAll runs all cells in a session of their own, on a device of a runner if one is given. */
export function runAll(on?: SessionDevice): void {
  if (running.peek()) return;
  forget();
  device.value = on;
  runCells(cellsOf(text.peek() ?? "").filter((c) => c.kind === "code" && c.to > c.from));
}

/** forget ends the session: the next cell that runs begins one. */
export function forget(): void {
  if (!running.peek()) endSession();
}

function endSession(): void {
  session.value = undefined;
  device.peek()?.end();
}

/**
 * queue are the runs of cells that are to begin, in the order in which a person asked for them. Each has its place beneath its
 * cell, with which it moves, or goes, as the text is edited.
 */
let queue: number[] = [];

/** runCells runs cells: after the run in progress, if there is one. A cell that waits for its turn already keeps it. */
export function runCells(cells: readonly Cell[]): void {
  const places = cells.flatMap((cell): Place[] => {
    const before = runBeneath(cell) ?? 0;
    if (queue.includes(before)) return [];
    const run = newRun({ state: "waiting", outputs: [], instead: runs.get(before)?.peek().instead ?? before });
    return [{ run, from: cell.from, to: cell.to }];
  });
  placing.value = [...placing.peek(), ...places];
  queue.push(...places.map(({ run }) => run));
  const now = running.peek();
  if (now) now.stopper.signal.addEventListener("abort", leaveQueue, { once: true });
  else runQueue();
}

/** leaveQueue has the cells that wait not run. */
function leaveQueue(): void {
  leave(queue.splice(0), "skipped");
}

/** runQueue runs the cells that wait, if the page shows their document. */
function runQueue(): void {
  const waiting = queue.splice(0);
  const cells = route.peek().page === "document" ? cellsOf(text.peek() ?? "").filter(({ kind }) => kind === "code") : [];
  const places = waiting.flatMap((run): CellPlace[] => {
    const cell = cellOf(run, cells);
    return cell ? [{ run, instead: cellRun(run).peek().instead ?? 0, from: cell.from, to: cell.to }] : [];
  });
  const skip = () => leave(waiting, "skipped");
  if (places.length) void start((call, doc, stopped) => attempt(call, places, doc, stopped), device.peek()?.name).finally(skip);
  else skip();
}

/** cellOf is the cell that a run is of; undefined where an edit has removed it. */
function cellOf(run: number, cells: readonly Cell[]): Cell | undefined {
  const at = placing.peek().find((p) => p.run === run)?.from; // the editor has not shown it yet
  return cells.find((cell) => (at === undefined ? runBeneath(cell) === run : cell.from === at));
}

/** watchSession runs the cells that wait whenever a run has ended, and ends the session with its document. */
export function watchSession(): void {
  effect(() => {
    if (!running.value) untracked(runQueue);
  });
  const id = computed(() => file.value.id);
  let shown = id.peek();
  effect(() => {
    if (id.value === shown) return;
    shown = id.value;
    untracked(leaveDocument);
  });
}

/** isOfDocument tells whether a run is one of the document that is on the page, and not of one before it. */
export function isOfDocument(run: number): boolean {
  return run >= firstRun;
}

/** leaveDocument ends all that is of a document whose place another takes. */
function leaveDocument(): void {
  leaveQueue();
  firstRun = lastRun + 1;
  if (running.peek()?.doc === docOf({ page: "document" })) stop();
  batch(() => {
    endSession();
    device.value = undefined;
    launches.value = [];
  });
}

async function attempt(call: Call, places: readonly CellPlace[], doc: string, signal: AbortSignal): Promise<Attempt> {
  if (!call.document) return { diagnostics: [] };
  interpreter.grow();
  let to: SessionRemote | undefined;
  try {
    to = await connected(doc, signal);
  } catch (error) {
    leaveQueue();
    return { diagnostics: [], loss: lossOf(error) };
  }
  if (signal.aborted) return { diagnostics: [], fault: { reason: "stopped", message: "" } };
  if (!alive.peek()) {
    session.value = { name: Math.random().toString(36).slice(2), worker: interpreter.starts.peek() };
    launches.value = [];
  }
  launches.value = launches.peek().filter((l) => !places.some((p) => p.instead === l.run));
  for (const { instead = 0, run } of places) followRun(instead, run);
  const name = sessionName();
  const ours = places.map(({ run }) => run);
  for (const run of ours) cellRun(run).value = { state: "waiting", outputs: [] };
  const outcome = () => {
    const ends = ours.flatMap((run) => cellRun(run).peek().end ?? []);
    return { ran: ends.length, failed: ends.filter(({ ok }) => !ok).length };
  };
  try {
    const given = filesFor(name);
    const { rank } = settings.peek();
    const onEstimate = async (job: JobReply, tensors: ArrayBuffer[]) => (await import("./estimate")).estimate(job, tensors, signal);
    const { document } = await interpreter.call(
      { ...call, document: { ...call.document, name: file.peek().name, ...given.request, ...(to && { remote: to.request }), ...(rank && { rank }), cells: [...places], session: name } },
      {
        signal, timeoutMs, buffers: given.buffers, interrupt: { lang: call.lang, stop: {} },
        onDocument: (part) => name === sessionName() && receive(part), onProgress: (progress) => update(doc, { progress }),
        ...(to && { onLaunch: (launch, buffers) => to.launch(launch, buffers) }), ...(rank && { onEstimate }),
      },
    );
    given.arrived();
    leave(ours, "skipped");
    const { run: told, loss } = to ?? {};
    return { diagnostics: document?.diagnostics ?? [], cells: outcome(), ...(told && { device: told }), ...(loss && !signal.aborted && { loss }) };
  } catch (error) {
    const reason = error instanceof EngineFault ? error.reason : "stopped";
    leave(ours, reason === "crashed" || reason === "memory" ? reason : "stopped");
    leaveQueue();
    return { ...failed(error), cells: outcome() };
  }
}

/** connected is the session's way to its device, undefined where that is the page's own; rejects with a RunnerLoss. */
async function connected(doc: string, stopped: AbortSignal): Promise<SessionRemote | undefined> {
  const on = device.peek();
  if (!on) return undefined;
  const to = await on.open((stage) => update(doc, { stage }));
  stopped.addEventListener("abort", () => to.stop(), { once: true });
  return to;
}

/** skipSweep has a run not measure the points that are left of its sweep; it goes on behind that. */
export function skipSweep(run: number): void {
  interpreter.tell({ lang: "en", stop: { sweep: true } });
  const { sweeping: _, ...now } = cellRun(run).peek();
  cellRun(run).value = now;
}

/** leave marks the runs that have not ended. */
function leave(runs: readonly number[], state: "stopped" | "crashed" | "memory" | "skipped"): void {
  const open = runs.map(cellRun).filter((r) => r.peek().state === "waiting" || r.peek().state === "running");
  batch(() => open.forEach((r) => (r.value = { ...r.peek(), state })));
}

/** receive takes what a cell did since the last reply. */
function receive({ run, outputs, launches: ended, sweep, sweeping, rankings, ended: end }: DocumentReply): void {
  if (!run) return;
  const of = cellRun(run);
  const before = of.peek();
  const now = sweeping ?? before.sweeping;
  const measuring = now && sweep?.at(-1)?.number !== now.total ? now : undefined;
  batch(() => {
    of.value = {
      state: end ? (end.ok ? "done" : "failed") : "running",
      since: before.since ?? performance.now(),
      outputs: join(before.outputs, outputs),
      ...((before.sweep ?? sweep) && { sweep: [...(before.sweep ?? []), ...(sweep ?? [])] }),
      ...((before.rankings ?? rankings) && { rankings: renew(before.rankings ?? [], rankings ?? []) }),
      ...(measuring && { sweeping: measuring }),
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
