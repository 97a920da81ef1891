import assert from "node:assert/strict";
import { test } from "node:test";
import { proposeGrid } from "../src/free/propose-grid";
import type { FreeArg, Kernel } from "../src/gen/api";

const arg = (kind: string) => (name: string): FreeArg => ({ name, kind });
const kernel = (ints: string[], constexprs: string[]): Kernel => ({ name: "k", args: [...ints.map(arg("int")), ...constexprs.map(arg("constexpr"))] });
const body = (...axes: number[]) => `@triton.jit\ndef k():\n${axes.map((a) => `    p${a} = tl.program_id(axis=${a})\n`).join("")}\n@triton.jit\ndef other():\n    tl.program_id(2)\n`;

const cases: [string, string, Kernel, string][] = [
  ["one axis", body(0), kernel(["n"], ["BLOCK"]), "triton.cdiv(n, BLOCK)"],
  ["sizes and blocks of one name", body(0, 1), kernel(["K", "M", "N"], ["BLOCK_M", "BLOCK_N"]), "(triton.cdiv(M, BLOCK_M), triton.cdiv(N, BLOCK_N))"],
  ["the puzzles' names", body(0, 1), kernel(["N0", "N1"], ["B0", "B1"]), "(triton.cdiv(N0, B0), triton.cdiv(N1, B1))"],
  ["an axis without a block", body(0, 1), kernel(["n", "m"], ["BLOCK_SIZE"]), "(triton.cdiv(n, BLOCK_SIZE), 1)"],
  ["a stride is no size", body(0), kernel(["stride_x", "n"], ["BLOCK"]), "triton.cdiv(n, BLOCK)"],
  ["no block", body(0), kernel(["n"], ["ACTIVATION"]), "1"],
  ["no program id", body(), kernel([], []), "1"],
];

for (const [name, source, k, want] of cases) {
  test(`the grid proposed for ${name}`, () => assert.equal(proposeGrid(source, k), want));
}
