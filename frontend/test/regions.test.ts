import assert from "node:assert/strict";
import { test } from "node:test";
import { byRegion, ideas } from "../src/map/regions";

const numbers = [2001, 2012, 1, 2, 3, 4, 5, 6, 601, 7, 701, 702, 8, 801, 9, 10, 1001, 11, 1101, 12];

test("every puzzle is in one region, a warm-up in that of the puzzle it prepares for", () => {
  const parts = byRegion(numbers.map((number) => ({ number }))).map(({ puzzles }) => puzzles.map((p) => p.number));
  assert.deepEqual(parts, [[1, 2], [3, 4, 5, 6], [601, 7, 701, 702, 8, 801, 9], [10, 1001, 11, 1101, 12], [2001, 2012]]);
  assert.deepEqual(byRegion([{ number: 4 }]), [{ id: "axes", puzzles: [{ number: 4 }] }]);
});

test("a concept is known by the puzzle that asks for it, or by the lesson", () => {
  const known = (marks: Record<string, "solved" | "tried">) => ideas(marks).filter((i) => i.known).map((i) => i.id);
  assert.deepEqual(known({}), []);
  assert.deepEqual(known({ 1: "solved", 2: "tried" }), ["program", "offset"]);
  assert.deepEqual(known({ 0: "solved" }), ["program", "offset", "block", "mask", "broadcast", "axes", "reduction"]);
  assert.deepEqual(known({ 8: "solved" }), ["softmax"]);
});
