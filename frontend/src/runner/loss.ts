import type { Diagnostic } from "../gen/protocol";

/**
 * Why there is no connection: nobody answers, the runner refused in its own words, it was lost, it no longer has the
 * session's buffers, or it does not follow the protocol; or the page lacks the script that makes one.
 */
export type LossReason = "unreachable" | "refused" | "lost" | "buffers" | "protocol-error" | "closed" | "device" | "script";

export class RunnerLoss extends Error {
  constructor(readonly reason: LossReason, readonly diagnostic?: Diagnostic) {
    super(diagnostic?.en?.headline ?? reason);
  }
}

/** lossOf is the loss that an error of a connection tells of. */
export function lossOf(error: unknown): RunnerLoss {
  return error instanceof RunnerLoss ? error : new RunnerLoss("protocol-error");
}

/** lossCodes are the diagnostics of a launch that only say that the runner, or what it held, was lost: the loss says more. */
export const lossCodes: readonly string[] = ["runner-lost", "runner-buffer-unknown"];
