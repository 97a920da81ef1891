/** Values are what the controls of a figure are set to, by their ids. */
export type Values = Readonly<Record<string, number>>;

/** Tone is the color of a cell: part of what is worked on, of something else, without an element, or out of bounds. */
export type Tone = "on" | "off" | "idle" | "fault";

/** Cell is one number of a block or a tensor. */
export interface Cell {
  text: string;
  tone: Tone;
}

/** Grid is a block or a tensor, row by row. */
export interface Grid {
  name: string;
  columns: number;
  cells: readonly Cell[];
  /** press gives the values that pressing a cell, or dragging to it, sets. */
  press?: (cell: number) => Values;
}

/** Control is a slider, or a switch. */
export interface Control {
  id: string;
  max: number; // from 0
  toggle?: boolean; // a switch, whose label is code: its values are 0 and 1
  /** text is how a value is shown; without it, by itself. */
  text?: (value: number) => string;
}

/** Concept is an idea that kernels rest on, as a figure to move: its controls begin at 0. */
interface Concept {
  controls: readonly Control[];
  /** code is the line that does it, with the values filled in. */
  code: (v: Values) => string;
  grids: (v: Values) => Grid[];
  /** reached tells whether the values are what the task asks for. */
  reached: (v: Values) => boolean;
}

const count = (n: number) => [...Array(n).keys()];
const cells = (n: number, make: (i: number) => [text: number | string, tone: Tone]): Cell[] =>
  count(n).map((i) => {
    const [text, tone] = make(i);
    return { text: String(text), tone };
  });
const when = (is: boolean): Tone => (is ? "on" : "off");
const value = (v: Values, id: string) => v[id] ?? 0;

/** vector is how many elements the vectors of the figures have, block how many a program works on. */
const vector = 12, block = 4;

/** short is the length of a vector that is no multiple of the block. */
const short = 10;

const lengthOf = (v: Values) => 2 ** (value(v, "B") + 1);
const lanesOf = (v: Values) => Math.ceil(short / lengthOf(v)) * lengthOf(v);
const offsets = (v: Values, n: number) => cells(n, (i) => [value(v, "p") * n + i, "on"]);
const owned = (v: Values, i: number) => Math.floor(i / block) === value(v, "p");
const chooses = (i: number): Values => ({ p: Math.floor(i / block) });

const columnOf = [10, 20, 30], rowOf = [1, 2, 3, 4];
const stretched = (v: Values) => value(v, "k") > 0;

const rows = 3, width = 8; // of the matrix that is summed
const folded = (v: Values, row: number, column: number): number =>
  count(2 ** value(v, "k")).reduce((sum, k) => sum + ((row * 3 + (column + k * (width >> value(v, "k"))) * 5) % 7), 0);

const logits = [1, 3, 2, 5, 4, 0, 6, 2], chunk = 2;

/** online gives the maximum and the sum of exponentials of the first k blocks, as one pass keeps them. */
function online(k: number): { max: number; sum: number } {
  return count(k).reduce((before, b) => {
    const x = logits.slice(b * chunk, (b + 1) * chunk);
    const max = Math.max(before.max, ...x);
    return { max, sum: before.sum * Math.exp(before.max - max) + x.reduce((sum, e) => sum + Math.exp(e - max), 0) };
  }, { max: -Infinity, sum: 0 });
}

