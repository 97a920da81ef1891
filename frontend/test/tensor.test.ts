import assert from "node:assert/strict";
import { test } from "node:test";
import { launchText, programText, short } from "../src/lib/format";
import { parts } from "../src/lib/phrase";
import { gridOf, indexOf, numberOf, shade } from "../src/lib/tensor";

const view = (shape: number[], values: string[], wrong: number[] = []) =>
  ({ name: "z", dtype: "float32", shape, values, wrong, truncated: false });

test("the last axis runs across, the others down", () => {
  const grid = gridOf(view([2, 2, 3], Array.from({ length: 12 }, (_, i) => String(i))));
  assert.deepEqual([grid.rows, grid.columns], [4, 3]);
  assert.deepEqual(grid.range, { low: 0, high: 11 });
});

test("a long vector is wrapped, a scalar is one cell, nothing is nothing", () => {
  assert.deepEqual(gridOf(view([200], Array(200).fill("1"))).rows, 7);
  assert.deepEqual(gridOf(view([], ["3"])).columns, 1);
  assert.deepEqual(gridOf(view([0], [])).rows, 0);
  assert.deepEqual(gridOf(view([4, 0], [])).rows, 0);
});

test("values are read as torch writes them, and only finite ones make the range", () => {
  assert.deepEqual(["True", "False", "inf", "-inf", "1e-3"].map(numberOf), [1, 0, Infinity, -Infinity, 0.001]);
  assert.deepEqual(gridOf(view([4], ["nan", "inf", "-2", "5"])).range, { low: -2, high: 5 });
  assert.deepEqual(gridOf(view([1], ["nan"])).range, { low: 0, high: 0 });
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
