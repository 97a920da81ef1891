import { route } from "../document/workspace";
import type { Call } from "../engine/engine";
import { runAll } from "../run/cells";
import type { Attempt, Stage } from "../run/result";
import { attempt, start, update } from "../run/runs";
import { lossOf } from "../runner/loss";
import { showView } from "../state/view";
import { type Choice, choice, deviceOpen } from "./devices";
import { openRemote } from "./remote";
import type { Remote } from "./run";
import { sessionDevice } from "./session";

/** A run on a device may wait long for its turn. */
const timeoutMs = 1_200_000;

/**
 * runOnDevice runs the current document on the chosen device and shows the result, or lets a device be chosen. On the
 * document page that is all cells; those that run after them stay on the device.
 */
export function runOnDevice(): void {
  showView("result");
  const on = choice.peek();
  if (!on) deviceOpen.value = true;
  else if (route.peek().page === "document") runAll(sessionDevice(on));
  else void start((call, doc, stopped) => attemptOn(on, call, doc, stopped), on.name);
}

/** attemptOn makes a call whose launches a device makes. */
async function attemptOn(on: Choice, call: Call, doc: string, stopped: AbortSignal): Promise<Attempt> {
  const onStage = (stage: Stage) => update(doc, { stage });
  let remote: Remote;
  try {
    remote = await openRemote(on, onStage);
  } catch (error) {
    return { diagnostics: [], loss: lossOf(error) };
  }
  if (stopped.aborted) return { diagnostics: [], fault: { reason: "stopped", message: "" } };
  stopped.addEventListener("abort", () => remote.stop(), { once: true });
  const { device } = remote.run;
  const to = { poisons: device.poisons, times: device.times };
  const asked = { ...call, ...(call.puzzle && { puzzle: { ...call.puzzle, remote: to } }), ...(call.free && { free: { ...call.free, remote: to } }) };
  const outcome = await attempt(asked, doc, { signal: stopped, timeoutMs, onLaunch: (launch, buffers) => remote.launch(launch, buffers) });
  const { loss, run: told } = remote;
  if (loss && outcome.fault?.reason !== "stopped") return { diagnostics: [], loss };
  return { ...outcome, device: told };
}
