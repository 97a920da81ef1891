import type { Launched } from "../engine/engine";
import type { JobReply } from "../gen/api";
import { compiler } from "../engine/compiler";
import { targets } from "../gen/targets";

/** timeoutMs is more than the five minutes after which the model gives up by itself, and says so. */
const timeoutMs = 330_000;

/** estimate asks the model of a GPU how long a launch may take; tensors are its own. It rejects where the model dies of it. */
export async function estimate({ launch, kernel: { ir, numWarps } }: JobReply, tensors: ArrayBuffer[], stopped: AbortSignal): Promise<Launched> {
  compiler.wake();
  const call = { lang: "en", source: "", target: targets[0], ir, launch, estimate: true, ...(numWarps && { numWarps }) };
  const { ended = "", expected } = await compiler.call(call, { timeoutMs, signal: stopped, buffers: tensors });
  return { launched: { messages: [ended], ...(expected && { expected }) }, tensors: [] };
}
