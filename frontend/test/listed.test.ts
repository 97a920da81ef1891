import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellLaunch } from "../src/gen/api";
import { listLaunches } from "../src/run/listed";

const made = (number: number, line: number, kept: boolean, ok = true) => ({ number, line, kept, ok, kernel: "k", ms: 2 }) as CellLaunch;

test("launches by one call that cannot be opened are counted with the last of it that is listed", () => {
  const first = listLaunches([], 1, [made(1, 3, true), made(2, 9, true), made(3, 3, false)]);
  const both = listLaunches(first, 1, [made(4, 3, false), made(5, 3, false, false), made(6, 3, false)]);
  assert.deepEqual(both.map((l) => [l.number, l.more.count, l.more.ms]), [[1, 2, 4], [2, 0, 0], [5, 1, 2]]);
  assert.deepEqual(first.map((l) => l.more.count), [1, 0]); // is as it was
});

test("launches of another run, or too large to keep from the first on, are listed", () => {
  const list = listLaunches(listLaunches([], 1, [made(1, 3, true)]), 2, [made(2, 3, false), made(3, 3, false)]);
  assert.deepEqual(list.map((l) => [l.run, l.number, l.more.count]), [[1, 1, 0], [2, 2, 1]]);
});
