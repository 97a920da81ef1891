import assert from "node:assert/strict";
import { test } from "node:test";
import { concepts } from "../src/basics/concepts";
import { type Course, courseIn, inOrder, phraseIn, waitsIn } from "../src/content/course";
import { after } from "../src/content/path";
import { mapOf, parseMap } from "../src/map/address";
import { byRegion, ideasOf, newts } from "../src/map/regions";
import type { Marks } from "../src/state/progress";

const [twelve, fast] = newts as [Course, Course];

/** week is a course of somebody's own, as its file. */
const week: Course = {
  id: "week1",
  title: { en: "A week", zh: "一周" },
  regions: [{ title: "Blocks", puzzles: [2, 1] }, { title: "Rows", puzzles: [10] }, { title: "Later", puzzles: [11] }],
  after: { 10: [1, 2] },
  ideas: [{ id: "mask", puzzle: 2 }, { id: "tail", puzzle: 1, title: "Tail", text: "What is left.", words: ["tail"] }],
};

const folders = ["01_add", "02_mask", "10_rows"].map((folder) => ({ folder, files: [] }));
const numbered = (...numbers: number[]) => numbers.map((number) => ({ number }));
const solved = (...numbers: number[]) => (number: number) => numbers.includes(number);

test("a folder is a course by its course.json, whose regions give the order", () => {
  const sent = [...folders, { folder: ".", files: [{ name: "course.json", text: JSON.stringify(week) }] }];
  const course = courseIn(sent);
  assert.deepEqual(course, week);
  assert.deepEqual(inOrder(sent, course).map((c) => c.folder), ["02_mask", "01_add", "10_rows"]);
  assert.equal(courseIn(folders), undefined);
  assert.deepEqual(inOrder(folders, undefined), folders);
  assert.deepEqual([phraseIn(week.title, "zh"), phraseIn("A week", "zh")], ["一周", "A week"]);
});

test("the regions of a course have those of its puzzles that are there", () => {
  const list = numbered(1, 2, 3, 4, 5, 6, 601, 7, 701, 702, 8, 801, 9, 10, 1001, 11, 1101, 12);
  assert.deepEqual(byRegion(twelve, list).flatMap(({ puzzles }) => puzzles), list);
  assert.deepEqual(byRegion(twelve, numbered(4)), [{ title: { en: "Rows and columns", zh: "行与列" }, puzzles: numbered(4) }]);
  assert.deepEqual(byRegion(fast, numbered(2012, 1)).map(({ puzzles }) => puzzles), [numbered(2012)]);
  assert.deepEqual(byRegion(week, numbered(1, 2, 10)).map(({ puzzles }) => puzzles), [numbered(2, 1), numbered(10)]);
});

test("an idea is known by its puzzle, and one of newt's by the lesson", () => {
  const known = (of: Course, marks: Marks) => ideasOf(of, marks).filter((i) => i.known).map((i) => i.idea.id);
  assert.deepEqual(known(twelve, {}), []);
  assert.deepEqual(known(twelve, { 1: "solved", 2: "tried" }), ["program", "offset"]);
  assert.deepEqual(known(twelve, { 0: "solved" }), ["program", "offset", "block", "mask", "broadcast", "axes", "reduction"]);
  assert.deepEqual(known(twelve, { 8: "solved" }), ["softmax"]);
  assert.deepEqual(known(week, { 0: "solved" }), ["mask"]);
  assert.deepEqual(known(week, { 1: "solved" }), ["tail"]);
  assert.deepEqual(known(fast, { 0: "solved" }), []);
});

test("newt's own ideas are its concepts, each once", () => {
  assert.deepEqual(ideasOf(twelve, {}).map(({ idea }) => idea.id).sort(), Object.keys(concepts).sort());
});

test("what follows a puzzle is what the next one waits for, if that is not solved", () => {
  const list = numbered(2, 1, 10, 11);
  const next = (from: number, ...done: number[]) => after(list, from, waitsIn(week, solved(...done))).next?.number;
  assert.deepEqual([next(2, 2), next(1, 1, 2), next(10, 1, 2, 10)], [1, 10, 11]);
  assert.equal(next(1, 1), 2, "10 waits for 2, which was left out");
  assert.equal(next(11, 11), undefined);
  assert.equal(after(list, 1, waitsIn(undefined, solved())).next?.number, 10);
});

test("a map's address names its course, and somebody's marks behind it", () => {
  for (const [address, map] of [
    ["#/map", { course: "newt" }], ["#/map/week1", { course: "week1" }],
    ["#/map/1s.2t", { course: "newt", theirs: { 1: "solved", 2: "tried" } }],
    ["#/map/week1/1s.601t", { course: "week1", theirs: { 1: "solved", 601: "tried" } }],
  ] as const) {
    assert.deepEqual(parseMap(address), map);
    assert.equal(mapOf(map.course, "theirs" in map ? map.theirs : undefined), address);
  }
  assert.deepEqual(parseMap("#/map/1s.2t.<b>"), { course: "newt", theirs: { 1: "solved", 2: "tried" } });
  assert.deepEqual(parseMap("#/map/week1/"), { course: "week1" });
  for (const other of ["#/mapped", "#/free", "#/puzzle/1", ""]) assert.equal(parseMap(other), undefined);
});
