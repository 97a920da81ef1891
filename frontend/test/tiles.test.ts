import assert from "node:assert/strict";
import { test } from "node:test";
import type { Access, Inspected, Operation, Tensor } from "../src/memory/inspected";
import { heldOf } from "../src/memory/iteration";
import { placingOf } from "../src/memory/place";
import { axesOf, edgesOf, gutterOf, type Tick } from "../src/memory/ticks";

/** tensorOf is a tensor whose elements have a cell each, and are written by programs, or not. */
function tensorOf(shape: number[], written: (element: number) => number = () => -1): Tensor {
  const count = shape.reduce((all, size) => all * size, 1);
  const columns = shape.at(-1) ?? 1;
  const programs = (of: (element: number) => number) => Int32Array.from({ length: count }, (_, element) => of(element));
  return {
    name: "x", dtype: "float32", shape, rows: count / columns, columns, covers: [1, 1], wrap: columns, extent: count,
    before: new Float64Array(count), after: new Float64Array(count), readers: programs(() => -1), writers: programs(written),
  };
}

const programs = [2, 1, 1];

function launchOf(tensors: Tensor[], steps: Operation[], program = 0): Inspected {
  const test = { number: 0, of: 0 };
  return { kernel: "k", test, grid: programs, program: [program, 0, 0], args: [], loops: [], from: 0, total: steps.length, tensors, steps };
}

/** accessing is a step that accesses elements of a tensor, in an iteration of a loop or outside. */
function accessing(tensor: number, kind: string, elements: number[], iteration?: number): Operation {
  const access: Access = { tensor, kind, elements: Int32Array.from(elements), mask: undefined, masked: 0, outside: 0, sentence: "" };
  const inside = iteration === undefined ? {} : { loops: [0], iterations: [iteration] };
  return { from: 0, to: 1, line: 1, op: `tl.${kind}`, values: undefined, access, ...inside };
}

const plain = (iteration?: number): Operation => {
  const { access: _, ...step } = accessing(0, "load", [], iteration);
  return step;
};

/** tile are elements of a matrix of so many columns, row by row. */
function tile([top, rows]: [number, number], [left, columns]: [number, number], across: number): number[] {
  return Array.from({ length: rows * columns }, (_, lane) => (top + Math.floor(lane / columns)) * across + left + (lane % columns));
}

/** Of the square matrices x, y and z, of two programs each with half of z's rows, or one with all. */
const side = 4;

type Block = { tensor: number; elements: number[]; transposed?: boolean };

/** multiplied is a program that loads two blocks, which tl.dot takes as they are or transposed, and stores a third. */
function multiplied(rows: number, blocks: [left: Block, right: Block], stored: number[], value = (tensor: number, element: number) => 100 * tensor + element): Inspected {
  const loads = blocks.map(({ tensor, elements }): Operation => (
    { ...accessing(tensor, "load", elements), values: Float64Array.from(elements, (element) => value(tensor, element)) }
  ));
  const values = blocks.map(({ transposed }, i) => {
    const [down, across] = i === 0 ? [rows, side] : [side, side];
    const of = loads[i]?.values ?? new Float64Array();
    return { name: "", type: `float32[${down}, ${across}]`, values: transposed ? of.map((_, lane) => of[(lane % across) * down + Math.floor(lane / across)] ?? 0) : of };
  });
  const dot: Operation = { ...plain(), op: "tl.dot", type: `float32[${rows}, ${side}]`, inputs: { axis: -1, values } };
  const z = tensorOf([side, side], (element) => Math.floor(element / side / rows));
  return launchOf([tensorOf([side, side]), tensorOf([side, side]), z], [...loads, dot, accessing(2, "store", stored)]);
}

function productOf(launch: Inspected): Record<"left" | "right" | "result", number> | undefined {
  const { kind, parts = [] } = placingOf(launch) ?? {};
  return kind === "product" ? { left: parts.indexOf("left"), right: parts.indexOf("right"), result: parts.indexOf("result") } : undefined;
}

