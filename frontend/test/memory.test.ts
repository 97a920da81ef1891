import assert from "node:assert/strict";
import { test } from "node:test";
import type { InspectReply, Site, Step } from "../src/gen/api";
import {
  type Access, bandsOf, cellOf, decode, elementAt, firstProblem, lineValues, mark, marksOf, numberOf, type Operation, operationText, programAt,
  runsOf,
} from "../src/memory/inspected";
import { distributionOf } from "../src/memory/distribution";
import { iterationFrom, lineFrom, loopsAt } from "../src/memory/moves";
import { openStep } from "../src/memory/opened";
import { sweepOf } from "../src/memory/sweep";
import { accessesOf, sliceText, touchedBy, volumeOf } from "../src/memory/touched";
import { cellUnder, topOf } from "../src/ui/cell-cursor";
import { blockOf, expressionAt, nameAt, planeOf, planesOf } from "../src/memory/values";

const grid = [7, 1, 1];
const block = 32;
const size = 200;

/** Packed gathers the arrays of a reply in one buffer, and tells where each begins. */
class Packed {
  private readonly parts: Uint8Array[] = [];
  private end = 0;

  readonly keep = (array: Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>): number => {
    const at = this.end;
    const part = new Uint8Array(8 + 8 * Math.ceil(array.byteLength / 8));
    new DataView(part.buffer).setUint32(0, array.byteLength, true);
    part.set(new Uint8Array(array.buffer), 8);
    this.parts.push(part);
    this.end += part.length;
    return at;
  };

  buffers(): ArrayBuffer[] {
    return [Uint8Array.from(this.parts.flatMap((part) => [...part])).buffer];
  }
}

/** addBlock is the reply for a program of puzzle 2, z = x + 10, with its mask or without. */
function addBlock(program: number, masked: boolean): { reply: InspectReply; buffers: ArrayBuffer[] } {
  const packed = new Packed();
  const { keep } = packed;
  const lanes = Int32Array.from({ length: block }, (_, lane) => program * block + lane);
  const mask = Uint8Array.from(lanes, (i) => Number(i < size));
  const outside = lanes.filter((i) => i >= size).length;
  const owners = Int32Array.from({ length: size }, (_, i) => Math.floor(i / block));
  const nobody = new Int32Array(size).fill(-1);
  const before = Float64Array.from({ length: size }, (_, i) => i / size);
  const access = (tensor: number, kind: string) => ({
    tensor, kind, elements: keep(lanes), mask: masked ? keep(mask) : -1, masked: masked ? outside : 0, outside: masked ? 0 : outside,
    sentence: `program ${program} ${kind}s`,
  });
  const sites: Site[] = [];
  const step = (site: Omit<Site, "from" | "to">, more: Partial<Step>): Step =>
    ({ site: sites.push({ from: 0, to: 1, ...site }) - 1, iteration: -1, values: -1, ...more });
  const shape = { dtype: "float32", shape: [size], rows: 1, columns: size, covers: [1, 1] };
  const reply = {
    kernel: "add_mask2_kernel", case: 0, cases: 0, grid, program: [program, 0, 0], from: 0, total: 4, arguments: [], sites, loops: [], iterations: [], diagnostics: [],
    tensors: [
      { name: "x", ...shape, before: keep(before), after: keep(before), readers: keep(owners), writers: keep(nobody) },
      { name: "z", ...shape, before: keep(new Float64Array(size)), after: keep(before.map((v) => v + 10)), readers: keep(nobody), writers: keep(owners) },
    ],
    steps: [
      step({ line: 6, op: "+", name: "i", type: "int32[32]" }, { text: "192 193 … 223", values: keep(Float64Array.from(lanes)) }),
      step({ line: 7, op: "tl.load", name: "x", type: "float32[32]" }, { text: "0.96 …", access: access(0, "load") }),
      step({ line: 8, op: "+", type: "float32[32]" }, { text: "10.9 …" }),
      step({ line: 8, op: "tl.store" }, { access: access(1, "store") }),
    ],
  };
  return { reply, buffers: packed.buffers() };
}

function inspected(program: number, masked: boolean) {
  const { reply, buffers } = addBlock(program, masked);
  return decode(reply, buffers);
}

