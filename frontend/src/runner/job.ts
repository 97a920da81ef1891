import type { Compiled, Diagnostic, Done, SASS, ServerMessage, Submit, Timings } from "../gen/protocol";
import { kinds, frame, type Header } from "./frames";

/** JobSpec describes a job to submit; submit's job and irBytes are filled in. */
export interface JobSpec {
  submit: Omit<Submit, "job" | "irBytes">;
  ir: Uint8Array;
  tensors: Uint8Array[]; // one for each of submit.tensors
  /** onEvent takes the job's events; those of a job that had to be submitted again come again. */
  onEvent?: (message: ServerMessage) => void;
}

/** JobOutcome is the result of a job. */
export interface JobOutcome {
  messages: string[]; // of the runner, in the order in which they came
  results: Uint8Array<ArrayBuffer>[]; // one for each tensor; empty where none came back
  done?: Done;
  refused?: Diagnostic; // the submit was wrong in itself
  compiled?: Compiled;
  timings?: Timings;
  sass?: SASS;
}

/** Job is one that has not ended. */
export class Job {
  number = 0; // 0 while it waits for a connection
  seq = 0; // of the last event that came
  outcome: JobOutcome = { messages: [], results: [] };
  cancelled = false;
  private arrived: number[] = []; // bytes of each result so far
  readonly over: Promise<JobOutcome>;
  resolve!: (outcome: JobOutcome) => void;
  reject!: (why: unknown) => void;

  constructor(readonly spec: JobSpec) {
    this.over = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /** restart gives the job a number and returns the frames to send for it: its submit, and what follows it in pieces. */
  restart(number: number, chunkBytes: number): { submit: Submit; frames: Iterable<Uint8Array<ArrayBuffer>> } {
    const { submit, ir } = this.spec;
    this.number = number;
    this.seq = 0;
    this.outcome = { messages: [], results: submit.tensors.map((t) => new Uint8Array(t.return ? t.bytes : 0)) };
    this.arrived = submit.tensors.map(() => 0);
    return { submit: { ...submit, job: number, irBytes: ir.length }, frames: this.frames(number, chunkBytes) };
  }

  private *frames(job: number, chunkBytes: number): Generator<Uint8Array<ArrayBuffer>> {
    const { submit, ir, tensors } = this.spec;
    yield* pieces({ kind: kinds.ir, tensor: 0, job }, ir, chunkBytes);
    for (const [tensor, data] of tensors.entries()) {
      const { zero, held } = submit.tensors[tensor] ?? {};
      if (!zero && !held) yield* pieces({ kind: kinds.tensor, tensor, job }, data, chunkBytes);
    }
  }

  /** holds reports whether the job needs buffers that only its session has. */
  get holds(): boolean {
    return this.spec.submit.tensors.some((t) => t.held);
  }

  /** take adds a message and returns whether it was the last. */
  take(message: ServerMessage, text: string): boolean {
    if (message.seq && message.seq <= this.seq) return false;
    this.seq = Math.max(this.seq, message.seq ?? 0);
    const { outcome } = this;
    if (message.compiled) outcome.compiled = message.compiled;
    if (message.timings) outcome.timings = message.timings;
    if (message.sass) outcome.sass = message.sass;
    if (message.done) outcome.done = message.done;
    if (message.error) outcome.refused = message.error.diagnostic;
    if (message.done || message.error || message.diagnostics || message.prints) outcome.messages.push(text);
    this.spec.onEvent?.(message);
    return Boolean(message.done ?? message.error);
  }

  /** takeResult adds the next piece of a result; false where that is not what it is. */
  takeResult({ seq, tensor, offset }: Header, payload: Uint8Array): boolean {
    if (seq <= this.seq) return true; // repeated after a resume
    const result = this.outcome.results[tensor];
    if (!result || offset !== this.arrived[tensor] || offset + payload.length > result.length) return false;
    result.set(payload, offset);
    this.arrived[tensor] = offset + payload.length;
    this.seq = seq;
    return true;
  }

  /** complete reports whether all results have arrived that the job's end promises. */
  get complete(): boolean {
    const { done, results } = this.outcome;
    return done?.state !== "done" || results.every(({ length }, i) => this.arrived[i] === length);
  }
}

function* pieces(header: Omit<Header, "seq" | "offset">, data: Uint8Array, chunkBytes: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let offset = 0; offset < data.length; offset += chunkBytes) {
    yield frame({ ...header, offset }, data.subarray(offset, offset + chunkBytes));
  }
}
