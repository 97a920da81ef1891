import assert from "node:assert/strict";
import { test } from "node:test";
import type { Diagnostic } from "../src/gen/api";
import { sort } from "../src/run/held";

const at = (line: number, headline: string) => ({ code: "undefined-name", line, headline }) as Diagnostic;

test("a new problem waits on the line that is typed, and nowhere else", () => {
  const [here, there] = [at(3, "tl.sto is not defined"), at(7, "x is not defined")];
  assert.deepEqual(sort([here, there], [], 3), { shown: [there], held: [here] });
  assert.deepEqual(sort([here, there], [], undefined), { shown: [here, there], held: [] });
});

test("a problem that was shown stays while its line is typed, wherever it has moved", () => {
  const problem = at(4, "x is not defined");
  assert.deepEqual(sort([problem], [at(3, "x is not defined")], 4), { shown: [problem], held: [] });
});