test("a vector is wrapped at the width of the kernel's blocks, with the cells past its end that lanes point at", () => {
  const [x, z] = inspected(6, true).tensors;
  assert.deepEqual([x?.wrap, x?.extent, z?.wrap, z?.extent], [block, 224, block, 224]);
  assert.equal(inspected(2, true).tensors[0]?.extent, size);
});

test("cells of a finding are gathered by rows, those outside of the picture left out", () => {
  const [, z] = inspected(6, false).tensors;
  assert.ok(z);
  assert.deepEqual(runsOf(z, [35, 33, 34, 34, -1, 900, 62, 63, 64]), [{ from: 33, count: 3 }, { from: 62, count: 2 }, { from: 64, count: 1 }]);
});

test("masked lanes are hatched, and nothing lies outside", () => {
  const marks = marksOf(inspected(6, true), 0, 3);
  assert.equal(marks.filter((m) => m & mark.read).length, 8);
  assert.equal(marks.filter((m) => m & mark.masked).length, 24);
  assert.equal(marks.filter((m) => m & mark.outside).length, 0);
  assert.ok(marks.slice(192, 200).every((m) => m === mark.read), "a read before the current step");
});

test("lanes without a mask lie outside past the end, at the step that has the first problem", () => {
  const of = inspected(6, false);
  assert.equal(firstProblem(of.steps), 1);
  assert.equal(marksOf(of, 0, 1).filter((m) => m & mark.outside).length, 24);
  assert.equal(firstProblem(inspected(6, true).steps), -1);
});

test("a tensor fills in as steps pass", () => {
  const of = inspected(6, true);
  const written = (at: number) => marksOf(of, 1, at).filter((m) => m & mark.written).length;
  assert.deepEqual([0, 1, 2, 3].map(written), [0, 0, 0, 8]);
  assert.equal(marksOf(of, 1, 3)[192], mark.written | mark.now);
});

test("cells of a matrix that is sampled stand for the elements around them", () => {
  const matrix = { shape: [100, 60], rows: 50, columns: 20, covers: [2, 3] };
  assert.equal(cellOf(matrix, 0), 0);
  assert.equal(cellOf(matrix, 3 * 60 + 7), 22);
  assert.equal(elementAt(matrix, 22), 2 * 60 + 6);
  assert.equal(cellOf(matrix, -1), -1);
  for (let cell = 0; cell < 1000; cell++) assert.equal(cellOf(matrix, elementAt(matrix, cell)), cell);
});

test("programs are numbered in program order", () => {
  assert.equal(numberOf([1, 2, 3], [2, 3, 4]), 23);
  for (let n = 0; n < 24; n++) assert.equal(numberOf(programAt(n, [2, 3, 4]), [2, 3, 4]), n);
});

test("iterations of nested loops are bands over their steps", () => {
  const step = (...iterations: number[]): Operation => ({ from: 0, to: 1, line: 1, op: "+", values: undefined, ...(iterations.length && { iterations }) });
  const bands = bandsOf([step(), step(0), step(0, 0), step(0, 0), step(0, 1), step(1, 1), step()]);
  assert.deepEqual(bands.map((b) => [b.depth, b.iteration, b.from, b.to]), [[0, 0, 1, 5], [1, 0, 2, 4], [1, 1, 4, 5], [0, 1, 5, 6], [1, 1, 5, 6]]);
});

test("a line shows its variable, the step's value, and what is wrong", () => {
  const right = lineValues(inspected(6, true).steps, 3);
  assert.deepEqual(right.map((v) => [v.line, v.step, v.wrong]), [[6, 0, false], [7, 1, false]]);
  assert.deepEqual(lineValues(inspected(6, true).steps, 2).map((v) => [v.line, v.step]), [[6, 0], [7, 1], [8, 2]]);
  assert.equal(right[0]?.text, "i  int32[32]  192 193 … 223");
  assert.equal(lineValues(inspected(6, true).steps, 0).length, 1);
  assert.deepEqual(lineValues(inspected(6, false).steps, 3).map((v) => v.wrong), [false, true, true]);
});

