import { signal } from "@preact/signals";
import type { ClientMessage, ServerHello, ServerMessage } from "../gen/protocol";
import { headerBytes, readHeader } from "./frames";
import { Job, type JobOutcome, type JobSpec } from "./job";
import { RunnerLoss } from "./loss";
import { isRecord } from "../lib/storage";

const version = 1;
const subprotocol = "newt.v1";

/** How long a lost connection is tried to be made again, and one attempt may take: as runner/client does. */
const patienceMs = 20_000;
const handshakeTimeoutMs = 10_000;
const maxWaitMs = 2_000;

/** What a runner has to answer a cancel: as runner/client does. */
const cancelMs = 1_500;

/** The browser holds no more than this of what was not sent yet, and is looked at again after a while. */
const unsentBytes = 4 << 20;
const unsentMs = 5;

/** Codes of refusals that may pass. */
const passing = new Set(["runner-stopping", "runner-connections", "runner-no-workers"]);

/** Parts are the dependencies of a connection; tests pass their own. */
export interface Parts {
  socket: (address: string, protocol: string) => WebSocket;
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

const browserParts: Parts = {
  socket: (address, protocol) => new WebSocket(address, protocol),
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Connection runs jobs on a runner. A connection that is lost is made again, and no job or result
 * is lost with it.
 */
export class Connection {
  readonly state = signal<"connecting" | "ready" | "lost" | "closed">("connecting");
  readonly hello = signal<ServerHello | undefined>(undefined);

  private socket: WebSocket | undefined;
  private resumes = 0; // connections that have resumed the session, or tried to
  private readonly jobs = new Set<Job>();
  private lastNumber = 0;

  constructor(readonly address: string, private readonly token: string, private readonly parts: Parts = browserParts) {}

  /** connect sends the hello of the handshake; it rejects with a RunnerLoss. */
  async connect(): Promise<ServerHello> {
    try {
      return await this.dial(undefined);
    } catch (why) {
      this.close(why instanceof RunnerLoss ? why : new RunnerLoss("protocol-error"));
      throw why;
    }
  }

  /** run runs a job to its end; rejects with a RunnerLoss where the runner is gone for good. */
  run(spec: JobSpec): Promise<JobOutcome> {
    const job = new Job(spec);
    if (this.state.peek() === "closed") return Promise.reject(new RunnerLoss("lost"));
    this.jobs.add(job);
    if (this.state.peek() === "ready") void this.submit(job);
    return job.over;
  }

  /** cancel asks the runner to stop all jobs, and waits for their ends, though not for ever. */
  cancel(): void {
    const jobs = [...this.jobs];
    for (const job of jobs) {
      job.cancelled = true;
      if (this.state.peek() === "ready") this.say({ cancel: { job: job.number } });
    }
    void this.parts.wait(cancelMs).then(() => jobs.forEach((job) => this.abandon(job, new RunnerLoss("closed"))));
  }

  private abandon(job: Job, why: RunnerLoss): void {
    if (this.jobs.delete(job)) job.reject(why);
  }

  /** free lets the runner forget buffers, once no job needs them. */
  free(buffers: number[]): void {
    if (this.state.peek() === "ready") this.say({ free: { buffers } });
  }

  /** close ends the connection; jobs that have not ended are given up. */
  close(why = new RunnerLoss("closed")): void {
    if (this.state.peek() === "ready") for (const job of this.jobs) this.say({ release: { job: job.number } });
    this.state.value = "closed";
    this.drop();
    for (const job of this.jobs) job.reject(why);
    this.jobs.clear();
  }

  private drop(): void {
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
  }

  /** dial makes one connection and waits for the runner's hello. */
  private dial(session: string | undefined): Promise<ServerHello> {
    return new Promise((resolve, reject) => {
      let socket: WebSocket;
      try {
        socket = this.parts.socket(this.address, subprotocol);
      } catch {
        reject(new RunnerLoss("unreachable"));
        return;
      }
      socket.binaryType = "arraybuffer";
      this.socket = socket;
      let greeted = false;
      const fail = (why: RunnerLoss) => {
        if (this.socket === socket) this.drop();
        reject(why);
      };
      void this.parts.wait(handshakeTimeoutMs).then(() => greeted || fail(new RunnerLoss("unreachable")));
      socket.onopen = () => this.say({ hello: { version, token: this.token, name: "newt page", ...(session === undefined ? {} : { resume: { session, seen: this.seen(), connection: ++this.resumes } }) } });
      socket.onclose = () => {
        if (greeted) this.lost(socket);
        else fail(new RunnerLoss("unreachable"));
      };
      socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
        if (socket !== this.socket) return;
        if (greeted) return this.receive(data);
        const first = typeof data === "string" ? read(data) : undefined;
        if (first?.error) return fail(new RunnerLoss("refused", first.error.diagnostic));
        if (first?.hello?.version !== version || !(first.hello.limits?.chunkBytes > 0)) return fail(new RunnerLoss("protocol-error"));
        greeted = true;
        this.greet(first.hello);
        resolve(first.hello);
      };
    });
  }

  private seen(): { job: number; seq: number }[] {
    return [...this.jobs].filter((j) => j.number > 0).map(({ number, seq }) => ({ job: number, seq }));
  }

  /** greet takes a new connection into use. Jobs that the runner does not have are submitted again. */
  private greet(hello: ServerHello): void {
    this.hello.value = hello;
    this.state.value = "ready";
    const there = new Set((hello.jobs ?? []).map((j) => j.job));
    for (const job of this.jobs) {
      if (!there.has(job.number)) {
        if (job.number > 0 && job.holds && !hello.resumed) this.abandon(job, new RunnerLoss("buffers"));
        else void this.submit(job);
      } else if (job.cancelled) this.say({ cancel: { job: job.number } });
    }
  }

  /** submit sends a job; what goes wrong ends the connection, and the next one sends it again. */
  private async submit(job: Job): Promise<void> {
    if (job.cancelled) return this.abandon(job, new RunnerLoss("closed"));
    const { socket } = this;
    const number = ++this.lastNumber;
    const { submit, frames } = job.restart(number, this.hello.peek()?.limits.chunkBytes ?? 1);
    this.say({ submit });
    const wanted = () => socket === this.socket && this.jobs.has(job) && job.number === number && !job.cancelled;
    for (const data of frames) {
      while (socket && wanted() && socket.bufferedAmount > unsentBytes) await this.parts.wait(unsentMs);
      if (!wanted()) return;
      socket?.send(data);
    }
  }

  private say(message: ClientMessage): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") return this.result(new Uint8Array(data));
    const message = read(data);
    if (!message) return this.close(new RunnerLoss("protocol-error"));
    if (message.error?.fatal) {
      if (!passing.has(message.error.diagnostic.code)) this.close(new RunnerLoss("refused", message.error.diagnostic));
      return;
    }
    const job = this.find(message.job ?? 0);
    if (job?.take(message, data)) this.finish(job);
  }

