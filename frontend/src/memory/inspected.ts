import type { Argument, InspectedTensor, InspectReply, Loop, Site, Step, StepAccess, StepInput } from "../gen/api";
import { shapeOf } from "./values";

/** Access is what an operation does to one tensor, lane by lane. */
export interface Access extends Omit<StepAccess, "elements" | "mask"> {
  elements: Int32Array; // of each lane, row-major; outside of the tensor too
  mask: Uint8Array | undefined; // absent where every lane takes part
}

/** Operation is a step of a program with its value, and what the source says of it. */
export interface Operation extends Site, Omit<Step, "site" | "iteration" | "values" | "access" | "inputs"> {
  loops?: number[]; // around it, outermost first, in Inspected.loops
  iterations?: number[]; // of those
  values: Float64Array | undefined; // of each lane, row by row
  inputs?: { axis: number; values: Input[] }; // of a reduction or a matrix product
  access?: Access;
}

/** Input is a value that a step takes. */
export interface Input extends Omit<StepInput, "values"> {
  values: Float64Array;
}

/** Tensor is a tensor argument in cells, before and after the launch; programs are numbered, -1 is none, -2 several. */
export interface Tensor extends Omit<InspectedTensor, "before" | "after" | "readers" | "writers"> {
  before: Float64Array;
  after: Float64Array;
  readers: Int32Array;
  writers: Int32Array;
  wrap: number; // columns of its picture: a vector is wrapped at the width of the kernel's blocks
  extent: number; // cells of its picture, with those past its end that the program's lanes point at
}

/** Inspected is a launch, with a window of the steps of one of its programs. */
export interface Inspected {
  kernel: string;
  test: { number: number; of: number }; // of a puzzle; of 0 elsewhere
  grid: number[];
  program: number[];
  args: Argument[];
  tensors: Tensor[];
  loops: Loop[]; // that steps are in
  steps: Operation[];
  from: number; // the number of the first of steps
  total: number; // steps of the program
}

/** A vector is wrapped into rows of at most so many cells, and of so many where the kernel's blocks tell nothing. */
const widestRow = 64;
const usualRow = 32;
const narrowestRow = 4;

/** pastEnd is how many rows of cells past a tensor's end are shown at most. */
const pastEnd = 2;

/** Arrays reads the arrays of a reply's buffer, which lie there as wasm/api's InspectReply says. */
class Arrays {
  constructor(private readonly buffer: ArrayBuffer) {}

  floats(at: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.buffer, at + 8, this.bytes(at) / 8);
  }

  integers(at: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.buffer, at + 8, this.bytes(at) / 4);
  }

  flags(at: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.buffer, at + 8, this.bytes(at));
  }

  private bytes(at: number): number {
    return new Uint32Array(this.buffer, at, 1)[0] ?? 0;
  }
}

/** decode reads the arrays of a reply, which has them in its one buffer. */
export function decode(reply: InspectReply, [buffer = new ArrayBuffer(0)]: readonly ArrayBuffer[]): Inspected {
  const arrays = new Arrays(buffer);
  const steps = reply.steps.map((step) => operation(step, reply, arrays));
  const { kernel, grid, program, arguments: args, loops, from, total } = reply;
  const test = { number: reply.case, of: reply.cases };
  const tensors = reply.tensors.map((tensor, i) => decodeTensor(tensor, i, steps, arrays));
  return { kernel, test, grid, program, args, loops, from, total, steps, tensors };
}

function operation({ site, iteration, values, inputs, access, ...step }: Step, { sites, iterations }: InspectReply, arrays: Arrays): Operation {
  const inside = iterations[iteration];
  return {
    ...sites[site] as Site,
    ...step,
    ...(inside && { loops: inside.loops, iterations: inside.numbers }),
    values: values < 0 ? undefined : arrays.floats(values),
    ...(inputs && { inputs: { axis: inputs.axis, values: inputs.values.map((of) => ({ ...of, values: arrays.floats(of.values) })) } }),
    ...(access && { access: decodeAccess(access, arrays) }),
  };
}

function decodeAccess({ elements, mask, ...access }: StepAccess, arrays: Arrays): Access {
  return { ...access, elements: arrays.integers(elements), mask: mask < 0 ? undefined : arrays.flags(mask) };
}

function decodeTensor(
  { before, after, readers, writers, ...tensor }: InspectedTensor, index: number, steps: readonly Operation[], arrays: Arrays,
): Tensor {
  const accesses = steps.flatMap(({ access }) => (access?.tensor === index ? [access] : []));
  const read = {
    ...tensor,
    before: arrays.floats(before),
    after: arrays.floats(after),
    readers: arrays.integers(readers),
    writers: arrays.integers(writers),
  };
  const wrap = tensor.shape.length > 1 ? Math.max(1, tensor.columns) : rowOf(read.before.length, accesses);
  return { ...read, wrap, extent: extentOf(read, accesses, wrap) };
}