const whole = tile([0, side], [0, side], side);
const upper = tile([0, 2], [0, side], side);
const turned = whole.map((_, lane) => (lane % side) * side + Math.floor(lane / side));

test("a product is three matrices that fit, the third written, in a program with tl.dot", () => {
  const product = (op: string, ...tensors: Tensor[]) => productOf(launchOf(tensors, [{ ...plain(), op }]));
  const [x, y, z] = [tensorOf([4, 8, 6]), tensorOf([4, 6, 5]), tensorOf([4, 8, 5], () => 3)];
  assert.deepEqual(product("tl.dot", x, y, z), { left: 0, right: 1, result: 2 });
  assert.deepEqual(product("tl.dot", z, tensorOf([9]), y, x), { left: 3, right: 2, result: 0 });
  assert.equal(product("tl.load", x, y, z), undefined);
  assert.equal(product("tl.dot", x, y, tensorOf([4, 8, 5])), undefined); // not written
  assert.equal(product("tl.dot", x, tensorOf([3, 6, 5]), z), undefined); // other batches
  assert.equal(product("tl.dot", tensorOf([8]), y, z), undefined);
  assert.equal(product("tl.dot", tensorOf([8, 6]), tensorOf([5, 6]), tensorOf([8, 5], () => 0)), undefined); // x @ y.T
});

test("of square matrices, what the program accesses decides which is left, and a transposed one has no picture", () => {
  const [x, y] = [{ tensor: 0, elements: whole }, { tensor: 1, elements: whole }];
  const xy = { left: 0, right: 1, result: 2 }, yx = { left: 1, right: 0, result: 2 };
  const of = (...given: Parameters<typeof multiplied>) => productOf(multiplied(...given));
  assert.deepEqual([of(side, [x, y], whole), of(side, [y, x], whole)], [xy, yx]);
  assert.deepEqual([of(2, [{ ...x, elements: upper }, y], upper), of(2, [{ ...y, elements: upper }, x], upper)], [xy, yx]);
  const apart: [string, Inspected][] = [
    ["x @ y.T by tl.trans", multiplied(side, [x, { ...y, transposed: true }], whole)],
    ["x.T @ y by tl.trans", multiplied(side, [{ ...x, transposed: true }, y], whole)],
    ["x @ y.T by strides", multiplied(side, [x, { ...y, elements: turned }], whole)],
    ["x.T @ y by strides, of half of the columns", multiplied(2, [{ tensor: 0, elements: upper.map((_, lane) => (lane % side) * side + Math.floor(lane / side)) }, y], upper)],
    ["(x @ y).T", multiplied(side, [x, y], turned)],
    ["x and y have the same values", multiplied(side, [x, y], whole, (_, element) => element)],
    ["y is symmetric", multiplied(side, [x, y], whole, (tensor, element) => (tensor ? 1 : element))],
  ];
  assert.deepEqual(apart.map(([what, inspected]) => [what, productOf(inspected)]), apart.map(([what]) => [what, undefined]));
});

/** windowed is a filter of 2 x 2 that slides over an image of 3 x 4, in as many iterations as it has elements. */
function windowed(down = (row: number) => row, shape = [3, 4]): Inspected {
  const [height = 1, width = 1] = shape.slice(-2);
  const steps = lanes(height * width).flatMap((at) => {
    const [row, column] = [Math.floor(at / width), at % width];
    const elements = [0, 1].flatMap((a) => [0, 1].flatMap((b) => (row + a < height && column + b < width ? (down(row) + a) * width + column + b : [])));
    return [accessing(0, "load", elements, at), accessing(2, "store", [at], at)];
  });
  return launchOf([tensorOf([3, 4]), tensorOf([2, 2]), tensorOf([3, 4], () => 0)], [accessing(1, "load", [0, 1, 2, 3]), ...steps]);
}

