import { signal } from "@preact/signals";
import { type CallOptions, type Engine, EngineFault } from "../engine/engine";
import { helper, interpreter } from "../engine/engines";
import type { InspectRequest, Progress, Reply, Request } from "../gen/api";

/** Looking is a look at a launch that is being made. */
interface Looking {
  since: number;
  of: InspectRequest;
  progress?: Progress;
  stop: () => void;
}

/** looking is the look that is being made, or waits for its turn. */
export const looking = signal<Looking | undefined>(undefined);

/** engineFor is the engine that makes a look: a document's is made where its session is, so that a run is in no other's way. */
export function engineFor(of: InspectRequest): Engine {
  return of.look ? interpreter : helper;
}

/** look asks about a launch. It rejects with an EngineFault. */
export async function look(of: InspectRequest, call: Request, options: Pick<CallOptions, "onBuffers"> = {}): Promise<Reply> {
  const engine = engineFor(of);
  const stopper = new AbortController();
  const { signal } = stopper;
  let now: Looking = { since: performance.now(), of, stop: () => stopper.abort() };
  looking.value = now;
  const onProgress = (progress: Progress) => {
    if (looking.peek() === now) looking.value = now = { ...now, progress };
  };
  try {
    const reply = await engine.call(call, {
      ...options, signal, onProgress, idle: true,
      interrupt: { lang: call.lang, stop: {} }, patient: engine === interpreter,
    });
    if (signal.aborted) throw new EngineFault("stopped");
    return reply;
  } finally {
    if (looking.peek() === now) looking.value = undefined;
  }
}
