import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOfCode } from "../src/lib/line-of-code";

test("a breakpoint on a comment or an empty line is one on the next line with code", () => {
  const text = "# a\n\n    # b\n    x = 1\n# c";
  assert.deepEqual([1, 2, 3, 4, 5].map((line) => lineOfCode(text, line)), [4, 4, 4, 4, 5]);
});
