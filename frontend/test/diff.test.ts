import assert from "node:assert/strict";
import { test } from "node:test";
import { condense, diff, nextOf, type Row } from "../src/lib/diff";

const letters = (text: string) => Array.from(text);

/** spelled writes rows as +a -b c. */
const spelled = (rows: Row[], before: string, after: string) =>
  rows.map(({ kind, at }) => ({ same: "", added: "+", removed: "-" })[kind] + (kind === "removed" ? before : after)[at]).join(" ");

test("a difference has as few added and removed lines as possible", () => {
  const cases: [string, string, number][] = [
    ["", "", 0], ["abc", "abc", 0], ["", "ab", 2], ["ab", "", 2], ["abc", "axc", 2], ["abcabba", "cbabac", 5], ["xaxbxc", "abc", 3],
  ];
  for (const [before, after, edits] of cases) {
    const rows = diff(letters(before), letters(after));
    assert.equal(rows.filter((row) => row.kind !== "same").length, edits, `${before} to ${after}: ${spelled(rows, before, after)}`);
  }
});

test("both texts can be read from the rows of any pair", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 200; round++) {
    const [before, after] = [0, 1].map(() => Array.from({ length: random(30) }, () => "abc".charAt(random(3)))) as [string[], string[]];
    const rows = diff(before, after);
    assert.deepEqual(rows.filter((r) => r.kind !== "removed").map((r) => after[r.at]), after);
    let at = 0;
    for (const row of rows.filter((r) => r.kind !== "added")) {
      assert.equal(row.kind === "removed" ? before[row.at] : after[row.at], before[at], `${before.join("")} to ${after.join("")}`);
      at++;
    }
    assert.equal(at, before.length);
  }
});

test("texts without anything in common are told apart as wholes, in time", () => {
  const [before, after] = ["b", "a"].map((l) => Array.from({ length: 4000 }, (_, i) => l + i)) as [string[], string[]];
  const rows = diff(before, after);
  assert.equal(rows.length, 8000);
});

test("what is far from a difference is left out and counted", () => {
  const before = letters("0123456789");
  const rows = condense(diff(before, letters("01234567X9")), 1);
  assert.deepEqual(rows.map((row) => (row.kind === "skipped" ? row.count : row.kind)), [7, "same", "removed", "added", "same"]);
  assert.deepEqual(condense(diff(before, before), 2), [{ kind: "skipped", count: 10 }]);
});

test("the next and the previous go around both ends, from before the first to either", () => {
  const ways = [[-1, 1], [-1, -1], [0, -1], [0, 1], [2, 1]] as const;
  assert.deepEqual(ways.map(([now, by]) => nextOf(3, now, by)), [0, 2, 2, 1, 0]);
});
