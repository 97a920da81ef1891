import { shapeText } from "../lib/format";
import { indexOf } from "../lib/tensor";
import { type Size, topOf } from "../ui/cell-cursor";
import type { Inspected, Tensor } from "./inspected";
import { accessesOf, touchedBy } from "./touched";

/** Tick is a number beside a picture. */
export interface Tick {
  text: string;
  at: number; // its middle, in CSS pixels from the picture's left or top
  edge: number | undefined; // what it is of, likewise; absent where that is a row
}

/** The numbers are of 11 px in a fixed pitch, with room between them. */
const letter = 6.7;
const line = 12;
const apart = 4;

/** Edges are numbers of an axis: bounds of slices. */
interface Edges {
  needed: readonly number[]; // come first
  ends: readonly number[];
  others: readonly number[];
}

/** edgesOf are the edges of what accesses of the shown program, and programs that write, do along an axis of a tensor. */
export function edgesOf({ steps, tensors }: Inspected, index: number): number[][] {
  const tensor = tensors[index] as Tensor;
  const boxes = accessesOf(steps, index).flatMap((access) => touchedBy([access], tensor).flatMap(({ box }) => box ?? []));
  const owners = ownersOf(tensor);
  return tensor.shape.map((size, axis) => {
    const edges = new Set(boxes.flatMap(({ from, to }) => [from[axis] ?? 0, to[axis] ?? 0]));
    for (const edge of owners[axis - tensor.shape.length + 2] ?? []) edges.add(edge);
    return [...edges].filter((edge) => edge > 0 && edge < size).sort((a, b) => a - b);
  });
}

/** ownersOf are where, along the rows and along the columns of a matrix, one program's elements end and another's begin. */
function ownersOf({ shape, columns, covers, writers, readers }: Tensor): Set<number>[] {
  const owners = writers.some((program) => program !== -1) ? writers : readers;
  const down = shape.at(-2) ?? 1, across = shape.at(-1) ?? 1;
  const [rows = 1, cells = 1] = covers;
  const found = [new Set<number>(), new Set<number>()] as const;
  owners.forEach((owner, cell) => {
    const column = cell % columns, row = Math.floor(cell / columns);
    if (column > 0 && owner !== owners[cell - 1]) found[1].add((column * cells) % across);
    if (row > 0 && owner !== owners[cell - columns]) found[0].add((row * rows) % down);
  });
  return [...found];
}

/** chosenTicks are the edges that there is room for: those that are needed, the ends, and of the others every so many. */
function chosenTicks({ needed, ends, others }: Edges, length: number, place: (edge: number) => number, room: (text: string) => number): Tick[] {
  const tick = (edge: number): Tick => {
    const half = room(String(edge)) / 2;
    return { text: String(edge), at: Math.max(half, Math.min(length - half, place(edge))), edge: place(edge) };
  };
  const overlap = (a: Tick, b: Tick) => Math.abs(a.at - b.at) < (room(a.text) + room(b.text)) / 2 + apart;
  const thinned = (stride: number): Tick[] => {
    const chosen = others.filter((_, i) => i % stride === 0).map(tick);
    return chosen.some((of, i) => i > 0 && overlap(of, chosen[i - 1] as Tick)) ? thinned(2 * stride) : chosen;
  };
  const ticks: Tick[] = [];
  for (const of of [...[...needed, ...ends].map(tick), ...thinned(1)]) if (!ticks.some((other) => overlap(of, other))) ticks.push(of);
  return ticks.sort((a, b) => a.at - b.at);
}

/** Axes are the numbers beside a picture: over its columns, and left of its rows. */
export interface Axes {
  over: Tick[];
  left: Tick[];
}

/**
 * axesOf are the numbers beside a tensor's picture: the edges of tiles, and the ends. A vector in several rows has the number of
 * the first element of each, and matrices that are not apart that of each. needed are edges that come first, by axis.
 */
export function axesOf(tensor: Tensor, size: Size, edges: readonly number[][], needed: readonly number[][] = []): Axes {
  const { shape, covers, wrap, before } = tensor;
  const [rows = 1, cells = 1] = covers;
  const along = (axis: number, length: number, pixels: number, room: (text: string) => number): Tick[] => {
    const of = { needed: needed.at(axis) ?? [], ends: [0, shape.at(axis) ?? 0], others: edges.at(axis) ?? [] };
    return chosenTicks(of, length * pixels, (edge) => edge * pixels, room);
  };
  const over = () => along(-1, shape.at(-1) ?? 1, size.width / cells, (text) => letter * text.length);
  if (!shape.length) return { over: [], left: [] };
  if (shape.length < 2 && before.length <= wrap) return { over: over(), left: [] };
  if (shape.length < 2) return { over: [], left: wrap === 1 ? along(-1, shape[0] ?? 1, size.height / cells, () => line) : beginnings(tensor, size) };
  const count = shape.at(-2) ?? 1;
  const leading = shape.slice(0, -2);
  const matrices = Array.from({ length: leading.reduce((all, n) => all * n, 1) }, (_, matrix) => matrix);
  if (matrices.length > 1 && !size.rows) return { over: over(), left: spaced(matrices.map((of) => [shapeText(indexOf(of, leading)), (of * count / rows) * size.height + line / 2])) };
  const down = along(-2, count, size.height / rows, () => line);
  return { over: over(), left: matrices.flatMap((of) => down.map(({ text, at, edge }) => shifted({ text, at, edge }, topOf(of * count, size)))) };
}

function shifted({ text, at, edge }: Tick, by: number): Tick {
  return { text, at: at + by, edge: edge === undefined ? edge : edge + by };
}

/** spaced are every so many of some texts beside rows, so that there is room for them. */
function spaced(texts: readonly (readonly [text: string, at: number])[]): Tick[] {
  const pitch = (texts[1]?.[1] ?? 0) - (texts[0]?.[1] ?? 0);
  const every = texts.length > 1 ? 2 ** Math.max(0, Math.ceil(Math.log2(line / pitch))) : 1;
  return texts.flatMap(([text, at], i) => (i % every === 0 ? { text, at, edge: undefined } : []));
}

/** beginnings are the first elements of the rows of a vector. */
function beginnings({ wrap, covers: [, cells = 1], before }: Tensor, size: Size): Tick[] {
  return spaced(Array.from({ length: Math.ceil(before.length / wrap) }, (_, row) => [String(row * wrap * cells), (row + 0.5) * size.height]));
}

/** gutterOf is how wide the numbers left of pictures are, in CSS pixels: the same of all, so that what is above each other fits. */
export function gutterOf(tensors: readonly Tensor[]): number {
  const most = tensors.reduce((letters, { shape, before, wrap }) => {
    const rows = shape.length > 1 ? shape.at(-2) ?? 1 : before.length > wrap ? shape[0] ?? 1 : undefined;
    return Math.max(letters, rows === undefined ? 0 : String(rows).length);
  }, 0);
  return most && Math.ceil(letter * most) + 8;
}