test("a window is where the filter and the element of the result put it, in every iteration", () => {
  assert.deepEqual(placingOf(windowed()), { kind: "window", parts: ["source", "filter", "result"] });
  const { tensors: [x, k, z], steps } = windowed() as Inspected & { tensors: [Tensor, Tensor, Tensor] };
  const taps = steps.flatMap((step) => (step.access?.tensor !== 0 ? step : [...step.access.elements].map((element) => ({ ...step, access: { ...step.access as Access, elements: Int32Array.of(element) } }))));
  assert.equal(placingOf(launchOf([x, k, z], taps))?.kind, "window");
  const apart: [string, Inspected][] = [
    ["upside down", windowed((row) => 2 - row)],
    ["a filter of which a row is read", launchOf([x, k, z], [accessing(1, "load", [0, 1]), ...steps.slice(1)])],
    ["a factor", launchOf([x, tensorOf([1, 1]), z], [accessing(1, "load", [0]), accessing(0, "load", lanes(12)), accessing(2, "store", lanes(12))])],
    ["a row for all", launchOf([x, tensorOf([1, 4]), z], [[0, 12], [1, 4], [2, 12]].map(([tensor = 0, count = 0]) => accessing(tensor, tensor < 2 ? "load" : "store", lanes(count))))],
    ["x + y", launchOf([x, tensorOf([3, 4]), z], [0, 1, 2].map((tensor) => accessing(tensor, tensor < 2 ? "load" : "store", lanes(12))))],
  ];
  assert.deepEqual(apart.map(([what, inspected]) => [what, placingOf(inspected)]), apart.map(([what]) => [what, undefined]));
});

/** scored is a program with 2 of 4 queries, in a loop over blocks of 3 of 6 keys and values. */
function scored(over: readonly number[], block = "float32[2, 3]"): Inspected {
  const steps = [0, 1].flatMap((at) => [
    ...over.map((tensor) => accessing(tensor, "load", lanes(3).map((lane) => 3 * at + lane), at)), { ...plain(at), type: block, values: new Float64Array(6) },
  ]);
  const tensors = [4, 6, 6, 4].map((size, index) => tensorOf([size], (element) => (index === 3 ? Math.floor(element / 2) : -1)));
  return launchOf(tensors, [accessing(0, "load", [0, 1]), ...steps, accessing(3, "store", [0, 1])]);
}

test("scores are of each element of one vector and all of others, which one step has as a block", () => {
  assert.deepEqual(placingOf(scored([1, 2])), { kind: "scores", parts: ["query", "key", "value", "result"] });
  assert.deepEqual(placingOf(scored([2, 1])), { kind: "scores", parts: ["query", "key", "value", "result"] });
  const { tensors, steps } = scored([1]);
  assert.deepEqual(placingOf(launchOf(tensors.filter((_, index) => index !== 2), steps.flatMap(({ access, ...step }) => (
    access ? { ...step, access: { ...access, tensor: Math.min(2, access.tensor) } } : step)))), { kind: "scores", parts: ["query", "key", "result"] });
  assert.equal(placingOf(scored([1, 2], "float32[6]")), undefined);
  const ahead = scored([1, 2]).steps.map((step) => (step.access?.tensor === 2 ? { ...step, access: { ...step.access, elements: step.access.elements.map((e) => 5 - e) } } : step));
  assert.equal(placingOf(launchOf(scored([]).tensors, ahead)), undefined); // v from the end
});

/** A loop of two iterations over tiles of x, after a load of k and before a store to z. */
const looped = [
  accessing(1, "load", [0, 1]), plain(0), accessing(0, "load", tile([0, 2], [0, 3], 6), 0), plain(1), accessing(0, "load", tile([0, 2], [3, 3], 6), 1),
  accessing(2, "store", [0]),
];

