import assert from "node:assert/strict";
import { test } from "node:test";
import { find } from "../src/lib/find";

const entries = [
  { path: "tl.associative_scan", doc: "Scans." },
  { path: "tl.where", doc: "Picks from two tiles." },
  { path: "tl.sum", doc: "Adds all elements." },
  { path: "tl.cumsum", doc: "Adds up to each element." },
];
const found = (words: string) => find(entries, words).map((e) => e.path);

test("names that begin with the words come first, then names that hold them, then texts", () => {
  assert.deepEqual(found("sum"), ["tl.sum", "tl.cumsum"]);
  assert.deepEqual(found(" ADDS "), ["tl.sum", "tl.cumsum"]);
  assert.deepEqual(found("s"), ["tl.sum", "tl.associative_scan", "tl.cumsum", "tl.where"]);
});

test("no words find everything in order, other words nothing", () => {
  assert.deepEqual(found("").length, entries.length);
  assert.deepEqual(found("tl.dot"), []);
});