test("an augmented assignment is no assignment of a comparison", () => {
  const texts = (ops: string[]) => ops.map((op) => operationText({ from: 0, to: 1, line: 1, op, name: "s", values: undefined }));
  assert.deepEqual(texts(["+=", "**=", ">>=", "<=", "==", "tl.load"]), ["s +=", "s **=", "s >>=", "s = <=", "s = ==", "s = tl.load"]);
  assert.equal(operationText({ from: 0, to: 1, line: 1, op: "for", name: "start", values: undefined }), "for start");
});

test("values of an earlier iteration are told from those of the iteration that the program is in", () => {
  const at = (line: number, ...iterations: number[]) => ({ from: 0, to: 1, line, op: "+", name: "s", text: "1", iterations, values: undefined });
  const steps = [at(1), at(2, 0), at(3, 0), at(2, 1), at(4)];
  const earlier = (step: number) => lineValues(steps, step).filter((value) => value.earlier).map(({ line }) => line);
  assert.deepEqual([2, 3, 4].map(earlier), [[], [3], []]);
});

test("the block of a step has the shape of its type", () => {
  const [step] = inspected(6, true).steps;
  assert.deepEqual(step && blockOf(step)?.shape, [block]);
  const values = new Float64Array(6);
  assert.deepEqual(blockOf({ from: 0, to: 1, line: 1, op: "tl.dot", type: "float32[2, 3]", values })?.shape, [2, 3]);
  assert.deepEqual(blockOf({ from: 0, to: 1, line: 1, op: "+", type: "int32", values })?.shape, [1]);
});

/** readOf are the cells of a tensor of a shape that an access reads, and those that its mask leaves out. */
function readOf(shape: number[], lanes: number[], takesPart: (lane: number) => boolean, type?: string): number[][] {
  const size = shape.reduce((count, side) => count * side, 1);
  const values = new Float64Array(size);
  const nobody = new Int32Array(size).fill(-1);
  const packed = new Packed();
  const cellsOf = { before: packed.keep(values), after: packed.keep(values), readers: packed.keep(nobody), writers: packed.keep(nobody) };
  const mask = Uint8Array.from(lanes, (_, lane) => Number(takesPart(lane)));
  const access = { tensor: 0, kind: "load", elements: packed.keep(Int32Array.from(lanes)), mask: packed.keep(mask), masked: 0, outside: 0, sentence: "" };
  const columns = shape.at(-1) ?? 1;
  const reply: InspectReply = {
    kernel: "k", case: 0, cases: 0, grid: [1, 1, 1], program: [0, 0, 0], from: 0, total: 1, diagnostics: [], arguments: [],
    sites: [{ from: 0, to: 1, line: 1, op: "tl.load", ...(type && { type }) }], loops: [], iterations: [],
    tensors: [{ name: "x", dtype: "float32", shape, rows: size / columns, columns, covers: [1, 1], ...cellsOf }],
    steps: [{ site: 0, iteration: -1, values: -1, access }],
  };
  const marks = marksOf(decode(reply, packed.buffers()), 0, 0);
  return [mark.read, mark.masked].map((bit) => [...marks.keys()].filter((cell) => (marks[cell] ?? 0) & bit));
}

/** lanesOf are the elements of a block whose rows have a width, and begin at some elements. */
const lanesOf = (width: number, ...starts: number[]) => starts.flatMap((start) => Array.from({ length: width }, (_, i) => start + i));

test("masked lanes past the end of a row, or of a matrix, are not marked in the next one", () => {
  assert.deepEqual(readOf([3, 6], lanesOf(4, 4, 10, 16), (lane) => lane % 4 < 2 && lane >= 4), [[10, 11, 16, 17], [4, 5]]); // row 0 is left out on purpose
  assert.deepEqual(readOf([3, 6], lanesOf(4, 4), (lane) => lane < 2), [[4, 5], []]);
  assert.deepEqual(readOf([3, 6], lanesOf(8, 0), (lane) => lane < 7), [[0, 1, 2, 3, 4, 5, 6], [7]]); // as a vector
  assert.deepEqual(readOf([2, 3, 3], lanesOf(2, 5, 8), (lane) => lane % 2 === 0), [[5, 8], []]); // a window at [0, 1, 2]
  const both = lanesOf(2, 6, 9, 15, 18); // windows at [0:2, 2, 0]
  assert.deepEqual(readOf([2, 3, 3], both, (lane) => lane % 4 < 2, "float32[2, 2, 2]"), [[6, 7, 15, 16], []]);
  assert.deepEqual(readOf([2, 2, 2], lanesOf(2, 0, 2, 4, 6), (lane) => lane < 4, "float32[2, 2, 2]"), [[0, 1, 2, 3], [4, 5, 6, 7]]);
  assert.deepEqual(readOf([2, 3, 3], lanesOf(2, 0, 3), (lane) => lane > 1), [[3, 4], [0, 1]]);
});

