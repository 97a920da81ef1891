import { signal } from "@preact/signals";
import type { DocumentReply, JobReply, Launch, LaunchedRequest, Progress, Reply, Request } from "../gen/api";
import type { FromWorker, Packet } from "./messages";

/** Call is a request to an engine. */
export type Call = Request;

/** Launched is the outcome of a launch on another device, with the tensors that it returned, or of one that was estimated. */
export interface Launched {
  launched: LaunchedRequest;
  tensors: ArrayBuffer[];
}

/** Answer is what the programs in workers have in common: a reply to one call, or a part of it. */
interface Answer {
  id: number;
  done: boolean;
  error?: string;
  larger?: boolean;
  progress?: Progress;
  launch?: Launch;
  estimate?: JobReply;
  document?: DocumentReply;
}

/** lost is the outcome of a launch that nobody answers for. */
const lost: Launched = { launched: { lost: "runner-lost", messages: [] }, tensors: [] };

/** Why a call got no reply: a person stopped it, the program ran out of memory or died, it took too long, or it never started. */
export type FaultReason = "stopped" | "memory" | "crashed" | "timeout" | "unavailable" | "refused";

export class EngineFault extends Error {
  constructor(readonly reason: FaultReason, detail = "") {
    super(detail || reason);
  }
}

/**
 * defaultTimeoutMs is how long a call may be served until the program is taken for hung and replaced. newt ends what it does
 * by budgets of its own; an answer of milliseconds took more than 20 s where both cores of a machine were busy.
 */
export const defaultTimeoutMs = 60_000;

export interface CallOptions {
  timeoutMs?: number; // from when the program begins to serve the call; defaultTimeoutMs otherwise
  idle?: boolean; // timeoutMs counts again from each progress, so that only a program that hangs is ended
  signal?: AbortSignal; // stops the call
  /** interrupt is the further request that asks the program to end the call by itself, so that it keeps what it holds. */
  interrupt?: object;
  /** patient calls end by a budget of their own: the program, which may hold a session's variables, is not ended for them. */
  patient?: boolean;
  buffers?: ArrayBuffer[]; // of the request; they are given away
  onProgress?: (progress: Progress) => void;
  onDocument?: (part: DocumentReply) => void; // takes the outputs of cells as they come
  onBuffers?: (buffers: ArrayBuffer[]) => void; // takes those of the reply, ahead of it
  /** onLaunch makes a launch on a runner's device; buffers are the kernel's IR and its tensors. */
  onLaunch?: (launch: Launch, buffers: ArrayBuffer[]) => Promise<Launched>;
  /** onEstimate asks a model about a launch; buffers are its tensors. */
  onEstimate?: (job: JobReply, buffers: ArrayBuffer[]) => Promise<Launched>;
}

interface Pending<R> {
  id: number;
  text: string;
  options: CallOptions;
  timer: number; // runs while the call is served
  resolve: (reply: R) => void;
  reject: (fault: EngineFault) => void;
}

/** What an engine needs from outside; tests pass their own. */
export interface Parts<C> {
  module: () => Promise<WebAssembly.Module>;
  worker: () => Worker;
  rest?: string; // the address of the rest of a program that the build has cut in two
  larger?: Larger<C>;
}

/** Larger is a program that serves more than the first one does, and takes longer to load. */
interface Larger<C> {
  module: () => Promise<WebAssembly.Module>;
  needs: (call: C) => boolean;
}

/**
 * How long a program that was asked to end a call may go on, until it is ended itself, and with it the variables that it
 * holds. 180 ms were too few on a busy machine, where 67 ms and 1149 ms were measured (TestLongScript).
 */
const interruptGraceMs = 2000;

/** How often in a row an engine may die of nothing that it was asked, until it gives up. */
const maxFailedStarts = 3;

/**
 * Engine runs newt's WASM in a Web Worker, which serves one call after another. A worker that dies, hangs or is
 * stopped is replaced at once. Only the call that it served is rejected, with the reason; those that wait are asked
 * of the next worker.
 */
export class Engine<C extends object = Call, R extends Answer = Reply> {
  /** state is "failed" once the program could not be started; start() tries again. */
  readonly state = signal<"loading" | "ready" | "failed">("loading");
  /** crashes counts how often the program died by itself. */
  readonly crashes = signal(0);
  /** starts counts the workers: what one kept is gone with it. */
  readonly starts = signal(0);

  private worker: Worker | undefined;
  private serving: Pending<R> | undefined;
  private waiting: Pending<R>[] = [];
  private lastID = 0;
  private failedStarts = 0;
  private grown = false; // the program is the larger one

  constructor(private readonly parts: Parts<C>) {}

