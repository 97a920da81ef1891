import assert from "node:assert/strict";
import { test } from "node:test";
import { docOf, formatRoute, parseRoute } from "../src/state/route";

test("addresses and routes go over into one another", () => {
  for (const hash of ["#/free", "#/puzzle/1", "#/puzzle/12"]) {
    const route = parseRoute(hash);
    assert.ok(route);
    assert.equal(formatRoute(route), hash);
  }
});

test("anything else names nothing", () => {
  for (const hash of ["", "#", "#/", "#/puzzle/0", "#/puzzle/-1", "#/puzzle/1e9", "#/puzzle/99999", "#/puzzle/1/x", "#s=abc", "#/Free"]) {
    assert.equal(parseRoute(hash), undefined, hash);
  }
});

test("every route has a document of its own", () => {
  assert.equal(docOf({ page: "free" }), "free");
  assert.equal(docOf({ page: "puzzle", puzzle: 7 }), "puzzle-7");
});
