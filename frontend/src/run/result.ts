import type { FaultReason } from "../engine/engine";
import type { Diagnostic, FreeReply, Progress, Verdict } from "../gen/api";
import type { Compiled, Device, SASS, Timings } from "../gen/protocol";
import type { RunnerLoss } from "../runner/loss";

/** Attempt is what came of a run. */
export interface Attempt {
  diagnostics: Diagnostic[];
  verdict?: Verdict;
  free?: FreeReply;
  cells?: { ran: number; failed: number }; // of a document
  fault?: { reason: FaultReason; message: string };
  device?: DeviceRun; // where a runner's device made the launches
  loss?: RunnerLoss; // why there is no result of a device
}

/** Result is the outcome of a document's last run, with the text that was run. */
export interface Result extends Attempt {
  doc: string;
  source: string;
  call: string; // what the text was run with, as JSON
  at: number; // milliseconds since the epoch
}

/** DeviceRun is what a device told beside its results. */
export interface DeviceRun {
  device: Device;
  compiled?: Compiled; // of the first launch
  timings?: Timings;
  sass?: SASS; // of the first launch, where it was asked for
  launches: number;
}

/** Stage is how far a launch on a device has come. */
export type Stage =
  | { name: "connecting" | "lost" | "uploading" | "compiling" | "measuring" }
  | { name: "queued"; position: number }
  | { name: "running"; done: number; total: number };

/** Running is the run in progress. */
export interface Running {
  doc: string;
  since: number; // as performance.now() gives it
  stopper: AbortController;
  device?: string; // its name
}

/** RunProgress is how far a run has come. */
export interface RunProgress {
  progress?: Progress;
  stage?: Stage; // on its device
}
