import assert from "node:assert/strict";
import { test } from "node:test";
import { patternOf } from "../src/basics/words";

test("a course's words are found whole, whatever letters they have", () => {
  const found = (words: string[], text: string) => patternOf(words).exec(text)?.[0];
  assert.equal(found(["tail"], "details of the Tail"), "Tail");
  assert.equal(found(["tail", "tails"], "two tails"), "tails");
  assert.equal(found(["尾部"], "最后的尾部元素"), "尾部");
  assert.equal(found([" C++ "], "in c++, and C"), "c++");
  assert.equal(found(["a.b"], "axb a.b"), "a.b");
  assert.equal(found(["mask"], "用mask遮住"), "mask");
});
