import { signal } from "@preact/signals";
import { type CallOptions, EngineFault } from "../engine/engine";
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

/** look asks about a launch where a run is not in its way: a document's where its session is. It rejects with an EngineFault. */
export async function look(of: InspectRequest, call: Request, options: Pick<CallOptions, "onBuffers"> = {}): Promise<Reply> {
  const engine = of.look ? interpreter : helper;
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
