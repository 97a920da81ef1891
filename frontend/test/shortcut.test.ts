import assert from "node:assert/strict";
import { test } from "node:test";
import { isPress, type Press, pressOf, spell } from "../src/lib/shortcut";

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const held = (shortcut: string, event: Partial<Press> & { key: string }, mac = false) => isPress({ ...none, ...event }, pressOf(shortcut, mac));

test("a shortcut takes exactly its modifiers", () => {
  assert.ok(held("Mod+Shift+P", { key: "P", ctrlKey: true, shiftKey: true }));
  assert.ok(!held("Mod+Shift+P", { key: "p", ctrlKey: true }));
  assert.ok(!held("Mod+S", { key: "S", ctrlKey: true, shiftKey: true }));
  assert.ok(!held("F9", { key: "F9", altKey: true }));
  assert.ok(!held("F9", { key: "F9", ctrlKey: true }));
  assert.ok(held("Ctrl+Space", { key: " ", ctrlKey: true }));
});

test("Mod is Command on a Mac and Control elsewhere", () => {
  assert.ok(held("Mod+Enter", { key: "Enter", metaKey: true }, true));
  assert.ok(!held("Mod+Enter", { key: "Enter", ctrlKey: true }, true));
  assert.ok(!held("Mod+Enter", { key: "Enter", metaKey: true }));
  assert.deepEqual(["Mod+Shift+Enter", "Ctrl+Space"].map((s) => spell(s, true)), ["⌘⇧↩", "⌃Space"]);
  assert.equal(spell("Mod+Shift+Enter", false), "Ctrl+Shift+Enter");
});

test("a character is taken however the keyboard makes it, and letters in both cases", () => {
  assert.ok(held("?", { key: "?", shiftKey: true }));
  assert.ok(held("?", { key: "?" }));
  assert.ok(!held("?", { key: "?", ctrlKey: true }));
  assert.ok(held("Mod+S", { key: "S", ctrlKey: true })); // Caps Lock
});
