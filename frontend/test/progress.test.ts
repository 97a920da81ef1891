import assert from "node:assert/strict";
import { test } from "node:test";
import { memory } from "../src/lib/storage";
import { loadMarks, markOf, raise, saveMarks } from "../src/state/progress";

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