  /** finish is the end of a job, unless that says that the job never arrived: then it is sent again. */
  private finish(job: Job): void {
    const { outcome } = job;
    if (!outcome.refused) this.say({ release: { job: job.number } });
    if (outcome.done?.reason?.code === "runner-upload-lost") return void this.submit(job);
    this.jobs.delete(job);
    if (job.complete) job.resolve(outcome);
    else job.reject(new RunnerLoss("protocol-error"));
  }

  private result(bytes: Uint8Array): void {
    const header = readHeader(bytes);
    const job = header && this.find(header.job);
    if (!header || job?.takeResult(header, bytes.subarray(headerBytes)) === false) this.close(new RunnerLoss("protocol-error"));
  }

  private find(number: number): Job | undefined {
    return [...this.jobs].find((j) => j.number === number);
  }

  /** lost makes a connection again, whether jobs need it or not: the session has buffers, and a document's next launch may follow. */
  private lost(socket: WebSocket): void {
    if (socket !== this.socket || this.state.peek() !== "ready") return;
    this.socket = undefined;
    this.state.value = "lost";
    void this.again();
  }

  private async again(): Promise<void> {
    const until = this.parts.now() + patienceMs;
    let session = this.hello.peek()?.session;
    for (let wait = 50; this.state.peek() === "lost"; wait = Math.min(2 * wait, maxWaitMs)) {
      try {
        await this.dial(session);
        return;
      } catch (error) {
        const why = error instanceof RunnerLoss ? error : new RunnerLoss("protocol-error");
        const code = why.diagnostic?.code ?? "";
        if (code === "runner-session-unknown" && session !== undefined) {
          session = undefined; // the runner was restarted, or we were away for too long
          continue;
        }
        if (why.reason === "protocol-error" || (why.reason === "refused" && !passing.has(code))) return this.close(why);
        if (this.parts.now() > until) return this.close(new RunnerLoss("lost"));
        await this.parts.wait(wait);
      }
    }
  }
}

/** read parses a text frame; undefined if it is no message. Go writes an empty list as null. */
function read(text: string): ServerMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const fits = isRecord(value) && [value["job"], value["seq"]].every((n) => n === undefined || Number.isSafeInteger(n));
    return fits ? (value as unknown as ServerMessage) : undefined;
  } catch {
    return undefined;
  }
}
