import { short } from "../lib/format";
import { contextOf } from "../ui/canvas";
import { type Size, topOf } from "../ui/cell-cursor";
import { mark, type Tensor } from "./inspected";

/** programColours is how many colours programs have; they are taken in turn. */
export const programColours = 8;

const widest = 46;
const tallest = 22;
const flattest = 14; // of pictures of a few rows

/** Cells at least this wide have whole pixels; from gapFrom on there is room between them, from textFrom on a text in them. */
const crispFrom = 3;
const gapFrom = 6;
const textFrom = 34;
const numberFrom = 16;

/** A vector that is a column is at most so high, in CSS pixels. */
const highest = 200;

/** sizeFor fits a row of cells into a width, or a vector that is a column into a height. */
export function sizeFor({ wrap, extent, shape, covers }: Tensor, width: number): Size {
  if (wrap === 1 && extent > 1 && shape.length === 1) return { width, height: Math.min(tallest, highest / extent) };
  const fitting = Math.min(widest, width / wrap);
  const across = fitting >= crispFrom ? Math.floor(fitting) : fitting;
  const few = extent <= 8 * wrap ? flattest : 0;
  const height = Math.max(few, Math.min(tallest, across));
  const rows = shape.at(-2) ?? 1;
  return shape.length > 2 && rows > 1 && wrap === shape.at(-1) && covers[0] === 1 ? { width: across, height, rows } : { width: across, height };
}

/** Scene is what a picture shows: the marks of the chosen program, or of all programs where there are none. */
export interface Scene {
  tensor: Tensor;
  size: Size;
  program: number;
  marks: Uint8Array | undefined;
}

/** Palette is read from the page's custom properties, so that it follows the theme. */
interface Palette {
  programs: string[];
  ground: string;
  line: string;
  ink: string;
  wrong: string;
}

function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    programs: Array.from({ length: programColours }, (_, i) => read(`--picture-${i + 1}`)),
    ground: read("--surface"), line: read("--line-strong"), ink: read("--ink"), wrong: read("--fail"),
  };
}

/** Brush paints the cells of one size. */
interface Brush {
  context: CanvasRenderingContext2D;
  palette: Palette;
  several: () => CanvasPattern | undefined; // fills cells of several programs; none where they are too small for it
}

function brushOf(context: CanvasRenderingContext2D, palette: Palette, size: Size): Brush {
  let several: CanvasPattern | undefined;
  return { context, palette, several: () => (several ??= severalOf(context, palette, size)) };
}

interface Box extends Size {
  x: number;
  y: number;
}

/** Drawn is what a canvas shows. */
interface Drawn {
  scene: Scene;
  look: string; // colours and scale
}

const drawn = new WeakMap<HTMLCanvasElement, Drawn>();

/** draw paints a tensor onto a canvas: where the canvas shows one of the same form, only the cells that differ. */
export function draw(canvas: HTMLCanvasElement, scene: Scene): void {
  const palette = paletteOf(canvas);
  const look = JSON.stringify([palette, devicePixelRatio]);
  const before = drawn.get(canvas);
  drawn.set(canvas, { scene, look });
  const { tensor: { wrap, extent }, size } = scene;
  if (before?.look === look && sameForm(before.scene, scene)) {
    const context = canvas.getContext("2d");
    const brush = context && brushOf(context, palette, size);
    for (const cell of changedCells(before.scene, scene)) {
      const { x, y, width, height } = placeOf(scene, cell);
      context?.clearRect(x, y, width, height);
      if (brush) drawCell(brush, scene, cell);
    }
    return;
  }
  const context = contextOf(canvas, wrap * size.width, topOf(Math.ceil(extent / wrap) - 1, size) + size.height);
  if (!context) return;
  context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const brush = brushOf(context, palette, size);
  for (let cell = 0; cell < extent; cell++) drawCell(brush, scene, cell);
}

/** sameForm tells whether cells of two scenes are in the same places, and mean the same. */
function sameForm(a: Scene, b: Scene): boolean {
  const facts = ({ tensor: { wrap, extent, before }, size, program, marks }: Scene) =>
    [wrap, extent, before.length, size.width, size.height, program, marks !== undefined];
  return facts(a).join() === facts(b).join();
}