/** rowOf is the width that a vector of cells is wrapped at: that of the kernel's blocks, where they are known. */
function rowOf(cells: number, accesses: readonly Access[]): number {
  let row = Math.max(0, ...accesses.map(({ elements }) => elements.length));
  while (row > widestRow) row = Math.ceil(row / 2);
  return Math.max(1, Math.min(cells, row < narrowestRow ? usualRow : row));
}

function extentOf(tensor: Omit<Tensor, "wrap" | "extent">, accesses: readonly Access[], wrap: number): number {
  const end = tensor.before.length;
  let extent = end;
  for (const { elements } of accesses) for (const element of elements) extent = Math.max(extent, cellOf(tensor, element) + 1);
  return Math.min(extent, end + pastEnd * wrap);
}

/** cellOf is the cell that shows an element; elements past the end have cells past the end, those before the start -1. */
export function cellOf({ shape, covers, columns }: Pick<Tensor, "shape" | "covers" | "columns">, element: number): number {
  if (element < 0) return -1;
  const across = shape.at(-1) ?? 1;
  const [rows = 1, cells = 1] = covers;
  if (shape.length < 2) return Math.floor(element / cells);
  return Math.floor(Math.floor(element / across) / rows) * columns + Math.floor((element % across) / cells);
}

/** elementAt is the first element that a cell shows, row-major. */
export function elementAt({ shape, covers, columns }: Pick<Tensor, "shape" | "covers" | "columns">, cell: number): number {
  const [rows = 1, cells = 1] = covers;
  if (shape.length < 2) return cell * cells;
  return Math.floor(cell / columns) * rows * (shape.at(-1) ?? 1) + (cell % columns) * cells;
}

/** Run is some cells of one row of a picture. */
interface Run {
  from: number;
  count: number;
}

/** runsOf gathers the cells that show some elements of a tensor into runs. */
export function runsOf(tensor: Tensor, elements: readonly number[]): Run[] {
  const cells = elements.map((element) => cellOf(tensor, element)).filter((cell) => cell >= 0 && cell < tensor.extent);
  const runs: Run[] = [];
  for (const cell of [...new Set(cells)].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.from + run.count === cell && cell % tensor.wrap !== 0) run.count++;
    else runs.push({ from: cell, count: 1 });
  }
  return runs;
}

/** mark is what the chosen program has done to a cell by a step; a cell can have several, as bits. */
export const mark = { read: 1, written: 2, now: 4, masked: 8, outside: 16 } as const;

/** marksOf gives the marks of each cell of a tensor's picture after step at, counted in steps. */
export function marksOf({ steps, tensors }: Inspected, tensor: number, at: number): Uint8Array {
  const of = tensors[tensor];
  const marks = new Uint8Array(of?.extent ?? 0);
  if (!of) return marks;
  const last = lastAccess(steps, tensor, at);
  for (let i = 0; i <= last; i++) {
    const { access, type = "" } = steps[i] ?? {};
    if (access?.tensor === tensor) addMarks(marks, of, access, { last: i === last, now: i === at, block: shapeOf(type).shape });
  }
  return marks;
}

/** lastAccess is the last step up to at that touches a tensor; -1 where none does. */
export function lastAccess(steps: readonly Operation[], tensor: number, at: number): number {
  return steps.findLastIndex(({ access }, i) => i <= at && access?.tensor === tensor);
}

/** rowLength is the length of a block's rows: of the first lanes whose elements follow each other. */
function rowLength(elements: Int32Array): number {
  const end = elements.findIndex((element, lane) => lane > 0 && element !== (elements[lane - 1] ?? 0) + 1);
  return end < 0 ? elements.length : end;
}

/**
 * leavesOf tells of each lane of a block whether its element is in a later row, or matrix, than the lane's row of the block
 * begins in: past the end of a row come the elements of the next one, and past that of a matrix those of the next matrix.
 */
function leavesOf({ shape }: Tensor, elements: Int32Array, block: readonly number[]): (lane: number) => boolean {
  if (shape.length < 2) return () => false;
  const across = shape.at(-1) ?? 1, down = shape.at(-2) ?? 1;
  const length = rowLength(elements);
  const matrix = block.length > 2 ? block.at(-2) ?? 1 : Infinity; // of the block, in rows
  const rowOf = (lane: number) => Math.floor((elements[lane] ?? 0) / across);
  const further = (rowOf(length) - rowOf(0)) || 1;
  const past = (row: number) => {
    const first = Number.isFinite(matrix) ? row - (row % matrix) : 0;
    const begin = rowOf(first * length) % down + (row - first) * further;
    return begin >= down && rowOf(row * length) - rowOf(first * length) === (row - first) * further;
  };
  return (lane) => past(Math.floor(lane / length)) || rowOf(lane) > rowOf(lane - (lane % length));
}

