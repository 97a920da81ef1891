import assert from "node:assert/strict";
import { test } from "node:test";
import type { Case, Diagnostic } from "../src/gen/api";
import { en } from "../src/i18n/en";
import { outcomeText } from "../src/result/outcome-text";
import type { Result } from "../src/run/result";

test("a verdict gives the reason of the first test that fails, not of another one", () => {
  const failing = { name: "small", sizes: "", seed: 0, pass: false, detail: { message: "3 elements are wrong" } } as Partial<Case>;
  const error = { severity: "error", line: 12, headline: "shapes differ" } as Partial<Diagnostic>;
  const text = (diagnostic: Partial<Diagnostic>) => outcomeText({
    verdict: { message: "Not yet.", tests: 2, classic: { cases: [failing] }, strict: { cases: [failing] } },
    diagnostics: [diagnostic],
  } as unknown as Result, en);
  assert.equal(text({ ...error, test: 2 }), "Not yet. Test 1 of 2: small: 3 elements are wrong");
  for (const own of [error, { ...error, test: 1 }]) assert.equal(text(own), "Not yet. Line 12: shapes differ");
});
