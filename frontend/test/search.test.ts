import assert from "node:assert/strict";
import { test } from "node:test";
import { search, usedNow } from "../src/lib/search";

const entries = [
  { id: "run", texts: ["运行", "Run", "Ctrl+Enter"] },
  { id: "gpu", texts: ["在选定的设备（例如 GPU）上运行", "Run on the chosen device, such as a GPU"] },
  { id: "next", texts: ["下一个问题", "Next problem", "F8"] },
  { id: "previous", texts: ["上一个问题", "Previous problem", "Shift+F8"] },
  { id: "puzzle", texts: ["第 3 题", "Puzzle 3: Outer Vector Add"] },
];
const found = (words: string, lately: string[] = []) => search(entries, words, lately).map((e) => e.id);

test("every word is found in any text, in any language and in the keys", () => {
  assert.deepEqual(found("运行"), ["run", "gpu"]);
  assert.deepEqual(found("gpu RUN"), ["gpu"]);
  assert.deepEqual(found("f8"), ["next", "previous"]);
  assert.deepEqual(found("vector 3"), ["puzzle"]);
  assert.deepEqual(found("run nothing"), []);
});

test("what begins with a word comes before what has it inside, and abbreviations last", () => {
  assert.deepEqual(found("p"), ["previous", "puzzle", "next", "gpu"]);
  assert.deepEqual(found("nepr"), ["next"]);
  assert.deepEqual(found("ova"), ["puzzle"]);
  assert.deepEqual(found("rxn"), []); // no beginnings of words
});

test("what was used lately comes first among equals, and alone without words", () => {
  assert.deepEqual(found("", ["puzzle", "gone", "gpu"]), ["puzzle", "gpu", "run", "next", "previous"]);
  assert.deepEqual(found("problem", ["previous"]), ["previous", "next"]);
  assert.deepEqual(found("previous", ["next"]), ["previous"]);
  assert.deepEqual(usedNow("c", ["a", "b", "c", "d", "e"]), ["c", "a", "b", "d", "e"]);
  assert.deepEqual(usedNow("z", ["a", "b", "c", "d", "e"]), ["z", "a", "b", "c", "d"]);
});
