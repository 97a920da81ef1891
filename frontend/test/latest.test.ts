import assert from "node:assert/strict";
import { test } from "node:test";
import { latest } from "../src/engine/latest";

test("of the calls made while one runs, only the newest is made", async () => {
  const made: number[] = [];
  const finish: (() => void)[] = [];
  const call = latest((n: number) => {
    made.push(n);
    return new Promise<number>((resolve) => finish.push(() => resolve(n * 10)));
  });
  const results = [call(1), call(2), call(3)];
  assert.deepEqual(made, [1]);
  finish[0]?.();
  assert.equal(await results[0], 10);
  assert.equal(await results[1], undefined);
  assert.deepEqual(made, [1, 3]);
  finish[1]?.();
  assert.equal(await results[2], 30);
});

test("a call that fails gives undefined and lets the next one through", async () => {
  const call = latest((n: number) => (n === 1 ? Promise.reject(new Error("no")) : Promise.resolve(n)));
  assert.deepEqual(await Promise.all([call(1), call(2)]), [undefined, 2]);
});
