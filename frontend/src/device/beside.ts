import type { ClientMessage, Diagnostic, Submit, Timings } from "../gen/protocol";
import { fromBase64 } from "../lib/base64";
import type { Packed } from "../run/simulate";
import type { JobOutcome, JobSpec } from "../runner/job";
import { RunnerLoss } from "../runner/loss";

/** Which are two kernels that make the same launch. */
export type Which = "reference" | "answer";

/** Beside is how long the launches of two kernels take; they agree where both write about the same values. */
export interface Beside extends Record<Which, Timings> {
  agree: boolean;
}

/** NotTimed says why one of two kernels cannot be timed. */
export class NotTimed extends Error {
  constructor(readonly which: Which, readonly why: Diagnostic | string | undefined) {
    super(which);
  }
}

/** order is how launches are measured: the first of each warms the device up, the last counts. */
export const order: readonly Which[] = ["reference", "answer", "reference", "answer"];

/** specOf is a launch as a job that is measured, as Triton's do_bench does. Masked-off lanes are not filled with NaN, which would take time. */
export function specOf(which: Which, launches: Record<Which, Packed>, device: string): JobSpec {
  const { job, tensors } = launches[which];
  const { submit } = JSON.parse(job?.launch || "{}") as ClientMessage;
  if (!job || !submit) throw new NotTimed(which, job?.message);
  return { submit: { ...submit, device, poison: false, timing: {} }, ir: fromBase64(job.kernel.ir), tensors: tensors.map((t) => new Uint8Array(t)) };
}

/** measure has run measure two launches in turn. */
export async function measure(run: (spec: JobSpec) => Promise<JobOutcome>, specs: Record<Which, JobSpec>, onRun: (number: number) => void): Promise<Beside> {
  const last: Partial<Record<Which, JobOutcome & { timings: Timings }>> = {};
  for (const [number, which] of order.entries()) {
    onRun(number);
    const outcome = await run(specs[which]);
    const { timings, done, refused } = outcome;
    if (done?.state !== "done" || !timings?.n) throw new NotTimed(which, refused ?? done?.reason ?? done?.fault);
    last[which] = { ...outcome, timings };
  }
  const { reference, answer } = last;
  if (!reference || !answer) throw new RunnerLoss("protocol-error");
  return { reference: reference.timings, answer: answer.timings, agree: agree(written(specs.answer.submit, answer), written(specs.reference.submit, reference)) };
}

/** noise is by how much two measurements of one kernel may differ, even if the launches of each hardly do: clocks and places in memory vary. */
const noise = 0.02;

/** placeOf is how many times as long as the reference an answer takes; 1 where the difference is within the spread. */
export function placeOf({ answer, reference }: Record<Which, Timings>): number {
  const apart = answer.lowerQuartile > reference.upperQuartile || reference.lowerQuartile > answer.upperQuartile;
  const times = answer.median / reference.median;
  return apart && Math.abs(times - 1) > noise ? times : 1;
}

/** written are the values that a launch left in the tensors that it wrote, by their names. */
function written({ args, tensors }: Pick<Submit, "args" | "tensors">, { results }: JobOutcome): Map<string, ArrayLike<number>> {
  const values = new Map<string, ArrayLike<number>>();
  for (const { name = "", dtype, tensor } of args) {
    const bytes = tensor !== undefined && tensors[tensor]?.return ? results[tensor] : undefined;
    if (bytes) values.set(name, valuesOf(bytes.buffer, dtype));
  }
  return values;
}

/** agree tells whether all that a reference wrote is nearly what an answer wrote: large sizes add up much rounding. */
function agree(answer: Map<string, ArrayLike<number>>, reference: Map<string, ArrayLike<number>>): boolean {
  return [...reference].every(([name, want]) => {
    const got = answer.get(name);
    let most = 0;
    for (let i = 0; i < want.length; i++) if (Number.isFinite(want[i])) most = Math.max(most, Math.abs(want[i] ?? 0));
    for (let i = 0; i < want.length; i++) if (!near(got?.[i] ?? NaN, want[i] ?? NaN, most)) return false;
    return true;
  });
}

/** near tells whether a value is within rounding of another one, in a tensor whose largest is most. */
function near(a: number, b: number, most: number): boolean {
  return Object.is(a, b) || (Number.isFinite(b) && Math.abs(a - b) <= 0.01 * Math.abs(b) + 0.001 * most);
}

const arrays: Readonly<Record<string, new (data: ArrayBuffer) => ArrayLike<number>>> = {
  fp32: Float32Array, fp64: Float64Array, i8: Int8Array, u8: Uint8Array, i1: Uint8Array, i16: Int16Array, i32: Int32Array,
};

/** valuesOf reads a tensor's bytes. */
function valuesOf(data: ArrayBuffer, dtype: string): ArrayLike<number> {
  if (dtype === "bf16") return new Float32Array(Uint32Array.from(new Uint16Array(data), (half) => half << 16).buffer);
  if (dtype === "fp16") return Float64Array.from(new Uint16Array(data), fromHalf);
  if (dtype === "i64") return Float64Array.from(new BigInt64Array(data), Number);
  return new (arrays[dtype] ?? Uint8Array)(data);
}

/** fromHalf is the value of a binary16: a sign, five bits of exponent, ten of fraction. */
function fromHalf(bits: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + fraction) * 2 ** (exponent - 15) : fraction * 2 ** -14);
}
