import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellLaunch } from "../src/gen/api";
import { labels } from "../src/launches/label";
import { launchAt, listLaunches, spotOf } from "../src/run/listed";

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

test("a launch is found again among those of a run that takes the place of its own", () => {
  const named = (number: number, kernel: string) => ({ ...made(number, 3, true), kernel });
  const before = listLaunches([], 1, [named(1, "a"), named(2, "b"), named(3, "a")]);
  const spot = spotOf(before, 3);
  assert.deepEqual(spot, { run: 1, kernel: "a", nth: 1 });
  const after = listLaunches([], 2, [named(4, "a"), named(5, "a"), named(6, "b")]);
  assert.equal(spot && launchAt(after, { ...spot, run: 2 })?.number, 5);
  assert.equal(spot && launchAt(after, spot)?.number, 5);
  assert.equal(spot && launchAt([...before.slice(0, 1), ...after], spot), undefined);
  assert.equal(spotOf(before, undefined), undefined);
});

test("labels have the warps and stages, and in what a kernel's launches differ", () => {
  const of = (kernel: string, warps: string, args: object, options: object) => {
    const list = (values: object) => Object.entries(values).map(([name, text]) => ({ name, text: String(text) }));
    return { ...made(0, 1, true), kernel, grid: [4, 1, 1], args: list(args), options: list({ num_warps: warps, num_stages: "3", ...options }), number: 1 };
  };
  const list = listLaunches([], 1, [of("k", "4", { x: "float32 [8]", B: 16 }, {}), of("k", "4", { x: "float32 [8]", B: 32 }, { num_ctas: 2 }), of("f", "8", { B: 16 }, {})]);
  assert.deepEqual(labels(list), [
    "1: k[(4)] num_warps=4 num_stages=3 B=16",
    "1: k[(4)] num_warps=4 num_stages=3 num_ctas=2 B=32",
    "1: f[(4)] num_warps=8 num_stages=3",
  ]);
});