test("a tile is what the step's iteration accesses, or what is accessed outside of the loop, ahead until it is", () => {
  const tensors = [tensorOf([4, 6]), tensorOf([8]), tensorOf([1], () => 0)];
  const held = (tensor: number, at: number) => heldOf({ steps: looped }, tensors[tensor] as Tensor, tensor, at);
  const areas = (tensor: number, at: number) => held(tensor, at)?.cells;
  assert.deepEqual([areas(0, 2), areas(0, 3)], [[{ row: 0, column: 0, rows: 2, columns: 3 }], [{ row: 0, column: 3, rows: 2, columns: 3 }]]);
  assert.deepEqual([1, 2, 3, 4].map((at) => held(0, at)?.ahead), [true, false, true, false]);
  assert.deepEqual([held(1, 1)?.ahead, areas(1, 1), held(2, 4)?.ahead], [false, [{ row: 0, column: 0, rows: 1, columns: 2 }], true]);
  assert.deepEqual([held(0, 0), held(0, 5)], [undefined, undefined]); // outside of the loop
  assert.deepEqual(held(0, 4)?.boxes, [{ from: [0, 3], to: [2, 6] }]);
});

test("tiles of two matrices are apart, and what is scattered is no tile", () => {
  const inner = (shape: number[], elements: number[]) => heldOf({ steps: [accessing(0, "load", elements, 0)] }, tensorOf(shape), 0, 0)?.cells;
  assert.deepEqual(inner([2, 2, 2], lanes(8)), [{ row: 0, column: 0, rows: 2, columns: 2 }, { row: 2, column: 0, rows: 2, columns: 2 }]);
  assert.equal(inner([100], lanes(40).map((lane) => 2 * lane)), undefined);
  assert.equal(inner([4], [-1, 9]), undefined);
});

const lanes = (count: number) => Array.from({ length: count }, (_, lane) => lane);
const texts = (ticks: readonly Tick[]) => ticks.map(({ text }) => text);

test("the axes of a matrix have the edges of tiles and the ends, each batch its own", () => {
  const x = tensorOf([2, 4, 6], (element) => Math.floor((element % 6) / 3));
  const edges = edgesOf(launchOf([x], [accessing(0, "store", [0, 1, 2, 6, 7, 8])]), 0);
  assert.deepEqual(edges, [[1], [2], [3]]);
  const axes = axesOf(x, { width: 20, height: 20, rows: 4 }, edges);
  assert.deepEqual([texts(axes.over), texts(axes.left)], [["0", "3", "6"], ["0", "2", "4", "0", "2", "4"]]);
  assert.deepEqual(axes.over.map(({ edge }) => edge), [0, 60, 120]);
  assert.deepEqual(axes.left.map(({ edge }) => edge), [0, 40, 80, 100, 140, 180]); // a row is between matrices
});

test("ticks do not overlap: those that are needed come first, and of the others every so many", () => {
  const x = tensorOf([1, 64]);
  const edges = [[], lanes(64).slice(1)];
  const over = (needed: number[][] = []) => axesOf(x, { width: 4, height: 14 }, edges, needed).over;
  const ticks = over([[], [7, 9]]);
  assert.ok(texts(ticks).includes("7") && !texts(ticks).includes("8"));
  assert.deepEqual(texts(over()), ["0", "9", "17", "25", "33", "41", "49", "57", "64"]);
  assert.ok(ticks.every(({ at, text }, i) => i === 0 || at - (ticks[i - 1]?.at ?? 0) >= (6.7 * (text.length + (ticks[i - 1]?.text.length ?? 0))) / 2 + 4));
});

test("a vector in several rows has the first element of each, a scalar nothing", () => {
  const x = { ...tensorOf([96]), wrap: 32 };
  const size = { width: 10, height: 14 };
  assert.deepEqual([texts(axesOf(x, size, [[]]).left), axesOf(x, size, [[]]).over], [["0", "32", "64"], []]);
  assert.deepEqual(texts(axesOf(tensorOf([32]), size, [[16]]).over), ["0", "16", "32"]);
  assert.deepEqual(axesOf(tensorOf([]), size, []), { over: [], left: [] });
  assert.deepEqual([gutterOf([tensorOf([32])]), gutterOf([tensorOf([]), x])], [0, 22]);
});
