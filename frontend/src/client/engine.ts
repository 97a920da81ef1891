import { signal } from "@preact/signals";
import type { Launch, LaunchedRequest, Progress, Reply, Request } from "../gen/api";
import type { FromWorker } from "./messages";

/** Call is a request before the engine numbers it. */
export type Call = Omit<Request, "id">;

/** Answer is what the programs in workers have in common: a reply to one request, or a part of it. */
interface Answer {
  id: number;
  done: boolean;
  error?: string;
  progress?: Progress;
  launch?: Launch;
}

/** Why a call got no reply: a person stopped it, the program died, it took too long, or it never started. */
export type FaultReason = "stopped" | "crashed" | "timeout" | "unavailable" | "refused";

export class EngineFault extends Error {
  constructor(readonly reason: FaultReason, detail = "") {
    super(detail || reason);
  }
}

export interface CallOptions {
  timeoutMs: number;
  onProgress?: (progress: Progress) => void;
  /** onLaunch makes a launch on a runner's device; call is the number that its answer names. */
  onLaunch?: (call: number, launch: Launch) => Promise<LaunchedRequest>;
}

interface Pending<R> {
  resolve: (reply: R) => void;
  reject: (fault: EngineFault) => void;
  options: CallOptions;
  timer: number;
}

/** What an engine needs from outside; tests pass their own. */
export interface Parts {
  module: () => Promise<WebAssembly.Module>;
  worker: () => Worker;
}

/** How often in a row an engine may die of nothing that it was asked, until it gives up. */
const maxFailedStarts = 3;

/**
 * Engine runs newt's WASM in a Web Worker and answers calls. A worker that dies or is stopped is
 * replaced at once; the calls it had are rejected with the reason.
 */
export class Engine<C extends object = Call, R extends Answer = Reply> {
  /** state is "failed" once the program could not be started; start() tries again. */
  readonly state = signal<"loading" | "ready" | "failed">("loading");
  /** crashes counts how often the program died by itself. */
  readonly crashes = signal(0);

  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending<R>>();
  private readonly waiting: string[] = []; // requests made before the program was ready
  private lastID = 0;
  private failedStarts = 0;

  constructor(private readonly parts: Parts) {}

  /** start loads the program. Calls made before it is ready wait for it. */
  start(): void {
    this.state.value = "loading";
    this.parts.module().then(
      (module) => this.launch(module),
      () => this.giveUp(),
    );
  }

  /** call sends a request; rejects with an EngineFault. */
  call(call: C, options: CallOptions): Promise<R> {
    if (this.state.value === "failed") return Promise.reject(new EngineFault("unavailable"));
    const id = ++this.lastID;
    const request = JSON.stringify({ id, ...call });
    return new Promise((resolve, reject) => {
      const timer = window.setTimeout(() => this.restart("timeout"), options.timeoutMs);
      this.pending.set(id, { resolve, reject, options, timer });
      if (this.state.value === "ready") this.worker?.postMessage(request);
      else this.waiting.push(request);
    });
  }

  /** stop ends whatever runs and starts anew. */
  stop(): void {
    this.restart("stopped");
  }

  private launch(module: WebAssembly.Module): void {
    const worker = this.parts.worker();
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (worker === this.worker) this.receive(data);
    };
    worker.onerror = () => {
      if (worker === this.worker) this.die();
    };
    worker.postMessage({ module });
  }

  private receive(message: FromWorker): void {
    if (typeof message === "string") this.settle(message);
    else if ("ready" in message) this.becomeReady();
    else this.die();
  }

  private becomeReady(): void {
    this.state.value = "ready";
    for (const request of this.waiting.splice(0)) this.worker?.postMessage(request);
  }

  private settle(text: string): void {
    // Go writes an empty list as null where it never was made; no field means anything by null.
    const reply = JSON.parse(text, (_, value: unknown) => (value === null ? [] : value)) as R;
    const pending = this.pending.get(reply.id);
    if (!pending) return;
    if (reply.progress) pending.options.onProgress?.(reply.progress);
    if (reply.launch) void this.passOn(reply.id, pending, reply.launch);
    if (!reply.done) return;
    this.pending.delete(reply.id);
    clearTimeout(pending.timer);
    if (reply.error) pending.reject(new EngineFault("refused", reply.error));
    else pending.resolve(reply);
  }

  /** passOn makes a launch elsewhere and hands the program what came of it, unless the call is over by then. */
  private async passOn(call: number, { options }: Pending<R>, launch: Launch): Promise<void> {
    const { worker } = this;
    const launched = (await options.onLaunch?.(call, launch)) ?? { call, gone: true, messages: [], tensors: [] };
    if (worker === this.worker) worker?.postMessage(JSON.stringify({ id: ++this.lastID, lang: "en", launched } satisfies Request));
  }

  private die(): void {
    this.crashes.value++;
    const diedOfCall = this.state.value === "ready" && this.pending.size > 0;
    this.failedStarts = diedOfCall ? 0 : this.failedStarts + 1;
    if (this.failedStarts >= maxFailedStarts) this.giveUp();
    else this.restart("crashed");
  }

  private restart(reason: FaultReason): void {
    this.discard(reason);
    this.start();
  }

  private giveUp(): void {
    this.discard("unavailable");
    this.failedStarts = 0;
    this.state.value = "failed";
  }

  private discard(reason: FaultReason): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.waiting.length = 0;
    const rejected = [...this.pending.values()];
    this.pending.clear();
    for (const { reject, timer } of rejected) {
      clearTimeout(timer);
      reject(new EngineFault(reason));
    }
  }
}
