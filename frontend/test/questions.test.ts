import assert from "node:assert/strict";
import { test } from "node:test";
import add from "../../puzzles/02_constant_add_block/solution.py";
import sum from "../../puzzles/07_long_sum/solution.py";
import online from "../../puzzles/801_online_sum/solution.py";
import softmax from "../../puzzles/08_long_softmax/solution.py";
import attention from "../../puzzles/09_simple_flash_attention/solution.py";
import convolution from "../../puzzles/10_two_dimensional_convolution/solution.py";
import product from "../../puzzles/11_matrix_multiplication/solution.py";
import quantized from "../../puzzles/12_quantized_matmul/solution.py";
import { cellsOf, cellsQuestion, judgeCells, rangeOf, stepOf, type Written } from "../src/questions/cells";
import { assemble, groupAt, mixed, moved, takeApart } from "../src/questions/order";

/** vector is one that programs write in blocks of 32; the last one has 8 elements left. */
const vector: Written = { name: "z", shape: [200], covers: [1], wrap: 32, writers: Int32Array.from({ length: 200 }, (_, i) => Math.floor(i / 32)) };

/** matrix is one of 5 rows of 10, which a grid of 3 × 2 programs writes in tiles of 3 rows of 4. */
const matrix: Written = {
  name: "z", shape: [5, 10], covers: [1, 1], wrap: 10,
  writers: Int32Array.from({ length: 50 }, (_, i) => Math.floor((i % 10) / 4) * 2 + Math.floor(i / 30)),
};

test("a vector's question is about the last program, and an answer is what lies between two cells", () => {
  const asked = cellsQuestion({ grid: [7], tensors: [vector] });
  assert.deepEqual(asked, { id: "cells 1 1", tensor: 0, program: 6, cells: rangeOf(192, 199) });
  assert.ok(asked);
  const say = (one: number, other: number) => judgeCells(vector, asked, rangeOf(one, other));
  assert.deepEqual(say(192, 199), { right: true, fewer: 32 });
  assert.deepEqual(say(199, 192), { right: true, fewer: 32 });
  assert.deepEqual(say(160, 191), { right: false, program: 5 });
  assert.deepEqual(say(192, 198), { right: false, misses: true, exceeds: false });
  assert.deepEqual(say(160, 199), { right: false, misses: false, exceeds: true });
  assert.deepEqual(say(100, 195), { right: false, misses: true, exceeds: true });
});

test("a matrix's question is about a whole tile, and an answer is all that one program writes", () => {
  const asked = cellsQuestion({ grid: [3, 2], tensors: [matrix] });
  assert.deepEqual(asked, { id: "cells 2 2", tensor: 0, program: 2, cells: [4, 5, 6, 7, 14, 15, 16, 17, 24, 25, 26, 27] });
  assert.ok(asked);
  assert.deepEqual(judgeCells(matrix, asked, cellsOf(matrix, 2)), { right: true });
  assert.deepEqual(judgeCells(matrix, asked, cellsOf(matrix, 1)), { right: false, program: 1 });
  assert.deepEqual(stepOf(matrix), [4, 3]);
});

test("the arrow keys go from row to row where a program writes whole rows", () => {
  const rows = { ...matrix, writers: Int32Array.from({ length: 50 }, (_, i) => Math.floor(i / 10)) };
  assert.deepEqual(stepOf(rows), [10, 1]);
  assert.equal(cellsQuestion({ grid: [5], tensors: [rows] })?.program, 4);
});

const solutions = Object.entries({ sum, softmax, attention, convolution, product, quantized, online });

test("the lines of a solution are all of it, in few groups, and begin in another order", () => {
  for (const [name, source] of solutions) {
    const taken = takeApart(source);
    assert.ok(taken, name);
    assert.ok(taken.groups.length >= 6 && taken.groups.length <= 10, `${name}: ${taken.groups.length}`);
    const code = (text: string) => text.split("\n").filter((line) => line.trim() && !/^ *#/.test(line));
    assert.deepEqual(code(assemble(taken, taken.groups)), code(source));
    assert.notDeepEqual(mixed(taken.groups), taken.groups);
    assert.deepEqual(mixed(taken.groups).toSorted(), taken.groups.toSorted());
  }
  assert.equal(takeApart(add), undefined);
});

test("groups keep together what belongs together: a statement of several lines, and the lines of one block", () => {
  const groups = takeApart(quantized)?.groups ?? [];
  assert.ok(groups.some((group) => group.includes("activation = tl.load(\n") && group.includes("\n        )")));
  assert.deepEqual(groups.filter((group) => group.includes("for ")), ["    for start in tl.range(0, MID, B_MID):"]);
  for (const group of groups) {
    const depths = new Set(group.split("\n").filter((line) => /^ *[a-z_]+ \+?= |^ *tl/.test(line)).map((line) => line.search(/\S/)));
    assert.ok(depths.size <= 1 || group.includes("tl.load("), group);
  }
});

test("a line of the kernel leads to its group, one above the body to none", () => {
  const taken = takeApart(sum);
  assert.ok(taken);
  const lines = assemble(taken, taken.groups).split("\n");
  const at = (text: string) => groupAt(taken, taken.groups, lines.findIndex((line) => line.includes(text)) + 1);
  assert.deepEqual([at("def "), at("i = "), at("x = "), at("tl.store")], [-1, 0, 5, taken.groups.length - 1]);
});

test("a group that moves pushes the others aside", () => {
  assert.deepEqual(moved("abcd".split(""), 0, 2).join(""), "bcad");
  assert.deepEqual(moved("abcd".split(""), 3, 0).join(""), "dabc");
  assert.deepEqual(moved("abcd".split(""), 1, 9).join(""), "acdb");
});

test("nothing is asked where there is nothing to tell apart, or no way to say it", () => {
  const none = (grid: number[], change: Partial<Written>) => assert.equal(cellsQuestion({ grid, tensors: [{ ...vector, ...change }] }), undefined);
  none([1], { writers: new Int32Array(200) }); // one program writes everything
  none([7], { writers: new Int32Array(200).fill(-1) }); // none writes anything
  none([7], { writers: vector.writers.with(100, -2) }); // two write one cell
  none([7], { writers: vector.writers.with(10, 6) }); // its cells are apart
  none([7], { covers: [4] }); // a cell stands for four elements
});
