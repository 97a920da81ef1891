import assert from "node:assert/strict";
import { test } from "node:test";
import { hash } from "../src/lib/hash";
import { isID, parseLink, wholeLink } from "../src/state/link";

test("a link is read from the address that it was made into", () => {
  const url = wholeLink("https://newt.example/play/?x=1#/puzzle/3", "AQ-_9");
  assert.equal(url, "https://newt.example/play/?x=1#l=AQ-_9");
  assert.deepEqual(parseLink(new URL(url).hash), { payload: "AQ-_9" });
});

test("links and other addresses are told apart", () => {
  assert.deepEqual(parseLink("#s=abc"), { id: "abc" });
  assert.deepEqual(parseLink("#l="), { payload: "" });
  for (const other of ["", "#", "#/free", "#/l=x", "#L=x", "l=x"]) assert.equal(parseLink(other), undefined, other);
});

test("what is far too long is cut, and stays too long", () => {
  const link = parseLink(`#l=${"A".repeat(1 << 20)}`);
  assert.ok(link && "payload" in link);
  assert.equal(link.payload.length, (768 << 10) + 1);
});

test("an id is a plain word", () => {
  assert.ok(isID("792rp9nznvbenw87"));
  for (const id of ["", "..", "a/b", "a b", "ä", "a".repeat(65)]) assert.ok(!isID(id), id);
});

test("texts that differ a little have different hashes", () => {
  const seen = new Set(["", "a", "b", "ab", "ba", "a\0b", "aa"].map(hash));
  assert.equal(seen.size, 7);
  assert.match(hash("x".repeat(1 << 20)), /^[0-9a-z]{2,16}$/);
});
