import assert from "node:assert/strict";
import { test } from "node:test";
import { docOf, formatRoute, parseRoute } from "../src/state/route";

test("addresses and routes go over into one another", () => {
  for (const hash of ["#/free", "#/puzzle/1", "#/puzzle/12", "#/own/90_add_two.1a2b3c"]) {
    const route = parseRoute(hash);
    assert.ok(route);
    assert.equal(formatRoute(route), hash);
  }
});

test("anything else names nothing", () => {
  for (const hash of ["", "#", "#/", "#/puzzle/0", "#/puzzle/-1", "#/puzzle/1e9", "#/puzzle/99999", "#/puzzle/1/x", "#s=abc", "#/Free", "#/own/", "#/own/90_a", "#/own/90_a.B", "#/own/90_a/../b.1"]) {
    assert.equal(parseRoute(hash), undefined, hash);
  }
});

test("every route has a document of its own", () => {
  assert.equal(docOf({ page: "free" }), "free");
  assert.equal(docOf({ page: "puzzle", puzzle: 7 }), "puzzle-7");
  assert.equal(docOf({ page: "own", id: "90_a.1" }), "own-90_a.1");
});