test("an opened operation shows its last value by the step, and another of its variable where the text has changed", () => {
  const step = (from: number, name?: string): Operation => ({ from, to: from + 5, line: 1, op: "+", values: new Float64Array(1), ...(name !== undefined && { name }) });
  const steps = [step(0, "acc"), step(20), step(40, "acc"), step(20), step(40, "acc")];
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => openStep(steps, at, { from: 20, to: 25 })), [1, 1, 1, 3, 3]);
  assert.deepEqual([1, 2, 4].map((at) => openStep(steps, at, { from: 7, to: 9, name: "acc" })), [0, 2, 4]);
  assert.equal(openStep(steps, 4, { from: 7, to: 9 }), -1);
});

test("a name is the last value of its function's variable, an argument of the kernel, or not computed yet", () => {
  const of = { ...inspected(6, true), args: [{ name: "N0", type: "int32", text: "200" }] };
  const scope = { name: "add_mask2_kernel", from: 0, to: 9 };
  const name = (at: number, text: string, within = scope) => nameAt(of, at, { from: 3, to: 4, text }, within);
  assert.deepEqual([name(3, "i")?.text, name(3, "i")?.step, name(3, "x")?.type], ["192 193 … 223", 0, "float32[32]"]);
  assert.deepEqual([name(0, "x")?.text, name(0, "x")?.type], ["", "float32[32]"]);
  assert.deepEqual([name(3, "N0")?.text, name(3, "N0", { ...scope, name: "helper" })], ["200", undefined]);
  assert.equal(name(3, "i", { name: "helper", from: 2, to: 9 }), undefined);
});

test("a place without a name is its smallest expression that has a value", () => {
  const value = (from: number, to: number, text: string): Operation => ({ from, to, line: 1, op: "+", type: "int32", text, values: undefined });
  const of = { ...inspected(6, true), steps: [value(4, 9, "3"), value(0, 9, "5"), value(4, 9, "4")] };
  assert.deepEqual([0, 1, 2].map((at) => expressionAt(of, at, 6, "a + (b+c)")?.text), ["3", "3", "4"]);
  assert.equal(expressionAt(of, 1, 2, "a + (b+c)")?.text, "5");
  assert.equal(expressionAt(of, 0, 2, "a + (b+c)"), undefined);
});

test("a block of three axes is shown a plane at a time", () => {
  const view = { name: "t", dtype: "int32", shape: [2, 2, 3], values: "", wrong: [], unwritten: [] };
  const values = Float64Array.from({ length: 12 }, (_, i) => i);
  assert.equal(planesOf(view), 2);
  const { view: plane, values: of } = planeOf(view, values, 1);
  assert.deepEqual([plane.name, plane.shape, [...of]], ["t[1]", [2, 3], [6, 7, 8, 9, 10, 11]]);
  assert.deepEqual([planesOf({ ...view, shape: [4] }), planeOf({ ...view, shape: [4] }, values, 0).view.name], [1, "t"]);
});

test("a distribution counts every value once, and no bin cuts a whole number", () => {
  const floats = distributionOf(Float64Array.from([0, 1, 2, 4, NaN, Infinity, -Infinity, -Infinity]), false);
  assert.deepEqual([floats.count, floats.nan, floats.positive, floats.negative, floats.zero], [8, 1, 1, 2, 1]);
  assert.deepEqual([floats.low, floats.high, floats.mean], [0, 4, 1.75]);
  assert.equal(floats.bins.reduce((n, { count }) => n + count, 0), 4);
  assert.equal(floats.bins.at(-1)?.count, 1);
  const whole = distributionOf(Float64Array.from({ length: 100 }, (_, i) => i - 7), true);
  assert.deepEqual(whole.bins.slice(0, 2).map(({ low, high, count }) => [low, high, count]), [[-7, -3, 5], [-2, 2, 5]]);
  assert.equal(whole.bins.at(-1)?.high, 92);
  assert.ok(whole.bins.every(({ low, high, count }) => count === high - low + 1));
  assert.deepEqual(distributionOf(Float64Array.of(3, 3), false).bins, [{ low: 3, high: 3, count: 2 }]);
  assert.deepEqual(distributionOf(Float64Array.of(NaN), false).bins, []);
});

