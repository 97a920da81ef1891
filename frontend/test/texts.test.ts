import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyValue, memory } from "../src/lib/storage";
import { Texts } from "../src/state/texts";

/** clock counts up, so that every save has its own moment. */
function clock(): () => number {
  let now = 0;
  return () => ++now;
}

test("a tab's own text opens, in a new tab the newest", () => {
  const [store, now] = [memory(), clock()];
  const [a, b] = [new Texts(store, "a", now), new Texts(store, "b", now)];
  assert.equal(a.open("puzzle-1"), undefined);
  a.save("puzzle-1", "from a");
  b.save("puzzle-1", "from b");
  assert.equal(a.open("puzzle-1"), "from a");
  assert.equal(a.newer("puzzle-1", "from a")?.text, "from b");
  assert.equal(new Texts(store, "c", now).open("puzzle-1"), "from b");
  assert.equal(a.open("puzzle-2"), undefined);
});

test("another tab's newer text is offered and never overwritten", () => {
  const [store, now] = [memory(), clock()];
  const [a, b] = [new Texts(store, "a", now), new Texts(store, "b", now)];
  a.save("free", "mine");
  b.save("free", "theirs");
  assert.equal(a.newer("free", "mine")?.text, "theirs");
  assert.equal(a.newer("free", "theirs"), undefined, "the same text is no offer");
  assert.equal(b.newer("free", "theirs"), undefined, "one's own text is no offer");
  a.save("free", "mine again");
  assert.equal(b.newer("free", "theirs")?.text, "mine again");
  assert.deepEqual(JSON.parse(store.getItem(Texts.key("free")) ?? "").map((v: { text: string }) => v.text), ["mine again", "theirs"]);
});

test("old tabs' versions are dropped, the newest are kept", () => {
  const [store, now] = [memory(), clock()];
  for (const tab of ["a", "b", "c", "d", "e", "f"]) new Texts(store, tab, now).save("free", tab);
  const kept = JSON.parse(store.getItem(Texts.key("free")) ?? "").map((v: { tab: string }) => v.tab);
  assert.deepEqual(kept, ["f", "e", "d", "c"]);
});

test("what a full store did not take is reported and stays open", () => {
  const store = memory();
  let full = false;
  const limited: KeyValue = { ...store, setItem: (key, value) => {
    if (full) throw new Error("quota");
    store.setItem(key, value);
  } };
  const texts = new Texts(limited, "a");
  assert.equal(texts.save("free", "old"), true);
  full = true;
  assert.equal(texts.save("free", "new"), false);
  assert.equal(texts.open("free"), "new");
  assert.equal(texts.isUnsaved("free"), true);
  assert.equal(texts.isUnsaved("puzzle-1"), false);
  full = false;
  assert.equal(texts.save("free", "newest"), true);
  assert.equal(texts.isUnsaved("free"), false);
  assert.equal(new Texts(store, "b").open("free"), "newest");
});

test("a broken store is as good as empty", () => {
  const broken = memory();
  for (const junk of ["{", "7", '[{"tab":1}]', "null"]) {
    broken.setItem(Texts.key("free"), junk);
    assert.equal(new Texts(broken, "a").open("free"), undefined, junk);
  }
});
