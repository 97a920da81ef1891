import assert from "node:assert/strict";
import { test } from "node:test";
import { after, labelOf, neighboursOf } from "../src/content/path";

const list = [6, 601, 7, 701, 702, 8].map((number) => ({ number }));

test("a number's label is a letter after the puzzle before it, as puzzles.Label has it", () => {
  const labels = Object.entries({ 1: "1", 12: "12", 100: "100", 101: "1a", 601: "6a", 626: "6z", 627: "627", 700: "700", 1002: "10b", 1101: "11a", 2000: "2000", 2001: "F1", 2012: "F12", 2100: "2100", 2101: "2101" });
  for (const [number, label] of labels) assert.equal(labelOf(Number(number)), label);
});

test("after a puzzle comes the next one, and first, if one likes, the warm-ups between them", () => {
  const following = (number: number) => {
    const { next, warmUps } = after(list, number);
    return [next?.number, warmUps.map((p) => p.number)];
  };
  assert.deepEqual(following(6), [7, [601]]);
  assert.deepEqual(following(601), [7, []]);
  assert.deepEqual(following(7), [8, [701, 702]]);
  assert.deepEqual(following(701), [8, [702]]);
  assert.deepEqual(following(8), [undefined, []]);
  assert.deepEqual(following(9), [undefined, []]);
});

test("puzzles of the second course follow each other, and are no warm-ups", () => {
  const course = [2001, 2002, 2003].map((number) => ({ number }));
  assert.deepEqual(after(course, 2001), { next: { number: 2002 }, warmUps: [] });
  assert.deepEqual(neighboursOf(course, 2002), { previous: { number: 2001 }, next: { number: 2003 } });
});

test("the arrows pass over warm-ups, and lead out of one both ways", () => {
  const around = (number: number) => Object.values(neighboursOf(list, number)).map((p) => p?.number);
  assert.deepEqual(around(6), [undefined, 7]);
  assert.deepEqual(around(7), [6, 8]);
  assert.deepEqual(around(601), [6, 7]);
  assert.deepEqual(around(702), [701, 8]);
  assert.deepEqual(around(5), []);
});
