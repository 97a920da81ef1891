import { type Access, elementAt, type Inspected, numberOf, type Operation, type Tensor } from "./inspected";
import { accessesOf, type Box, boxOf } from "./touched";
import { shapeOf } from "./values";

/** Part is what a tensor is in a formula. */
export type Part = "left" | "right" | "source" | "filter" | "query" | "key" | "value" | "result";

/** Placing is how the pictures of tensors are placed: as the parts of a formula. */
export interface Placing {
  kind: "product" | "window" | "scores";
  parts: readonly (Part | undefined)[]; // of each tensor
}

type Launch = Pick<Inspected, "tensors" | "steps" | "program" | "grid">;

/** Indices are those of the last axes of a formula's parts, the result last. */
type Indices = readonly (readonly [Part, string])[];

/**
 * Formula is what a kernel may compute. Axes of one index are as long, and a program touches the same range of each in every
 * iteration; of an axis h+a it touches the ranges of h and a, added.
 */
interface Formula {
  kind: Placing["kind"];
  indices: Indices;
  others?: readonly Indices[]; // of what has no placing, and may be taken for the formula
  isMade: (launch: Facts, reading: Reading) => boolean;
  isTaken?: (launch: Facts, reading: Reading) => boolean; // decides what ranges leave open
}

/** Reading takes a tensor for each part of a formula. */
interface Reading {
  indices: Indices;
  tensors: readonly number[]; // of the parts
}

/** Facts are a launch with what its program touches. */
interface Facts extends Launch {
  written: readonly boolean[];
  boxes: readonly ReadonlyMap<string, Box>[]; // of each tensor, by iteration
}

const product: Indices = [["left", "j l"], ["right", "l k"], ["result", "j k"]];

const formulas: readonly Formula[] = [
  {
    kind: "product",
    indices: product,
    others: [
      [["left", "l j"], ["right", "l k"], ["result", "j k"]],
      [["left", "j l"], ["right", "k l"], ["result", "j k"]],
      [["left", "l j"], ["right", "k l"], ["result", "j k"]],
    ],
    isMade: ({ steps }) => steps.some(isDot),
    isTaken: isMultiplied,
  },
  {
    kind: "window",
    indices: [["source", "h+a w+b"], ["filter", "a b"], ["result", "h w"]],
    isMade: (launch, reading) => isTouched(launch, reading) && isFilter(launch, reading),
  },
  { kind: "scores", indices: [["query", "i"], ["key", "j"], ["value", "j"], ["result", "i"]], isMade: hasScores },
  { kind: "scores", indices: [["query", "i"], ["key", "j"], ["result", "i"]], isMade: hasScores },
];

/**
 * placingOf is how the tensors of a launch are placed: as in the formula that a program computes, by what it touches. There is
 * none where that leaves a choice.
 */
export function placingOf({ tensors, steps, program, grid }: Launch): Placing | undefined {
  const written = tensors.map(({ writers }) => writers.some((writer) => writer !== -1));
  const boxes = tensors.map((_, index) => boxesOf({ tensors, steps, program, grid }, index, written[index] === true));
  const launch: Facts = { tensors, steps, program, grid, written, boxes };
  for (const { kind, indices, others = [], isMade, isTaken = () => true } of formulas) {
    const made = [indices, ...others].flatMap((of) => readingsOf(launch, of)).filter((reading) => isMade(launch, reading));
    const [only, ...more] = [isTouched, isTaken].reduce((left, fits) => (left.length > 1 ? left.filter((of) => fits(launch, of)) : left), made);
    if (only?.indices === indices && !more.length) return { kind, parts: tensors.map((_, tensor) => indices[only.tensors.indexOf(tensor)]?.[0]) };
  }
  return undefined;
}

/** readingsOf are those that the tensors' shapes allow. Parts with the same indices are in the order of the tensors. */
function readingsOf({ tensors, written }: Facts, indices: Indices): Reading[] {
  const extended = (chosen: readonly number[]): Reading[] => {
    const now = indices[chosen.length];
    if (!now) return fitsShapes(chosen.map((of) => tensors[of]?.shape ?? []), indices) ? [{ indices, tensors: chosen }] : [];
    const [part, axes] = now;
    const after = indices.findLastIndex(([, other], i) => i < chosen.length && other === axes && part !== "result");
    const isOpen = (of: number) => !chosen.includes(of) && written[of] === (part === "result") && of >= (chosen[after] ?? 0);
    return tensors.flatMap((_, of) => (isOpen(of) ? extended([...chosen, of]) : []));
  };
  return extended([]);
}