  /** start loads the program; a worker that runs or starts is ended. The next one starts while the program downloads. */
  start(): void {
    this.worker?.terminate();
    this.starts.value++;
    this.state.value = "loading";
    const worker = this.parts.worker();
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (worker === this.worker) this.receive(data);
    };
    worker.onerror = () => {
      if (worker === this.worker) this.die();
    };
    const { larger, module, rest } = this.parts;
    (this.grown && larger ? larger.module : module)().then(
      (module) => worker === this.worker && worker.postMessage({ module, rest }),
      () => worker === this.worker && this.giveUp(),
    );
  }

  /** wake starts the program unless it runs or loads. */
  wake(): void {
    if (!this.worker) this.start();
  }

  /** call asks something, of the larger program if the call, or the first program, needs it. It rejects with an EngineFault. */
  call(call: C, options: CallOptions = {}): Promise<R> {
    if (this.state.peek() === "failed") return Promise.reject(new EngineFault("unavailable"));
    if (options.signal?.aborted) return Promise.reject(new EngineFault("stopped"));
    if (this.parts.larger?.needs(call)) this.grow();
    return new Promise((resolve, reject) => {
      const pending = { id: ++this.lastID, text: JSON.stringify(call), options, timer: 0, resolve, reject };
      options.signal?.addEventListener("abort", () => this.abandon(pending), { once: true });
      this.waiting.push(pending);
      this.serveNext();
    });
  }

  /**
   * grow replaces the program by the larger one, unless that runs already. The call that is served starts again there:
   * those that the smaller program serves have no buffers, which would be gone.
   */
  grow(): void {
    if (this.grown) return;
    this.grown = true;
    const serving = this.endServing();
    if (serving) this.waiting.unshift(serving);
    if (this.worker) this.start();
  }

  /** tell says something more to the call that is served. */
  tell(more: C): void {
    if (this.serving) this.post(this.serving.id, JSON.stringify(more), []);
  }

  /** abandon ends a call that nobody wants any more: with its worker, if that is serving it. */
  private abandon(pending: Pending<R>): void {
    if (pending === this.serving) return this.interrupt(pending);
    this.waiting = this.waiting.filter((p) => p !== pending);
    pending.reject(new EngineFault("stopped"));
  }

  private interrupt({ id, options, ...pending }: Pending<R>): void {
    if (!options.interrupt) return this.restart("stopped");
    this.post(id, JSON.stringify(options.interrupt), []);
    clearTimeout(pending.timer);
    if (this.serving && !options.patient) this.serving.timer = window.setTimeout(() => this.restart("stopped"), interruptGraceMs);
  }

  private receive(message: FromWorker): void {
    if ("text" in message) this.settle(message);
    else if ("ready" in message) this.becomeReady();
    else if ("loading" in message) this.time(!message.loading);
    else this.die("outOfMemory" in message && message.outOfMemory ? "memory" : "crashed");
  }

  private becomeReady(): void {
    this.state.value = "ready";
    this.serveNext();
  }

  private serveNext(): void {
    if (this.serving || this.state.peek() !== "ready") return;
    const next = this.waiting.shift();
    if (!next) return;
    this.serving = next;
    this.time(true);
    this.post(next.id, next.text, next.options.buffers ?? []);
  }

  /** time begins to count the time of the call that is served, or stops: what a download takes is none of the call's. */
  private time(on: boolean): void {
    const { serving } = this;
    if (!serving || serving.options.patient || serving.options.signal?.aborted) return;
    clearTimeout(serving.timer);
    if (on) serving.timer = window.setTimeout(() => this.restart("timeout"), serving.options.timeoutMs ?? defaultTimeoutMs);
  }

  private post(call: number, text: string, buffers: ArrayBuffer[]): void {
    this.worker?.postMessage({ call, text, buffers }, buffers);
  }

  private settle({ text, buffers }: Packet): void {
    const reply = JSON.parse(text) as R;
    const { serving } = this;
    if (reply.id !== serving?.id) return;
    if (reply.larger) return this.grow();
    if (reply.progress) serving.options.onProgress?.(reply.progress);
    if (reply.progress && serving.options.idle) this.time(true);
    const { onLaunch, onEstimate } = serving.options;
    if (reply.launch) void this.passOn(serving, onLaunch?.(reply.launch, buffers));
    if (reply.estimate) void this.passOn(serving, onEstimate?.(reply.estimate, buffers));
    if (!reply.done && reply.document) serving.options.onDocument?.(reply.document);
    if (!reply.done) return;
    this.endServing();
    serving.options.onBuffers?.(buffers);
    if (reply.error) serving.reject(new EngineFault("refused", reply.error));
    else serving.resolve(reply);
    this.serveNext();
  }

  /** passOn hands the program what comes of a launch elsewhere, unless the call is over by then. */
  private async passOn(call: Pending<R>, made: Promise<Launched> = Promise.resolve(lost)): Promise<void> {
    const { launched, tensors } = await made.catch(() => lost);
    if (call === this.serving) this.post(call.id, JSON.stringify({ lang: "en", launched } satisfies Request), tensors);
  }

  private die(reason: FaultReason = "crashed"): void {
    this.crashes.value++;
    this.failedStarts = this.serving ? 0 : this.failedStarts + 1;
    if (this.failedStarts >= maxFailedStarts) this.giveUp();
    else this.restart(reason);
  }

  private restart(reason: FaultReason): void {
    this.endServing()?.reject(new EngineFault(reason));
    this.start();
  }

  private endServing(): Pending<R> | undefined {
    const { serving } = this;
    this.serving = undefined;
    clearTimeout(serving?.timer);
    return serving;
  }

  private giveUp(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.failedStarts = 0;
    this.state.value = "failed";
    for (const { reject } of this.waiting.splice(0)) reject(new EngineFault("unavailable"));
  }
}
