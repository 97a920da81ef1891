import assert from "node:assert/strict";
import { test } from "node:test";
import catalogue from "../../puzzles/repair/catalog.txt";
import { behind, extend, type Streak } from "../src/result/streak";

const after = (...answers: [puzzle: string, code: string, answer: string][]) =>
  answers.reduce<Streak | undefined>((streak, answer) => extend(streak, ...answer), undefined)?.answers.length ?? 0;

test("different answers that fail for the same concept add up", () => {
  assert.equal(after(["2", "mistake-no-mask", "a"], ["2", "mistake-mask-bound", "b"], ["2", "mistake-other", "c"]), 3);
});

test("an answer that is run again counts once", () => {
  assert.equal(after(["2", "mistake-mask", "a"], ["2", "mistake-mask", "a"]), 1);
});

test("another concept, another puzzle or a slip begins anew", () => {
  assert.equal(after(["2", "mistake-mask", "a"], ["2", "mistake-stride", "b"]), 1);
  assert.equal(after(["2", "mistake-mask", "a"], ["3", "mistake-mask", "b"]), 1);
  assert.equal(after(["2", "mistake-mask", "a"], ["2", "mistake-operator", "b"]), 0);
});

test("every kind of mistake with a concept is one that the catalogue has", () => {
  const codes = catalogue.split("\n");
  for (const kind of Object.values(behind).flat()) assert.ok(codes.includes(`mistake-${kind}`), kind);
});