/** fitsShapes tells whether the axes of one index are as long, and those before the last are of matrices: none, or those of the result. */
function fitsShapes(shapes: readonly (readonly number[])[], indices: Indices): boolean {
  const ranks = indices.map(([, axes]) => axes.split(" ").length);
  const leading = shapes.map((shape, i) => shape.slice(0, -(ranks[i] ?? 0)).join());
  const isBatch = (of: string, i: number) => !of || ranks[i] === 2 && of === leading.at(-1);
  return shapes.every((shape, i) => shape.length >= (ranks[i] ?? 0)) && leading.every(isBatch)
    && fits(indices, (part, axis) => shapes[part]?.at(axis), (one, other) => one === other, (sum, [of = 0, by = 0]) => sum === of || sum === of + by - 1);
}

/** heldBy are the boxes of a reading's tensors in every iteration. */
function heldBy({ boxes }: Facts, { tensors }: Reading): (Box | undefined)[][] {
  const moments = new Set(tensors.flatMap((tensor) => [...(boxes[tensor]?.keys() ?? [])]));
  return [...moments].map((moment) => tensors.map((tensor) => heldIn(boxes[tensor], moment)));
}

/** isTouched tells whether the program touches in every iteration what the indices say. */
function isTouched(launch: Facts, reading: Reading): boolean {
  return heldBy(launch, reading).every((held) => fits<Range>(reading.indices, (part, axis) => {
    const box = held[part];
    return box && [box.from.at(axis) ?? 0, box.to.at(axis) ?? 0, launch.tensors[reading.tensors[part] ?? 0]?.shape.at(axis) ?? 0];
  }, ([from, to], other) => from === other[0] && to === other[1], ([from, to, size], of) =>
    from === of.reduce((sum, [low]) => sum + low, 0) && to === Math.min(size, endOf(of.map(([, high]) => high)))));
}

/** endOf is the end of a sum of ranges, by their ends. */
function endOf(ends: readonly number[]): number {
  return ends.reduce((sum, end) => sum + end - 1, 1);
}

/** Range is from an element of an axis up to one past the last, with the length of the axis. */
type Range = readonly [from: number, to: number, size: number];

/** fits tells whether what is known of the axes of one index is alike, and of one of several as their sum. */
function fits<T>(
  indices: Indices, known: (part: number, axis: number) => T | undefined, isAlike: (one: T, other: T) => boolean, isSum: (sum: T, of: T[]) => boolean,
): boolean {
  const axes = indices.flatMap(([, text], part) => text.split(" ").map((index, i, all) => ({ letters: index.split("+"), is: known(part, i - all.length) })));
  const of = (letter: string) => axes.find(({ letters: [only, more], is }) => only === letter && more === undefined && is !== undefined)?.is;
  return axes.every(({ letters, is }) => {
    const others = letters.map(of).filter((other) => other !== undefined);
    if (is === undefined || others.length < letters.length) return true;
    return letters.length > 1 ? isSum(is, others) : others.every((other) => isAlike(is, other));
  });
}

/** momentOf names the iterations that a step is in, to a depth. */
function momentOf({ loops = [], iterations = [] }: Operation, depth = loops.length): string {
  return loops.slice(0, depth).map((loop, i) => `${loop}:${iterations[i]} `).join("");
}

/** heldIn is the box of an iteration, or else of the one around it. */
function heldIn(boxes: ReadonlyMap<string, Box> | undefined, moment: string): Box | undefined {
  const found = boxes?.get(moment);
  return found || !moment ? found : heldIn(boxes, moment.slice(0, moment.lastIndexOf(" ", moment.length - 2) + 1));
}