/** looped are the steps of two loops in turn, of which the first has an inner one; each is line, iterations, loops. */
const looped = ([
  [1, [], []], [2, [0], [0]], [3, [0], [0]], [3, [0], [0]], [4, [0, 0], [0, 1]], [4, [0, 1], [0, 1]], [2, [1], [0]], [3, [1], [0]], [4, [1, 0], [0, 2]],
  [5, [0], [3]], [6, [0], [3]], [5, [1], [3]], [6, [1], [3]], [7, [], []], [7, [], []],
] as const).map(([line, iterations, loops]): Operation => ({
  from: line, to: line + 1, line, op: "+", values: undefined, ...(iterations.length && { iterations: [...iterations], loops: [...loops] }),
}));

test("a step by line ends where a line has run, in each iteration anew", () => {
  const ends: number[] = [];
  for (let at = 0; at < looped.length - 1;) ends.push(at = lineFrom(looped, at, 1));
  assert.deepEqual(ends, [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]);
  const back: number[] = [];
  for (let at = looped.length - 1; at > 0;) back.push(at = lineFrom(looped, at, -1));
  assert.deepEqual(back, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1, 0]);
  assert.deepEqual([lineFrom(looped, 2, 1), lineFrom(looped, 2, -1)], [3, 1]);
  assert.deepEqual([lineFrom(looped, 14, 1), lineFrom(looped, 0, -1)], [15, -1]); // what the window does not hold
});

test("another iteration of a loop keeps the operation, and the loop", () => {
  assert.deepEqual([iterationFrom(looped, 1, 0, 1), iterationFrom(looped, 7, 0, 0), iterationFrom(looped, 4, 0, 1)], [6, 2, 8]);
  assert.deepEqual([iterationFrom(looped, 4, 1, 1), iterationFrom(looped, 5, 0, 1)], [5, 8]);
  assert.deepEqual([iterationFrom(looped, 12, 0, 0), iterationFrom(looped, 12, 0, 2)], [10, -1]);
  const of = { ...inspected(6, true), steps: looped, loops: [{ line: 2, last: 1 }, { line: 4, last: 1 }, { line: 4, last: 0 }, { line: 5, last: 1 }] };
  assert.deepEqual(loopsAt(of, 5), [{ line: 2, last: 1, iteration: 0 }, { line: 4, last: 1, iteration: 1 }]);
  assert.deepEqual(loopsAt(of, 0), []);
});

const input = (name: string, type: string, values: number[]) => ({ name, type, values: Float64Array.from(values) });

test("a matrix product is swept along K, from the accumulator to what the program has computed", () => {
  const a = input("a", "float32[2, 3]", [1, 2, 3, 4, 5, 6]);
  const b = input("b", "float32[3, 2]", [1, 0, 0, 1, 1, 1]);
  const acc = input("", "float32[2, 2]", [10, 20, 30, 40]);
  const step: Operation = { from: 0, to: 1, line: 1, op: "tl.dot", name: "d", type: "float32[2, 2]", values: Float64Array.of(14, 25, 40, 51), inputs: { axis: -1, values: [a, b, acc] } };
  const sweep = sweepOf(step);
  assert.deepEqual([0, 1, 2, 3].map((k) => [...(sweep?.result(k).values ?? [])]), [[10, 20, 30, 40], [11, 20, 34, 40], [11, 22, 34, 45], [14, 25, 40, 51]]);
  assert.deepEqual(sweep?.parts(2).map(({ taken }) => taken), [{ row: 0, column: 1, rows: 2, columns: 1 }, { row: 1, column: 0, rows: 1, columns: 2 }]);
});

