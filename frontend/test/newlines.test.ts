import assert from "node:assert/strict";
import { test } from "node:test";
import { newlines } from "../src/lib/newlines";

test("every end of a line is a newline", () => {
  assert.equal(newlines("a\r\nb\rc\n\r\n\n"), "a\nb\nc\n\n\n");
});
