import assert from "node:assert/strict";
import { test } from "node:test";
import { neededNames } from "../src/content/needed";

const puzzle = (number: number, source: string) => ({ number, solutions: [{ source }] });

test("names that a puzzle introduces come before those that it repeats", () => {
  const first = puzzle(1, "i = tl.arange(0, B0)\ntl.store(z + i, tl.load(x + i))");
  const second = puzzle(2, "tl.store(z, tl.load(x) + tl.sum(y))\ntl.sum(y)");
  assert.deepEqual(neededNames(first, [first, second]), ["arange", "store", "load"]);
  const warmUp = puzzle(101, "tl.sum(tl.load(x))");
  const all = [first, warmUp, second];
  assert.deepEqual(neededNames(warmUp, all), ["sum", "load"]);
  assert.deepEqual(neededNames(second, all), ["sum", "store", "load"]);
});
