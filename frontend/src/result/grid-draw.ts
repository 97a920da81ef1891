import { type Grid, type Range, shade } from "../lib/tensor";

/** Palette is read from the page's custom properties, so that it follows the theme. */
export interface Palette {
  low: RGB; // the far negative end
  zero: RGB; // zero, or the small end of an unsigned range
  high: RGB; // the far positive end
  wrong: string;
  wrongGround: string;
  odd: string; // NaN and infinities
}

type RGB = readonly [number, number, number];

export function palette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    low: rgb(read("--heat-low")), zero: rgb(read("--heat-zero")), high: rgb(read("--heat-high")),
    wrong: read("--fail"), wrongGround: read("--fail-soft"), odd: read("--ink-3"),
  };
}

/** Cell is the size of one element's rectangle, in CSS pixels. */
export interface Cell {
  width: number;
  height: number;
}

const narrowest = 1.5;
const widest = 26;

/** Cells at least this wide have whole pixels; from gapFrom on there is room between them. */
const crispFrom = 3;
const gapFrom = 7;

/** A tensor of few rows is drawn this tall, if its cells need not be taller than tallest for that. */
const wantedHeight = 96;
const tallest = 16;

/** A wrong element of fewer pixels than this has no room for a cross and is filled instead. */
const crossFrom = 5;

/** cellFor fits columns into a width, and makes flat tensors tall enough to see. */
export function cellFor(columns: number, rows: number, width: number): Cell {
  const fitting = Math.max(narrowest, Math.min(widest, width / columns));
  const across = fitting >= crispFrom ? Math.floor(fitting) : fitting;
  return { width: across, height: Math.max(Math.ceil(across), Math.min(tallest, Math.floor(wantedHeight / Math.max(1, rows)))) };
}

/** draw paints the grid onto a canvas of columns × rows cells. */
export function draw(canvas: HTMLCanvasElement, grid: Grid, range: Range, cell: Cell): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(grid.columns * cell.width * scale);
  canvas.height = Math.round(grid.rows * cell.height * scale);
  canvas.style.width = `${grid.columns * cell.width}px`;
  canvas.style.height = `${grid.rows * cell.height}px`;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(scale, scale);
  const colours = palette(canvas);
  const room = Math.min(cell.width, cell.height) >= gapFrom ? 1 : 0;
  const [width, height] = [cell.width - room, cell.height - room];
  grid.values.forEach((value, position) => {
    const box = { x: (position % grid.columns) * cell.width, y: Math.floor(position / grid.columns) * cell.height, width, height };
    const wrong = grid.wrong.has(position);
    fill(context, box, wrong || !Number.isFinite(value) ? colours.wrongGround : heat(shade(value, range), colours));
    if (wrong && width < crossFrom) fill(context, { ...box, y: box.y + height / 4, height: height / 2 }, colours.wrong);
    else if (wrong) stroke(context, box, colours.wrong, true);
    else if (!Number.isFinite(value)) stroke(context, box, colours.odd, false);
  });
}

interface Box extends Cell {
  x: number;
  y: number;
}

function fill(context: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string): void {
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
}

/** stroke draws a slash into the middle of a box, or a cross. */
function stroke(context: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string, cross: boolean): void {
  const half = Math.min(width, height) * 0.28;
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  context.strokeStyle = colour;
  context.lineWidth = half >= 3 ? 1.75 : 1;
  context.beginPath();
  context.moveTo(middleX - half, middleY + half);
  context.lineTo(middleX + half, middleY - half);
  if (cross) {
    context.moveTo(middleX - half, middleY - half);
    context.lineTo(middleX + half, middleY + half);
  }
  context.stroke();
}

function heat(at: number, { low, zero, high }: Palette): string {
  const end = at < 0 ? low : high;
  const part = Math.min(1, Math.abs(at));
  const mixed = end.map((e, i) => Math.round((zero[i] ?? 0) + (e - (zero[i] ?? 0)) * part));
  return `rgb(${mixed.join(" ")})`;
}

function rgb(hex: string): RGB {
  const channel = (i: number) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  return [channel(0), channel(1), channel(2)];
}