/** changedCells are those that look otherwise in another scene of the same form. */
function changedCells(before: Scene, after: Scene): Set<number> {
  const { tensor: { wrap, extent }, size } = after;
  const changed = new Set<number>();
  const numbers: ((tensor: Tensor) => Int32Array | Float64Array)[] = [({ readers }) => readers, ({ writers }) => writers];
  if (size.width >= textFrom) numbers.push((tensor) => tensor.before, (tensor) => tensor.after);
  for (const of of before.tensor === after.tensor ? [] : numbers) {
    const [old, now] = [of(before.tensor), of(after.tensor)];
    for (let cell = 0; cell < now.length; cell++) if (!Object.is(old[cell], now[cell])) changed.add(cell);
  }
  after.marks?.forEach((marks, cell) => {
    const differ = marks ^ (before.marks?.[cell] ?? 0);
    if (!differ) return;
    const near = differ & mark.written ? [cell - wrap, cell - 1, cell + 1, cell + wrap] : []; // outlines change with it
    for (const at of [cell, ...near]) if (at >= 0 && at < extent) changed.add(at);
  });
  return changed;
}

/** placeOf is where a cell is, with its part of the room between cells; no two cells share a pixel. */
function placeOf({ tensor: { wrap }, size }: Scene, cell: number): Box {
  const [column, row] = [cell % wrap, Math.floor(cell / wrap)];
  const [x, y] = [Math.floor(column * size.width), Math.floor(topOf(row, size))];
  return { x, y, width: Math.floor((column + 1) * size.width) - x, height: Math.floor(topOf(row, size) + size.height) - y };
}

/** drawCell paints one cell: whose it is in the background, and over it what the chosen program has done to it. */
function drawCell(brush: Brush, scene: Scene, cell: number): void {
  const { context, palette } = brush;
  const { tensor, program, marks, size } = scene;
  const place = placeOf(scene, cell);
  const room = Math.min(size.width, size.height) >= gapFrom ? 1 : 0;
  const box = { ...place, width: place.width - room, height: place.height - room };
  const marked = marks?.[cell] ?? 0;
  if (cell < tensor.before.length) {
    drawOwner(brush, tensor, cell, box, marks && program);
    if (marked & (mark.read | mark.written)) {
      const colour = colourOf(palette, program);
      fill(context, box, colour, marked & mark.now ? 1 : 0.6);
      if (marked & mark.written) border(context, box, palette.ink, { cell, wrap: tensor.wrap, marks });
    }
  } else if (marked & mark.outside) {
    dashed(context, box, palette.wrong);
    cross(context, box, palette.wrong);
  }
  if (marked & mark.masked) hatch(context, box, palette.ink);
  drawText(context, palette, { tensor, program, marks }, cell, box);
}

/** drawOwner tints a cell by the program that writes it, or else reads it; that of except stays empty until it is reached. */
function drawOwner({ context, palette, several }: Brush, tensor: Tensor, cell: number, box: Box, except: number | undefined): void {
  fill(context, box, palette.line, 0.35);
  const writer = tensor.writers[cell] ?? -1;
  const owner = writer === -1 ? (tensor.readers[cell] ?? -1) : writer;
  const strength = except !== undefined ? 0.22 : writer === -1 ? 0.4 : 0.85;
  if (owner >= 0 && owner !== except) fill(context, box, colourOf(palette, owner), strength);
  if (owner !== -2) return;
  const split = writer === -2 ? Math.max(0.5, strength) : strength;
  const pattern = several();
  if (pattern) return fill(context, box, pattern, split);
  for (const [i, part] of [split, split / 2].entries()) fill(context, box, colourOf(palette, i), part);
}

/**
 * severalOf fills a cell of several programs with two triangles in two colours. It is a pattern that repeats with the cells: to
 * fill triangles one by one takes twenty times as long as rectangles.
 */
