import type { Stage } from "../run/result";
import { RunnerLoss } from "../runner/loss";
import type { Choice } from "./devices";
import type { Remote } from "./run";

/** openRemote fetches the script that passes launches on, and connects to the chosen device's runner; rejects with a RunnerLoss. */
export async function openRemote(on: Choice, onStage: (stage: Stage) => void): Promise<Remote> {
  const { Remote } = await import("./run").catch(() => {
    throw new RunnerLoss("script");
  });
  return Remote.open(on, onStage);
}