/** boxesOf are what the program writes of a tensor, or reads if nobody writes it, by iteration. Where no step does, the cells tell. */
function boxesOf({ tensors, steps, program, grid }: Launch, index: number, isWritten: boolean): Map<string, Box> {
  const { shape, readers, writers, covers, ...tensor } = tensors[index] as Tensor;
  const found = new Map<string, number[]>();
  const count = shape.reduce((all, size) => all * size, 1);
  for (const step of steps) {
    const { access } = step;
    if (access?.tensor !== index || isWritten === (access.kind === "load")) continue;
    const moment = momentOf(step);
    const elements = found.get(moment) ?? [];
    found.set(moment, elements);
    access.elements.forEach((element, lane) => element >= 0 && element < count && (!access.mask || access.mask[lane]) && elements.push(element));
  }
  if (!found.size && covers.every((elements) => elements === 1)) {
    const owners = isWritten ? writers : readers, own = numberOf(program, grid);
    const cells = [...owners.keys()].filter((cell) => owners[cell] === own || owners[cell] === -2);
    found.set("", cells.map((cell) => elementAt({ ...tensor, shape, covers }, cell)));
  }
  return new Map([...found].flatMap(([moment, elements]) => {
    const box = boxOf(elements, shape);
    return box ? [[moment, box]] : [];
  }));
}

/** isFilter tells whether the program reads all of a filter of more than one element, and not only windows that end past the source. */
function isFilter(launch: Facts, reading: Reading): boolean {
  const [source = [], shape = []] = reading.tensors.map((of) => launch.tensors[of]?.shape);
  const all = heldBy(launch, reading);
  return shape.some((size) => size > 1) && shape.every((size, i) => {
    const axis = i - shape.length;
    const ends = all.map((held) => held.map((box) => box?.to.at(axis) ?? Infinity));
    return all.some(([, filter]) => filter?.from.at(axis) === 0) && ends.some(([, filter]) => filter === size)
      && (size === 1 || ends.some(([, filter = 0, result = 0]) => endOf([filter, result]) <= (source.at(axis) ?? 0)));
  });
}

function hasScores(launch: Facts, reading: Reading): boolean {
  return isTouched(launch, reading) && scoresIn(launch, reading.tensors) !== undefined;
}

/** scoresIn is the first step that gives a value for each element of a block of one tensor with each of another's. */
export function scoresIn({ steps }: Pick<Launch, "steps">, [query, key]: readonly number[]): Operation | undefined {
  const [rows = 0, columns = 0] = [query, key].map((of) => steps.find(({ access }) => access?.tensor === of)?.access?.elements.length);
  const isBlock = (sides: readonly number[]) => sides.length === 2 && sides[0] === rows && sides[1] === columns;
  return steps.find(({ values, type = "" }) => values && isBlock(shapeOf(type).shape));
}

function isDot({ op }: Operation): boolean {
  return op === "tl.dot";
}

/** isMultiplied tells whether tl.dot takes of the factors what the program has loaded last, row by row, and its result is stored so. */
function isMultiplied({ steps, tensors }: Facts, { indices, tensors: of }: Reading): boolean {
  const dot = steps.findIndex(isDot);
  const { inputs, type = "" } = steps[dot] ?? {};
  const takes = (factor: number) => {
    const index = of[factor] ?? 0, tensor = tensors[index], input = inputs?.values[factor];
    const { access, values } = steps.slice(0, dot).findLast((step) => step.access?.tensor === index) ?? {};
    if (!tensor || !input || !access || values?.length !== input.values.length) return false;
    const [rows = 1, columns = 1] = shapeOf(input.type).shape.slice(-2);
    const isTransposed = indices[factor]?.[1] !== product[factor]?.[1];
    const loaded = (lane: number) => lane - (lane % (rows * columns)) + (lane % columns) * rows + Math.floor((lane % (rows * columns)) / columns);
    return isRowMajor(access, tensor, isTransposed ? [columns, rows] : [rows, columns])
      && input.values.every((value, lane) => Object.is(value, values[isTransposed ? loaded(lane) : lane]));
  };
  const result = of[2] ?? 0;
  const stored = accessesOf(steps.slice(dot), result).findLast(({ kind }) => kind !== "load");
  return takes(0) && takes(1) && stored !== undefined && isRowMajor(stored, tensors[result] as Tensor, shapeOf(type).shape);
}

/** isRowMajor tells whether lanes of a block's row are neighbours in memory, and its rows as far apart as those of a tensor. */
function isRowMajor({ elements }: Access, { shape }: Tensor, block: readonly number[]): boolean {
  const [rows = 1, columns = 1] = block.slice(-2);
  const step = (lane: number) => (elements[lane] ?? 0) - (elements[0] ?? 0);
  return elements.length >= rows * columns && (columns < 2 || step(1) === 1) && (rows < 2 || step(columns) === shape.at(-1));
}
