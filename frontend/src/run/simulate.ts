import { compiler } from "../engine/compiler";
import { helper, interpreter } from "../engine/engines";
import type { InspectRequest, JobReply } from "../gen/api";
import type { Goal, Ladder } from "../gen/goal";
import type { Report } from "../gen/lens";
import type { Lang } from "../settings/settings";

/** timeoutMs is more than the two minutes after which the simulator gives up by itself, and says so. */
const timeoutMs = 150_000;

/** Wanted is a launch of a text to simulate. */
export interface Wanted {
  source: string;
  lang: Lang;
  target: string;
  of: InspectRequest;
  goals?: Goal[]; // by which the launch is to be graded
}

/** Simulated is what came of it. */
export interface Simulated {
  report?: Report | undefined;
  ladder?: Ladder | undefined;
  problem: string; // why there is no report; empty where there is one, or no launch
}

/** Packed is a launch as it travels to a device; job has no launch where it says why there is none. */
export interface Packed {
  job: JobReply | undefined;
  tensors: ArrayBuffer[];
}

/** pack packs a launch. */
export async function pack(of: InspectRequest, lang: Lang): Promise<Packed> {
  let tensors: ArrayBuffer[] = [];
  const engine = of.look ? interpreter : helper;
  const { job } = await engine.call({ lang, job: { of } }, { timeoutMs, onBuffers: (sent) => (tensors = sent) });
  return { job, tensors };
}

/** simulate makes a launch on the simulated GPU: one program packs it, and the one that makes PTX runs it. */
export async function simulate({ source, lang, target, of, goals }: Wanted, stopped: AbortSignal): Promise<Simulated> {
  compiler.wake();
  const { job, tensors } = await pack(of, lang);
  if (!job?.launch) return { problem: job?.message ?? "" };
  const { ir, numWarps } = job.kernel;
  const call = { lang, source, target, ir, launch: job.launch, ...(numWarps && { numWarps }), ...(goals && { goals }) };
  const { lens: report, ladder, problem = "" } = await compiler.call(call, { timeoutMs, signal: stopped, buffers: tensors });
  return { report, ladder, problem };
}
