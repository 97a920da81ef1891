import assert from "node:assert/strict";
import { test } from "node:test";
import { placeNear } from "../src/lib/place";

const room = { left: 0, top: 50, right: 1000, bottom: 650 };
const card = { width: 300, height: 200 };
const box = (left: number, top: number, width: number, height: number) => ({ left, top, right: left + width, bottom: top + height });

test("a card goes to the first side with space for it, within the room", () => {
  assert.deepEqual(placeNear(box(0, 50, 300, 600), card, room), { left: 312, top: 50 }); // right
  assert.deepEqual(placeNear(box(700, 500, 300, 150), card, room), { left: 388, top: 450 }); // left, not below the room
  assert.deepEqual(placeNear(box(100, 10, 850, 30), card, room), { left: 100, top: 52 }); // below
  assert.deepEqual(placeNear(box(0, 500, 1000, 150), card, room), { left: 0, top: 288 }); // above
});

test("where no side has space it goes to the foot or the head, where it covers less", () => {
  const phone = { left: 10, top: 60, right: 380, bottom: 700 };
  const sheet = { width: 370, height: 260 };
  assert.deepEqual(placeNear(box(0, 60, 390, 640), sheet, phone), { left: 10, top: 440 });
  assert.deepEqual(placeNear(box(0, 300, 390, 400), sheet, phone), { left: 10, top: 60 });
  assert.deepEqual(placeNear(undefined, sheet, phone), { left: 10, top: 440 });
});
