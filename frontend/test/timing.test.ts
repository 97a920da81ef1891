import assert from "node:assert/strict";
import { test } from "node:test";
import { type Beside, measure, NotTimed, placeOf, specOf } from "../src/device/beside";
import type { Submit, Timings } from "../src/gen/protocol";
import type { JobOutcome, JobSpec } from "../src/runner/job";

const timings = (lowerQuartile: number, median: number, upperQuartile: number): Timings =>
  ({ samples: [median], min: lowerQuartile, lowerQuartile, median, upperQuartile, n: 1, clock: "events" });

test("a place is told where the times are apart, and the same where they are not", () => {
  const reference = timings(95, 100, 105);
  for (const [name, answer, place] of [
    ["slower", timings(170, 180, 190), 1.8],
    ["faster", timings(40, 50, 60), 0.5],
    ["quartiles that overlap", timings(104, 150, 190), 1],
    ["quartiles that touch", timings(105, 110, 115), 1],
    ["less than clocks vary by", timings(101.9, 101.9, 101.9), 1],
    ["the reference itself", reference, 1],
  ] as const) assert.equal(placeOf({ answer, reference: name.startsWith("less") ? timings(100, 100, 100) : reference }), place, name);
});

const submit = (name: string, dtype = "fp32"): JobSpec["submit"] =>
  ({ grid: [1, 1, 1], args: [{ name: "x", dtype, tensor: 0 }, { name, dtype, tensor: 1 }], tensors: [{ bytes: 8 }, { bytes: 8, return: true }] });
const spec = (of: JobSpec["submit"] = submit("z")): JobSpec => ({ submit: of, ir: new Uint8Array(), tensors: [] });

/** outcome is that of a launch that wrote values. */
function outcome(median: number, values: ArrayLike<number> & ArrayBufferView<ArrayBuffer>, state = "done"): JobOutcome {
  const done = { state, programs: 1, elapsedNs: 1, queueMs: 0, loadMs: 0, runMs: 0 };
  return { messages: [], results: [new Uint8Array(), new Uint8Array(values.buffer)], done, timings: timings(median, median, median) };
}

/** measured measures two jobs, whose outcomes come in order. */
async function measured(outcomes: readonly JobOutcome[], specs = { reference: spec(), answer: spec() }): Promise<{ beside: Beside; ran: JobSpec[] }> {
  const ran: JobSpec[] = [];
  const run = (of: JobSpec) => Promise.resolve(outcomes[ran.push(of) - 1] as JobOutcome);
  const numbers: number[] = [];
  const beside = await measure(run, specs, (number) => numbers.push(number));
  assert.deepEqual(numbers, [0, 1, 2, 3]);
  return { beside, ran };
}

test("both are measured in turn, and the second time counts", async () => {
  const specs = { reference: spec(), answer: spec() };
  const z = new Float32Array([1, 2]);
  const { beside, ran } = await measured([9, 8, 2, 3].map((median) => outcome(median, z)), specs);
  assert.deepEqual(ran.map((of) => of === specs.answer), [false, true, false, true]);
  assert.equal(beside.reference.median, 2);
  assert.equal(beside.answer.median, 3);
  assert.equal(beside.agree, true);
});

test("values that differ by more than rounding do not agree", async () => {
  const half = (...bits: number[]) => new Uint16Array(bits);
  for (const [name, dtype, answer, reference, agree] of [
    ["rounding", "fp32", new Float32Array([1, 1000.5]), new Float32Array([1.004, 1000]), true],
    ["another value", "fp32", new Float32Array([1, 900]), new Float32Array([1, 1000]), false],
    ["nothing written", "fp32", new Float32Array([NaN, 1]), new Float32Array([1, 1]), false],
    ["NaN in both", "fp32", new Float32Array([NaN, 1]), new Float32Array([NaN, 1]), true],
    ["infinities of either sign", "fp32", new Float32Array([Infinity, 1]), new Float32Array([-Infinity, 1]), false],
    ["integers", "i32", new Int32Array([5, -7]), new Int32Array([5, 7]), false],
    ["1 and 1.001 in binary16", "fp16", half(0x3c00, 0x0001), half(0x3c01, 0x0001), true],
    ["1 and -2 in binary16", "fp16", half(0x3c00), half(0xc000), false],
    ["1 and 1.0078 in bfloat16", "bf16", half(0x3f80), half(0x3f81), true],
    ["1 and 2 in bfloat16", "bf16", half(0x3f80), half(0x4000), false],
  ] as const) {
    const of = submit("z", dtype);
    const { beside } = await measured([1, 1].flatMap(() => [outcome(1, reference), outcome(1, answer)]), { reference: spec(of), answer: spec(of) });
    assert.equal(beside.agree, agree, name);
  }
  const z = new Float32Array([1, 2]);
  const { beside } = await measured([1, 1, 1, 1].map((t) => outcome(t, z)), { reference: spec(submit("z")), answer: spec(submit("x")) });
  assert.equal(beside.agree, false, "an output under another name");
});

test("a launch that fails, or is not measured, has no times", async () => {
  const z = new Float32Array([1, 2]);
  const { timings: _, ...unmeasured } = outcome(1, z);
  for (const [outcomes, which] of [[[outcome(1, z), outcome(1, z, "fault")], "answer"], [[unmeasured], "reference"]] as const)
    await assert.rejects(measured(outcomes), (why: unknown) => why instanceof NotTimed && why.which === which);
});

test("what is timed is not poisoned", () => {
  const launch = JSON.stringify({ submit: { ...submit("z"), job: 1, irBytes: 1, poison: true } satisfies Submit });
  const packed = { job: { launch, kernel: { ir: "AQ==", kernel: "k", signature: "" } }, tensors: [] };
  const { submit: made, ir } = specOf("answer", { answer: packed, reference: packed }, "cuda:0");
  assert.deepEqual([made.poison, made.timing, made.device, ...ir], [false, {}, "cuda:0", 1]);
  const none = { job: { ...packed.job, launch: "", message: "no kernel" }, tensors: [] };
  assert.throws(() => specOf("answer", { answer: none, reference: packed }, "cuda:0"), (why: unknown) => why instanceof NotTimed && why.why === "no kernel");
});
