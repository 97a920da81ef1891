import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyValue, memory } from "../src/lib/storage";
import { refused, Shared } from "../src/settings/shared";

const isWords = (value: unknown): value is string[] => Array.isArray(value);

/** tab is the words of one tab, and what tells it that another one has stored a key. */
function tab(store: KeyValue) {
  let hear: (event: { key: string | null }) => void = () => undefined;
  const words = new Shared<string[]>(store, "words", isWords, [], (changed) => (hear = changed));
  return { words, hear: (key: string | null) => hear({ key }) };
}

test("a change is of what another tab has stored, which every tab hears of", () => {
  const store = memory();
  const [a, b] = [tab(store), tab(store)];
  a.words.change((list) => [...list, "a"]);
  b.words.change((list) => [...list, "b"]);
  assert.deepEqual(b.words.value, ["a", "b"]);
  a.hear("others");
  assert.deepEqual(a.words.value, ["a"]);
  a.hear("words");
  assert.deepEqual(a.words.value, ["a", "b"]);
  store.removeItem("words");
  b.hear(null);
  assert.deepEqual(b.words.value, []);
});

test("what a full store did not take stays, and counts as unsaved until it is taken", () => {
  const store = memory();
  let full = true;
  const { words, hear } = tab({ ...store, setItem: (key, value) => {
    if (full) throw new Error("quota");
    store.setItem(key, value);
  } });
  words.change(() => ["a"]);
  hear("words");
  assert.deepEqual(words.value, ["a"]);
  assert.equal(words.unsaved, true);
  full = false;
  words.change((list) => [...list, "b"]);
  assert.deepEqual(words.value, ["a", "b"]);
  assert.equal(words.unsaved, false);
  assert.equal(refused.value.size, 0);
});