test("a reduction folds lanes along its axis; one of three axes, or of an unknown function, is not shown", () => {
  const fold = (op: string, axis: number, of: ReturnType<typeof input>, type: string, result: number[]) => sweepOf({
    from: 0, to: 1, line: 1, op, type, values: Float64Array.from(result), inputs: { axis, values: [of] },
  });
  const matrix = input("m", "int32[2, 3]", [1, 5, 3, 4, 2, 6]);
  const along = fold("tl.sum", 1, matrix, "int32[2]", [9, 12]);
  assert.deepEqual([1, 2, 3].map((n) => [...(along?.result(n).values ?? [])]), [[1, 4], [6, 6], [9, 12]]);
  assert.deepEqual(along?.parts(2)[0]?.taken, { row: 0, column: 0, rows: 2, columns: 2 });
  const down = fold("m.max", 0, matrix, "int32[3]", [4, 5, 6]);
  assert.deepEqual([1, 2].map((n) => [...(down?.result(n).values ?? [])]), [[1, 5, 3], [4, 5, 6]]);
  assert.deepEqual(down?.parts(1)[0]?.taken, { row: 0, column: 0, rows: 1, columns: 3 });
  const vector = fold("tl.min", 0, input("v", "float32[4]", [3, 1, 2, 0]), "float32", [0]);
  assert.deepEqual([1, 2, 3, 4].map((n) => [...(vector?.result(n).values ?? [])]), [[3], [1], [1], [0]]);
  assert.equal(fold("tl.reduce", 1, matrix, "int32[2]", [0, 0]), undefined);
  assert.equal(fold("tl.sum", 2, input("c", "int32[1, 1, 2]", [1, 2]), "int32[1, 1]", [3]), undefined);
});

const access = (elements: number[], more: Partial<Access> = {}): Access =>
  ({ tensor: 0, kind: "load", elements: Int32Array.from(elements), mask: undefined, masked: 0, outside: 0, sentence: "", ...more });

test("what a program does in several accesses is gathered by kind: elements once, and the box that has them", () => {
  const of = { shape: [2, 3, 4] };
  const touched = (...accesses: Access[]) =>
    touchedBy(accesses, of).map(({ kind, accesses, elements, box }) => [kind, accesses, elements, box && sliceText(box), box && volumeOf(box)]);
  assert.deepEqual(touched(access([0, 1]), access([4, 5, 5])), [["load", 2, 4, "[0, 0:2, 0:2]", 4]]);
  assert.deepEqual(touched(access([23], { kind: "store" })), [["store", 1, 1, "[1, 2, 3]", 1]]);
  assert.deepEqual(touched(access([3, 4], { mask: Uint8Array.of(1, 0) })), [["load", 1, 1, "[0, 0, 3]", 1]]);
  assert.deepEqual(touched(access([0, 5])), [["load", 1, 2, "[0, 0:2, 0:2]", 4]]); // a diagonal
  assert.deepEqual(touched(access([0]), access([1], { kind: "store" }), access([1])), [["load", 2, 2, "[0, 0, 0:2]", 2], ["store", 1, 1, "[0, 0, 1]", 1]]);
  assert.deepEqual(touched(access([-1, 24, 3], { mask: Uint8Array.of(1, 1, 0) })), [["load", 1, 0, undefined, undefined]]);
  assert.deepEqual(touched(), []);
  const step = (of?: Access): Operation => ({ from: 0, to: 1, line: 1, op: "+", values: undefined, ...(of && { access: of }) });
  assert.equal(accessesOf([step(), step(access([1])), step(access([1], { tensor: 1 }))], 0).length, 1);
});

test("the matrices of a tensor are apart, and what is between them is no cell", () => {
  const size = { width: 6, height: 6, rows: 2 };
  const cells = { columns: 3, count: 12 };
  const at = (offsetX: number, offsetY: number) => cellUnder({ offsetX, offsetY } as MouseEvent, size, cells);
  assert.deepEqual([0, 1, 2, 3].map((row) => topOf(row, size)), [0, 6, 24, 30]); // 8 pixels are two rows
  assert.deepEqual([at(0, 0), at(17, 11), at(0, 12), at(0, 23), at(7, 24), at(17, 35), at(0, 36)], [0, 5, undefined, undefined, 7, 11, undefined]);
  assert.equal(topOf(3, { width: 6, height: 2.5 }), 7.5);
});