/** concepts are all of them, those of the lesson first. */
export const concepts = {
  program: {
    controls: [{ id: "p", max: 2 }],
    code: (v) => `p = tl.program_id(0)  # ${value(v, "p")}`,
    grids: (v) => [
      { name: "p", columns: vector, cells: cells(vector, (i) => [Math.floor(i / block), when(owned(v, i))]), press: chooses },
      { name: "x", columns: vector, cells: cells(vector, (i) => [i, when(owned(v, i))]), press: chooses },
    ],
    reached: (v) => v["p"] === 2,
  },
  offset: {
    controls: [{ id: "p", max: 2 }],
    code: (v) => `offs = ${value(v, "p")} * ${block} + tl.arange(0, ${block})`,
    grids: (v) => [
      { name: "arange", columns: vector, cells: cells(block, (i) => [i, "on"]) },
      { name: "offs", columns: vector, cells: offsets(v, block) },
      { name: "x", columns: vector, cells: cells(vector, (i) => [i, when(owned(v, i))]), press: chooses },
    ],
    reached: (v) => v["p"] === 1,
  },
  block: {
    controls: [{ id: "B", max: 3, text: (k) => String(2 ** (k + 1)) }],
    code: (v) => `grid = (triton.cdiv(${short}, ${lengthOf(v)}),)  # ${lanesOf(v) / lengthOf(v)}`,
    grids: (v) => [
      { name: "p", columns: 16, cells: cells(lanesOf(v), (i) => [Math.floor(i / lengthOf(v)), when(Math.floor(i / lengthOf(v)) % 2 === 0)]) },
      { name: "x", columns: 16, cells: cells(lanesOf(v), (i) => [i < short ? i : "", i < short ? when(Math.floor(i / lengthOf(v)) % 2 === 0) : "idle"]) },
    ],
    reached: (v) => lanesOf(v) - short === 2,
  },
  mask: {
    controls: [{ id: "p", max: 2 }, { id: "mask", max: 1, toggle: true }],
    code: (v) => `x = tl.load(x_ptr + offs${value(v, "mask") ? `, mask=offs < ${short}` : ""})`,
    grids: (v) => [
      { name: "offs", columns: vector, cells: cells(block, (i) => {
        const at = value(v, "p") * block + i;
        return [at, at < short ? "on" : value(v, "mask") ? "idle" : "fault"];
      }) },
      { name: "x", columns: vector, cells: cells(vector, (i) => {
        const past = i >= short;
        return [past ? "?" : i, !owned(v, i) || (past && value(v, "mask")) ? "off" : past ? "fault" : "on"];
      }), press: chooses },
    ],
    reached: (v) => v["p"] === 2 && v["mask"] === 1,
  },
  broadcast: {
    controls: [{ id: "k", max: 2 }],
    code: (v) => (value(v, "k") === 2 ? "z = y[:, None] + x[None, :]  # [3, 4]" : stretched(v) ? "[3, 1] → [3, 4]    [1, 4] → [3, 4]" : "y[:, None]  # [3, 1]    x[None, :]  # [1, 4]"),
    grids: (v) => {
      const columns = stretched(v) ? rowOf.length : 1, lines = stretched(v) ? columnOf.length : 1;
      const operands: Grid[] = [
        { name: "y", columns, cells: cells(columnOf.length * columns, (i) => [columnOf[Math.floor(i / columns)] ?? 0, when(i % columns === 0)]) },
        { name: "x", columns: rowOf.length, cells: cells(lines * rowOf.length, (i) => [rowOf[i % rowOf.length] ?? 0, when(i < rowOf.length)]) },
      ];
      if (value(v, "k") < 2) return operands;
      const sum = cells(columnOf.length * rowOf.length, (i) => [(columnOf[Math.floor(i / rowOf.length)] ?? 0) + (rowOf[i % rowOf.length] ?? 0), "on"]);
      return [...operands, { name: "z", columns: rowOf.length, cells: sum }];
    },
    reached: (v) => v["k"] === 2,
  },
  axes: {
    controls: [{ id: "p0", max: 1 }, { id: "p1", max: 1 }],
    code: (v) => `i = ${value(v, "p0")} * 4 + tl.arange(0, 4)    j = ${value(v, "p1")} * 2 + tl.arange(0, 2)`,
    grids: (v) => [{
      name: "z", columns: 8,
      cells: cells(32, (i) => [`${Math.floor(i / 8)},${i % 8}`, when(Math.floor((i % 8) / 4) === value(v, "p0") && Math.floor(i / 16) === value(v, "p1"))]),
      press: (i) => ({ p0: Math.floor((i % 8) / 4), p1: Math.floor(i / 16) }),
    }],
    reached: (v) => v["p0"] === 1 && v["p1"] === 1,
  },
  reduction: {
    controls: [{ id: "k", max: 3 }],
    code: (v) => (value(v, "k") === 3 ? "z = tl.sum(x, axis=1)  # [3]" : `# [3, ${width >> value(v, "k")}]`),
    grids: (v) => {
      const columns = width >> value(v, "k");
      // The half that is added to the other in the next step is pale.
      return [{ name: columns === 1 ? "z" : "x", columns: width, cells: cells(rows * width, (i) => (i % width < columns ? [folded(v, Math.floor(i / width), i % width), when(columns === 1 || i % width < columns / 2)] : ["", "idle"])) }];
    },
    reached: (v) => v["k"] === 3,
  },
  stride: {
    controls: [{ id: "j", max: 2 }, { id: "i", max: 3 }],
    code: (v) => `x_ptr + ${value(v, "j")} * 4 + ${value(v, "i")} * 1  # ${value(v, "j") * 4 + value(v, "i")}`,
    grids: (v) => {
      const at = value(v, "j") * 4 + value(v, "i");
      const press = (i: number): Values => ({ j: Math.floor(i / 4), i: i % 4 });
      return [
        { name: "x", columns: 4, cells: cells(12, (i) => [`${Math.floor(i / 4)},${i % 4}`, when(i === at)]), press },
        { name: "x_ptr", columns: 12, cells: cells(12, (i) => [i, when(i === at)]), press },
      ];
    },
    reached: (v) => v["j"] === 1 && v["i"] === 2,
  },
  accumulator: {
    controls: [{ id: "k", max: 3 }],
    code: (v) => (value(v, "k") ? `acc += tl.load(x_ptr + ${(value(v, "k") - 1) * block} + tl.arange(0, ${block}))` : `acc = tl.zeros([${block}], tl.float32)`),
    grids: (v) => [
      { name: "x", columns: vector, cells: cells(vector, (i) => [i, when(Math.floor(i / block) === value(v, "k") - 1)]) },
      { name: "acc", columns: vector, cells: cells(block, (i) => [count(value(v, "k")).reduce((sum, b) => sum + b * block + i, 0), "on"]) },
    ],
    reached: (v) => v["k"] === 3,
  },
  softmax: {
    controls: [{ id: "k", max: logits.length / chunk }],
    code: (v) => {
      const k = value(v, "k");
      if (!k) return 'm = float("-inf")    l = 0.0';
      const before = online(k - 1), { max } = online(k);
      return `l = ${before.sum.toFixed(2)} * exp(${k > 1 ? before.max : "-inf"} - ${max}) + tl.sum(exp(x - ${max}))`;
    },
    grids: (v) => {
      const k = value(v, "k"), { max, sum } = online(k);
      return [
        { name: "x", columns: logits.length, cells: cells(logits.length, (i) => [logits[i] ?? 0, when(Math.floor(i / chunk) === k - 1)]) },
        { name: "m", columns: logits.length, cells: [{ text: k ? String(max) : "−∞", tone: "on" }] },
        { name: "l", columns: logits.length, cells: [{ text: sum.toFixed(2), tone: "on" }] },
      ];
    },
    reached: (v) => v["k"] === logits.length / chunk,
  },
} satisfies Record<string, Concept>;

/** ConceptID names a concept. */
export type ConceptID = keyof typeof concepts;

/** conceptOf is a concept by its name. */
export function conceptOf(id: ConceptID): Concept {
  return concepts[id];
}
