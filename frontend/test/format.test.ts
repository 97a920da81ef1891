import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBase64, toBase64 } from "../src/lib/base64";
import { duration, sentences, size, time } from "../src/lib/format";

test("what is rounded up to a thousand or to ten is written in the next unit, or without decimals", () => {
  const durations: [number, string][] = [
    [0, "0.0 ms"], [9.94, "9.9 ms"], [9.97, "10 ms"], [10, "10 ms"], [999.4, "999 ms"], [999.7, "1.00 s"], [61_234, "61.23 s"],
  ];
  for (const [ms, text] of durations) assert.equal(duration(ms), text);
  const times: [number, string][] = [
    [840, "0.84 µs"], [9_994, "9.99 µs"], [9_996, "10.0 µs"], [999_940, "999.9 µs"], [999_960, "1.0 ms"], [2.5e9, "2.50 s"],
  ];
  for (const [ns, text] of times) assert.equal(time(ns), text);
  const sizes: [number, string][] = [
    [0, "0 B"], [999, "999 B"], [1000, "1.0 kB"], [9_960, "10 kB"], [65_536, "66 kB"], [999_600, "1.0 MB"], [48e6, "48 MB"],
    [4e9, "4.0 GB"], [4e12, "4000 GB"],
  ];
  for (const [bytes, text] of sizes) assert.equal(size(bytes), text);
});

test("a refusal is said in sentences with one full stop each", () => {
  assert.equal(sentences(["the runner does not accept this token", "it accepts those of its token file.", undefined, "Ask its administrator."], "en"),
    "The runner does not accept this token. It accepts those of its token file. Ask its administrator.");
  assert.equal(sentences(["运行器不接受这个令牌", "它只接受令牌文件中的令牌。"], "zh"), "运行器不接受这个令牌；它只接受令牌文件中的令牌。");
});

test("bytes are written in base64 and read back", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7919) >> 3);
  assert.equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
});
