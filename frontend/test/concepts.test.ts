import assert from "node:assert/strict";
import { test } from "node:test";
import { concepts, conceptOf, type ConceptID, type Values } from "../src/basics/concepts";

const ids = Object.keys(concepts) as ConceptID[];

/** settings are all values that the controls of a concept can have. */
function settings(id: ConceptID): Values[] {
  return conceptOf(id).controls.reduce<Values[]>(
    (all, { id: control, max }) => all.flatMap((v) => [...Array(max + 1).keys()].map((n) => ({ ...v, [control]: n }))), [{}],
  );
}

test("each task can be reached by the controls, and is not done before", () => {
  for (const id of ids) {
    assert.equal(conceptOf(id).reached({}), false, id);
    assert.equal(settings(id).filter(conceptOf(id).reached).length, 1, id);
  }
});

test("what a cell sets is a value of the controls", () => {
  for (const id of ids) {
    const limits = new Map(conceptOf(id).controls.map(({ id: control, max }) => [control, max]));
    for (const { press, cells } of settings(id).flatMap(conceptOf(id).grids)) {
      for (const i of press ? cells.keys() : []) {
        for (const [control, n] of Object.entries(press?.(i) ?? {})) assert.ok(n >= 0 && n <= (limits.get(control) ?? -1), `${id} ${control}`);
      }
    }
  }
});

const texts = (id: ConceptID, v: Values, name: string) => conceptOf(id).grids(v).find((g) => g.name === name)?.cells.map(({ text }) => text);

test("folding adds each row up", () => {
  const numbers = texts("reduction", {}, "x")?.map(Number) ?? [];
  const sums = [0, 1, 2].map((row) => numbers.slice(row * 8, row * 8 + 8).reduce((a, b) => a + b, 0));
  assert.deepEqual(texts("reduction", { k: 3 }, "z")?.filter(Boolean).map(Number), sums);
});

test("one pass of softmax ends with the maximum and the sum of two passes", () => {
  const x = texts("softmax", {}, "x")?.map(Number) ?? [];
  const max = Math.max(...x);
  const sum = x.reduce((all, e) => all + Math.exp(e - max), 0);
  assert.deepEqual([texts("softmax", { k: 4 }, "m"), texts("softmax", { k: 4 }, "l")], [[String(max)], [sum.toFixed(2)]]);
});

test("lanes past the end touch memory only without a mask", () => {
  const tones = (v: Values) => conceptOf("mask").grids(v).map(({ cells }) => cells.filter(({ tone }) => tone === "fault").length);
  assert.deepEqual(tones({ p: 2 }), [2, 2]);
  assert.deepEqual(tones({ p: 2, mask: 1 }), [0, 0]);
});
