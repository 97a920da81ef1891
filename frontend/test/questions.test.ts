import assert from "node:assert/strict";
import { test } from "node:test";
import { blockOf, cellsQuestion, judgeCells, type Written } from "../src/questions/cells";

/** vector is one that programs write in blocks of 32; the last one has 8 elements left. */
const vector: Written = { name: "z", shape: [200], covers: [1], wrap: 32, writers: Int32Array.from({ length: 200 }, (_, i) => Math.floor(i / 32)) };

/** matrix is one of 5 rows of 6, which a grid of 2 × 2 programs writes in tiles of 3 × 4. */
const matrix: Written = {
  name: "z", shape: [5, 6], covers: [1, 1], wrap: 6,
  writers: Int32Array.from({ length: 30 }, (_, i) => Math.floor((i % 6) / 4) * 2 + Math.floor(i / 18)),
};

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test("a vector's question is about the last program, and an answer is what lies between two cells", () => {
  const asked = cellsQuestion({ grid: [7], tensors: [vector] });
  assert.deepEqual(asked, { id: "cells 1 1", tensor: 0, program: 6, cells: range(192, 199) });
  assert.ok(asked);
  const say = (one: number, other: number) => judgeCells(vector, asked, blockOf(vector, one, other));
  assert.deepEqual(say(192, 199), { right: true, fewer: 32 });
  assert.deepEqual(say(199, 192), { right: true, fewer: 32 });
  assert.deepEqual(say(160, 191), { right: false, program: 5 });
  assert.deepEqual(say(192, 198), { right: false, misses: true, exceeds: false });
  assert.deepEqual(say(160, 199), { right: false, misses: false, exceeds: true });
  assert.deepEqual(say(100, 195), { right: false, misses: true, exceeds: true });
});

test("a matrix's block is the rectangle between two corners, whichever they are", () => {
  const asked = cellsQuestion({ grid: [2, 2], tensors: [matrix] });
  assert.deepEqual(asked, { id: "cells 2 2", tensor: 0, program: 3, cells: [22, 23, 28, 29] });
  assert.ok(asked);
  for (const [one, other] of [[22, 29], [29, 22], [23, 28], [28, 23]] as const) {
    assert.deepEqual(judgeCells(matrix, asked, blockOf(matrix, one, other)), { right: true, fewer: 12 });
  }
  assert.deepEqual(judgeCells(matrix, asked, blockOf(matrix, 0, 15)), { right: false, program: 0 });
});

test("nothing is asked where the answer is no block of one program's own", () => {
  const none = (grid: number[], change: Partial<Written>) => assert.equal(cellsQuestion({ grid, tensors: [{ ...vector, ...change }] }), undefined);
  none([1], { writers: new Int32Array(200) }); // one program writes everything
  none([7], { writers: new Int32Array(200).fill(-1) }); // none writes anything
  none([7], { writers: vector.writers.with(100, -2) }); // two write one cell
  none([7], { writers: vector.writers.with(10, 6) }); // its cells are apart
  none([7], { covers: [4] }); // a cell stands for four elements
});