/** Moment is when an access is made, and with which shape of block, where that is known. */
interface Moment {
  last: boolean; // of those to the tensor so far
  now: boolean;
  block: readonly number[];
}

function addMarks(marks: Uint8Array, of: Tensor, { elements, mask, kind }: Access, when: Moment): void {
  const does = kind === "load" ? mark.read : kind === "store" ? mark.written : mark.read | mark.written;
  const end = of.before.length;
  const leaves = when.last && mask ? leavesOf(of, elements, when.block) : () => false;
  const isFlat = elements.some((_, lane) => mask?.[lane] === 1 && leaves(lane)); // the lanes go on in the next row
  elements.forEach((element, lane) => {
    const cell = cellOf(of, element);
    if (cell < 0 || cell >= marks.length) return;
    const takesPart = mask === undefined || mask[lane] !== 0;
    if (!takesPart && !isFlat && leaves(lane)) return; // not what is left out
    const inside = cell < end ? does : mark.outside;
    const change = takesPart ? inside | (when.now ? mark.now : 0) : when.last ? mark.masked : 0;
    marks[cell] = (marks[cell] ?? 0) | change;
  });
}

const augmented = /^(\+|-|\*\*?|\/\/?|%|&|\||\^|<<|>>|@)=$/;

/** operationText is what a step does, with the name that its value gets. */
export function operationText({ name, op }: Operation): string {
  if (!name) return op;
  if (op === "for") return `for ${name}`;
  return augmented.test(op) ? `${name} ${op}` : `${name} = ${op}`;
}

/** firstProblem is the first of steps at which something is wrong; -1 where nothing is. */
export function firstProblem(steps: readonly Operation[]): number {
  return steps.findIndex(isProblem);
}

/** isProblem tells whether something is wrong at a step. */
export function isProblem({ problem, access }: Operation): boolean {
  return Boolean(problem) || (access?.outside ?? 0) > 0;
}

/** numberOf is a program's number in program order: the last axis runs fastest. */
export function numberOf(program: readonly number[], grid: readonly number[]): number {
  return grid.reduce((number, size, axis) => number * size + (program[axis] ?? 0), 0);
}

/** programAt is the program with a number. */
export function programAt(number: number, grid: readonly number[]): number[] {
  let rest = number;
  return grid.toReversed().map((size) => {
    const at = rest % size;
    rest = Math.floor(rest / size);
    return at;
  }).reverse();
}

/** programCount is how many programs a grid has. */
export function programCount(grid: readonly number[]): number {
  return grid.reduce((count, size) => count * size, 1);
}

/** Band is a run of steps of one iteration of a loop, at a depth counted from 0. */
export interface Band {
  depth: number;
  from: number; // the first of its steps
  to: number; // the step after the last
  iteration: number;
}

/** bandsOf are the iterations that steps belong to. */
export function bandsOf(steps: readonly Operation[]): Band[] {
  const done: Band[] = [];
  let open: Band[] = [];
  steps.forEach(({ iterations = [] }, i) => {
    const same = open.findIndex((band) => iterations[band.depth] !== band.iteration);
    const kept = same < 0 ? open : open.slice(0, same);
    for (const band of kept) band.to = i + 1;
    const begun = iterations.slice(kept.length).map((iteration, j) => ({ depth: kept.length + j, from: i, to: i + 1, iteration }));
    done.push(...begun);
    open = [...kept, ...begun];
  });
  return done;
}

/** LineValue is what a line of the source has computed by a step. */
export interface LineValue {
  step: number; // in steps
  line: number;
  text: string;
  wrong: boolean;
  earlier: boolean; // it is of an earlier iteration of a loop that the program is in
}

/** isEarlier tells whether a step is of an earlier iteration of one of the loops around another. */
function isEarlier({ iterations = [] }: Operation, { iterations: now = [] }: Operation): boolean {
  const differs = iterations.findIndex((iteration, depth) => iteration !== now[depth]);
  return differs >= 0 && differs < now.length;
}

/** lineValues are the values of the lines that have run by step at: of variables, of step at, and what is wrong. */
export function lineValues(steps: readonly Operation[], at: number): LineValue[] {
  const lines = new Map<number, LineValue>();
  const now = steps[at];
  steps.slice(0, at + 1).forEach((step, i) => {
    const wrong = isProblem(step);
    if (!wrong && (!step.text || step.name === undefined && i !== at)) return;
    const text = [step.name, step.type, step.text].filter(Boolean).join("  ") || (step.problem ?? "").replaceAll("`", "");
    lines.set(step.line, { step: i, line: step.line, text, wrong, earlier: now !== undefined && isEarlier(step, now) });
  });
  return [...lines.values()];
}
