import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyValue, memory } from "../src/lib/storage";
import { Texts } from "../src/state/texts";

/** clock counts up, so that every save has its own moment. */
function clock(): () => number {
  let now = 0;
  return () => ++now;
}

test("the newest text opens, whichever tab wrote it", () => {
  const [store, now] = [memory(), clock()];
  const [a, b] = [new Texts(store, "a", now), new Texts(store, "b", now)];
  assert.equal(a.open("puzzle-1"), undefined);
  a.save("puzzle-1", "from a");
  b.save("puzzle-1", "from b");
  assert.equal(a.open("puzzle-1"), "from b");
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

test("a full store is reported, a broken one is as good as empty", () => {
  const full: KeyValue = { ...memory(), setItem: () => { throw new Error("quota"); } };
  assert.equal(new Texts(full, "a").save("free", "x"), false);
  const broken = memory();
  for (const junk of ["{", "7", '[{"tab":1}]', "null"]) {
    broken.setItem(Texts.key("free"), junk);
    assert.equal(new Texts(broken, "a").open("free"), undefined, junk);
  }
});
