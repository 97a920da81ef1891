import { computed } from "@preact/signals";
import { contextOf } from "../ui/canvas";
import { shownTheme } from "../settings/settings";
import type { Size } from "../ui/cell-cursor";
import { type Grid, type Range, shade } from "../lib/tensor";

/** Palette is read from the page's custom properties, so that it follows the theme. */
export interface Palette {
  low: RGB; // the far negative end
  zero: RGB; // zero, or the small end of an unsigned range
  high: RGB; // the far positive end
  wrong: string; // the outline of wrong elements
  odd: string; // the stripes of NaN and of what was never written
  ground: RGB;
}

type RGB = readonly [number, number, number];

/** palette is that of the theme in use. Reading it has the browser compute styles, so it is read once a theme. */
const palette = computed<Palette>(() => {
  void shownTheme.value;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    low: rgb(read("--heat-low")), zero: rgb(read("--heat-zero")), high: rgb(read("--heat-high")),
    wrong: read("--fail"), odd: read("--ink-3"), ground: rgb(read("--sunken")),
  };
});

const widest = 26;

/** Cells at least this wide have whole pixels; from gapFrom on there is room between them. */
const crispFrom = 3;
const gapFrom = 7;

/** A tensor of few rows is drawn this tall, if its cells need not be taller than tallest for that. */
const wantedHeight = 96;
const tallest = 16;

/** cellFor fits columns into a width, and makes flat tensors tall enough to see. */
export function cellFor(columns: number, rows: number, width: number): Size {
  const fitting = Math.min(widest, width / columns);
  const across = fitting >= crispFrom ? Math.floor(fitting) : fitting;
  const down = Math.min(tallest, Math.floor(wantedHeight / Math.max(1, rows)));
  return { width: across, height: Math.max(fitting >= crispFrom ? Math.ceil(across) : across, down) };
}

/** draw paints the grid onto a canvas of columns × rows cells. */
export function draw(canvas: HTMLCanvasElement, grid: Grid, range: Range, cell: Size): void {
  const { columns, rows, values, unwritten } = grid;
  const context = contextOf(canvas, columns * cell.width, rows * cell.height);
  if (!context) return;
  const colours = palette.value;
  const image = new ImageData(columns, rows); // a pixel for each cell
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? NaN;
    const colour = Number.isNaN(value) || unwritten.has(at) ? colours.ground : heat(shade(value, range), colours);
    image.data.set([...colour, 255], 4 * at);
  }
  const small = new OffscreenCanvas(columns, rows);
  small.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, columns * cell.width, rows * cell.height);

  const room = Math.min(cell.width, cell.height) >= gapFrom ? 1 : 0;
  if (room) {
    for (let x = 1; x <= columns; x++) context.clearRect(x * cell.width - room, 0, room, rows * cell.height);
    for (let y = 1; y <= rows; y++) context.clearRect(0, y * cell.height - room, columns * cell.width, room);
  }
  for (let at = 0; at < values.length; at++) {
    const box = { x: (at % columns) * cell.width, y: Math.floor(at / columns) * cell.height, width: cell.width - room, height: cell.height - room };
    const value = values[at] ?? NaN;
    if (unwritten.has(at)) stripe(context, box, colours.odd, 2);
    else if (Number.isNaN(value)) stripe(context, box, colours.odd, 1);
    else if (!Number.isFinite(value)) stripe(context, box, `rgb(${colours.ground.join(" ")})`, 1);
  }
  outline(context, grid, cell, room, colours.wrong);
}

interface Box extends Size {
  x: number;
  y: number;
}

/** stripe draws slanting lines across a box: one for NaN and infinities, two where there is no value. */
function stripe(context: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string, lines: number): void {
  context.strokeStyle = colour;
  context.lineWidth = Math.min(1, width / 5);
  context.beginPath();
  for (let i = 1; i <= lines; i++) {
    const part = (2 * i) / (lines + 1); // of the way along the box's two sides
    context.moveTo(x + Math.max(0, part - 1) * width, y + Math.min(1, part) * height);
    context.lineTo(x + Math.min(1, part) * width, y + Math.max(0, part - 1) * height);
  }
  context.stroke();
}

/** outline draws the border of every region of wrong cells, so that the values in it keep their colours. */
function outline(context: CanvasRenderingContext2D, { wrong, columns }: Grid, cell: Size, room: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = Math.max(0.4, Math.min(2, Math.min(cell.width, cell.height) / 5));
  context.beginPath();
  const line = (x: number, y: number, toX: number, toY: number) => {
    context.moveTo(x, y);
    context.lineTo(toX, toY);
  };
  const inset = context.lineWidth / 2;
  for (const at of wrong) {
    const column = at % columns;
    const [left, top] = [column * cell.width + inset, Math.floor(at / columns) * cell.height + inset];
    const [right, bottom] = [left + cell.width - room - 2 * inset, top + cell.height - room - 2 * inset];
    if (!wrong.has(at - columns)) line(left, top, right, top);
    if (!wrong.has(at + columns)) line(left, bottom, right, bottom);
    if (column === 0 || !wrong.has(at - 1)) line(left, top, left, bottom);
    if (column === columns - 1 || !wrong.has(at + 1)) line(right, top, right, bottom);
  }
  context.stroke();
}

function heat(at: number, { low, zero, high }: Palette): RGB {
  const end = at < 0 ? low : high;
  const part = Math.min(1, Math.abs(at));
  const mixed = (i: 0 | 1 | 2) => Math.round(zero[i] + (end[i] - zero[i]) * part);
  return [mixed(0), mixed(1), mixed(2)];
}

function rgb(hex: string): RGB {
  const channel = (i: number) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  return [channel(0), channel(1), channel(2)];
}