function severalOf(context: CanvasRenderingContext2D, palette: Palette, { width, height }: Size): CanvasPattern | undefined {
  if (width < crispFrom || height < crispFrom) return undefined; // no whole pixels either
  const tile = document.createElement("canvas");
  const triangles = contextOf(tile, width, height);
  [[0, height], [width, 0]].forEach(([x = 0, y = 0], i) => {
    if (!triangles) return;
    triangles.fillStyle = colourOf(palette, i);
    triangles.beginPath();
    triangles.moveTo(0, 0);
    triangles.lineTo(x, y);
    triangles.lineTo(width, height);
    triangles.fill();
  });
  const pattern = context.createPattern(tile, "repeat") ?? undefined;
  pattern?.setTransform(new DOMMatrix().scale(width / tile.width, height / tile.height));
  return pattern;
}

function colourOf({ programs, ink }: Palette, program: number): string {
  return programs[program % programs.length] ?? ink;
}

function fill(context: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string | CanvasPattern, strength: number): void {
  context.globalAlpha = strength;
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
}

/** dashed outlines a cell that is not there. */
function dashed(context: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string): void {
  if (Math.min(width, height) < 2 * crispFrom) return fill(context, { x, y, width, height }, colour, 0.5);
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([3, 2]);
  context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  context.setLineDash([]);
}

/** border draws a cell's part of the outline of the region that is written. */
function border(
  context: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string,
  { cell, wrap, marks }: { cell: number; wrap: number; marks: Uint8Array | undefined },
): void {
  const [left, top, right, bottom] = [x + 0.5, y + 0.5, x + width - 0.5, y + height - 0.5];
  const column = cell % wrap;
  const written = (at: number) => ((marks?.[at] ?? 0) & mark.written) !== 0;
  const lines: Line[] = [];
  if (!written(cell - wrap)) lines.push([x, top, x + width, top]);
  if (!written(cell + wrap)) lines.push([x, bottom, x + width, bottom]);
  if (column === 0 || !written(cell - 1)) lines.push([left, y, left, y + height]);
  if (column === wrap - 1 || !written(cell + 1)) lines.push([right, y, right, y + height]);
  if (lines.length) stroke(context, colour, lines);
}

function cross(context: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string): void {
  const [left, top, right, bottom] = [x + width * 0.32, y + height * 0.32, x + width * 0.68, y + height * 0.68];
  stroke(context, colour, [[left, top, right, bottom], [right, top, left, bottom]]);
}

/** hatch draws slanting lines: the mask leaves the lane out. Their edges, which are smooth, keep within the cell. */
function hatch(context: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string): void {
  if (width < crispFrom) return fill(context, { x, y, width, height }, colour, 0.3);
  context.globalAlpha = 0.55;
  const [left, top, right, bottom] = [x + 1, y + 1, x + width - 1, y + height - 1];
  const [middle, centre] = [x + width / 2, y + height / 2];
  stroke(context, colour, [[left, centre, middle, top], [left, bottom, right, top], [middle, bottom, right, centre]]);
  context.globalAlpha = 1;
}

/** Line goes from x, y to x, y. */
type Line = readonly [number, number, number, number];

function stroke(context: CanvasRenderingContext2D, colour: string, lines: readonly Line[]): void {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (const [fromX, fromY, toX, toY] of lines) {
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
  }
  context.stroke();
}

/** drawText writes the value into a cell that has room for it, or the program that writes it where all are shown. */
function drawText(
  context: CanvasRenderingContext2D, palette: Palette, { tensor, marks }: Omit<Scene, "size">, cell: number, box: Box,
): void {
  if (cell >= tensor.before.length || box.width < (marks ? textFrom : numberFrom)) return;
  const writer = tensor.writers[cell] ?? -1;
  const text = marks ? short(valueIn(tensor, marks, cell)) : writer >= 0 ? String(writer) : "";
  context.fillStyle = palette.ink;
  context.fillText(text, box.x + box.width / 2, box.y + box.height / 2 + 0.5, box.width - 2);
}

/** valueIn is the value of a cell at a step: the one after the launch once the chosen program has written it. */
export function valueIn({ before, after }: Tensor, marks: Uint8Array, cell: number): number {
  return ((marks[cell] ?? 0) & mark.written ? after[cell] : before[cell]) ?? NaN;
}
