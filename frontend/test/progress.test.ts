import assert from "node:assert/strict";
import { test } from "node:test";
import { memory } from "../src/lib/storage";
import { formatMarks, levelMarks, loadMarks, markOf, merge, parseMarks, raise, saveMarks } from "../src/state/progress";

test("an attempt is marked by its two checks", () => {
  assert.equal(markOf(true, true), "solved");
  assert.equal(markOf(true, false), "classic");
  assert.equal(markOf(false, true), "tried");
  assert.equal(markOf(false, false), "tried");
});

test("a mark rises and never falls", () => {
  const once = raise({}, "3", "classic");
  assert.deepEqual(once, { 3: "classic" });
  assert.equal(raise(once, "3", "tried"), once);
  assert.deepEqual(raise(once, "3", "solved"), { 3: "solved" });
});

test("saving keeps what another tab has reached", () => {
  const store = memory();
  saveMarks(store, { 1: "solved" });
  assert.deepEqual(saveMarks(store, { 1: "tried", 2: "tried" }), { 1: "solved", 2: "tried" });
  assert.deepEqual(loadMarks(store), { 1: "solved", 2: "tried" });
});

test("marks that nobody wrote are ignored", () => {
  const store = memory();
  store.setItem("newt:progress", '{"1":"perfect"}');
  assert.deepEqual(loadMarks(store), {});
});

test("a link has the marks of newt's own puzzles, by number, and nothing else", () => {
  const link = formatMarks({ 10: "tried", 2: "solved", "own-90.abc": "solved", 601: "classic", 0: "solved" });
  assert.equal(link, "0s.2s.10t.601c");
  assert.deepEqual(parseMarks(link), { 0: "solved", 2: "solved", 10: "tried", 601: "classic" });
});

test("what is no mark in a link is left out, however long it is", () => {
  assert.deepEqual(parseMarks("1s.2x.__proto__s.s.-1s.3.99999s.03t.<b>"), { 1: "solved", 3: "tried" });
  assert.deepEqual(parseMarks(""), {});
  assert.ok(Object.keys(parseMarks("1s.".repeat(1_000_000))).length === 1);
});

test("progress that is added raises marks and lowers none", () => {
  assert.deepEqual(merge({ 1: "solved", 2: "tried" }, { 1: "tried", 2: "classic", 3: "tried" }), { 1: "solved", 2: "classic", 3: "tried" });
});

test("levels are marks: they rise to gold, which is solved, and a link has them", () => {
  const marks = levelMarks.reduce((all, mark) => raise(all, "2001", mark), raise({}, "2002", "silver"));
  assert.deepEqual(raise(marks, "2002", "bronze"), { 2001: "solved", 2002: "silver" });
  assert.equal(formatMarks(marks), "2001s.2002v");
  assert.deepEqual(parseMarks("2001b.2002v"), { 2001: "bronze", 2002: "silver" });
});
