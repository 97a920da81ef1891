import assert from "node:assert/strict";
import { test } from "node:test";
import { placingOf } from "../src/lib/layout";
import { ptxWords, sassWords } from "../src/lib/ptx-words";

const line = { text: "x", from: 0, to: 1, line: 1 };
const powers = (from: number, n: number) => Array.from({ length: n }, (_, i) => from * 2 ** i);

test("a layout is told by who keeps the elements of its corner", () => {
  // 32 × 64 elements: four in a row in a thread, 16 lanes across and 2 down, 4 warps below each other, 4 times.
  const tile = { name: "x", type: "f32[32, 64]", shape: [32, 64], reg: [1, 2, 512, 1024], lane: powers(4, 5), warp: [128, 256], line };
  const { parts, ...rest } = placingOf(tile);
  assert.deepEqual(rest, { run: 4, columns: 16, whole: false, threads: 128, warps: 4, each: 16, copies: 1 });
  assert.deepEqual(parts[17], { from: 68, lane: 17, warp: 0, reg: 0 });
  assert.deepEqual(parts[16 * 8], { from: 512, lane: 0, warp: 0, reg: 4 });
});

test("copies are counted, and vectors are wrapped", () => {
  const tile = { name: "i", type: "i32[32]", shape: [32], reg: [], lane: powers(1, 5), warp: [0, 0], line };
  const { parts, ...rest } = placingOf(tile);
  assert.deepEqual(rest, { run: 1, columns: 16, whole: true, threads: 128, warps: 4, each: 1, copies: 4 });
  assert.deepEqual(parts.map((p) => p.lane), Array.from({ length: 32 }, (_, i) => i));
});

test("PTX is split into words that make up the line", () => {
  const kinds = (text: string) => ptxWords(text).flatMap((w) => (w.kind ? [`${w.kind} ${w.text.trim()}`] : []));
  assert.deepEqual(kinds("\t@!%p1 ld.global.v4.u32 {%r1, %r2}, [%rd3+16]; // x"), ["opcode @!%p1 ld.global.v4.u32", "number 16", "comment // x"]);
  assert.deepEqual(kinds(".reg .b32 %r<12>;"), ["directive .reg", "number 12"]);
  assert.deepEqual(kinds("$L__BB0_2:"), ["label $L__BB0_2:"]);
  assert.deepEqual(kinds("\tmov.b32 %f1, 0f3F800000;"), ["opcode mov.b32", "number 0f3F800000"]);
  for (const text of ["", "}", "\tret;", "  .param .u64 p_0,"]) assert.equal(ptxWords(text).map((w) => w.text).join(""), text);
});

test("the words of a line of SASS", () => {
  const kinds = (text: string) => sassWords(text).flatMap((w) => (w.kind ? [`${w.kind} ${w.text.trim()}`] : []));
  assert.deepEqual(kinds("    /*0110*/  @!P0 LOP3.LUT R5, R2, 0x1f, RZ, 0xc0, !PT ;"), ["opcode @!P0 LOP3.LUT", "number 0x1f", "number 0xc0"]);
  assert.deepEqual(kinds(".L_x_1:"), ["label .L_x_1:"]);
  for (const text of ["", "k:", "    /*0000*/  EXIT ;", "    /*0020*/  FADD R0, R1, -1.5 ;"]) assert.equal(sassWords(text).map((w) => w.text).join(""), text);
});
