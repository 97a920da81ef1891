import assert from "node:assert/strict";
import { test } from "node:test";
import { launchText, programText, short } from "../src/lib/format";
import { parts } from "../src/lib/phrase";
import { around, differenceOf, elementOf, gridOf, indexOf, seenOf, shade, valueText } from "../src/lib/tensor";

const view = (shape: number[], values: number[], more = {}) => ({
  name: "z", dtype: "float32", shape, values: Buffer.from(Float64Array.from(values).buffer).toString("base64"), wrong: [], unwritten: [], ...more,
});

test("the last axis runs across, the others down", () => {
  const grid = gridOf(view([2, 2, 3], Array.from({ length: 12 }, (_, i) => i)));
  assert.deepEqual([grid.rows, grid.columns], [4, 3]);
  assert.deepEqual(grid.range, { low: 0, high: 11 });
});

test("a long vector is wrapped, a scalar is one cell, nothing is nothing", () => {
  assert.equal(gridOf(view([200], Array(200).fill(1))).rows, 7);
  assert.equal(gridOf(view([9000], Array(9000).fill(1))).columns, 192);
  assert.equal(gridOf(view([], [3])).columns, 1);
  assert.equal(gridOf(view([0], [])).rows, 0);
  assert.equal(gridOf(view([4, 0], [])).rows, 0);
});

test("a large tensor shows an element of each part", () => {
  const large = view([400, 300], Array(134 * 150).fill(1), { step: [3, 2], at: [301, 2, 4] });
  assert.deepEqual([gridOf(large).columns, gridOf(large).rows], [150, 134]);
  assert.deepEqual(elementOf(large, 0), [1, 1]);
});

test("only finite values that were written make the range", () => {
  assert.deepEqual(gridOf(view([5], [NaN, Infinity, -2, 5, 99], { unwritten: [4] })).range, { low: -2, high: 5 });
  assert.deepEqual(gridOf(view([1], [NaN])).range, { low: 0, high: 0 });
});

test("a label tells of the values that are there, not of the colours", () => {
  assert.equal(seenOf(gridOf(view([2], [1, 2], { unwritten: [0, 1] }))), undefined);
  assert.equal(seenOf(gridOf(view([2], [NaN, NaN]))), NaN);
  assert.equal(seenOf(gridOf(view([2], [0, 0]))), 0);
  assert.deepEqual(seenOf(gridOf(view([3], [1, 7, NaN]))), { low: 1, high: 7 });
});

test("a difference is 0 where both are NaN or the same infinity, and pale where it is allowed", () => {
  const got = gridOf(view([4], [NaN, Infinity, 1, 2], { wrong: [3] }));
  const want = gridOf(view([4], [NaN, Infinity, 1.001, 2]));
  const { values, range, wrong } = differenceOf(got, want);
  assert.deepEqual(Array.from(values).map((v) => Number(v.toFixed(3))), [0, 0, -0.001, 0]);
  assert.deepEqual([around(range, 0.02), wrong.size], [{ low: -0.02, high: 0.02 }, 0]);
  assert.equal(seenOf(differenceOf(got, got)), 0);
});

test("values are written as people read them", () => {
  assert.deepEqual([0.1 + 0.2, NaN, -Infinity].map((v) => valueText(v, "float32")), ["0.3", "nan", "-inf"]);
  assert.equal(valueText(123456789, "int32"), "123456789");
});

test("shades are signed where the range holds both signs", () => {
  assert.equal(shade(-1, { low: -1, high: 4 }), -0.25);
  assert.equal(shade(4, { low: -1, high: 4 }), 1);
  assert.equal(shade(3, { low: 2, high: 4 }), 0.5);
  assert.equal(shade(7, { low: 7, high: 7 }), 0.5);
});

test("positions become indices", () => {
  assert.deepEqual(indexOf(23, [2, 3, 4]), [1, 2, 3]);
  assert.deepEqual(indexOf(0, []), []);
});

test("programs, numbers and names are written for people", () => {
  assert.equal(programText([3, 0, 0]), "(3)");
  assert.equal(programText([0, 2, 0]), "(0, 2)");
  assert.deepEqual([launchText([40, 1, 1]), launchText([1, 2, 1]), launchText([1, 1, 1])], ["(40)", "(1, 2)", "(1)"]);
  assert.equal(short(0.000123456), "0.000123");
  assert.equal(short(Infinity), "∞");
  assert.deepEqual(parts("use `B0` here"), [
    { text: "use ", code: false }, { text: "B0", code: true }, { text: " here", code: false },
  ]);
});
