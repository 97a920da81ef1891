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

/** A cell is drawn between these sizes, in CSS pixels. */
const smallestCell = 3;
const largestCell = 26;

/** From this size on there is room between the cells. */
const gapFrom = 7;

/** cellSize fits the columns into a width. */
export function cellSize(columns: number, width: number): number {
  return Math.max(smallestCell, Math.min(largestCell, Math.floor(width / columns)));
}

/** draw paints the grid onto a canvas of columns × rows cells of the given size. */
export function draw(canvas: HTMLCanvasElement, grid: Grid, range: Range, cell: number): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(grid.columns * cell * scale);
  canvas.height = Math.round(grid.rows * cell * scale);
  canvas.style.width = `${grid.columns * cell}px`;
  canvas.style.height = `${grid.rows * cell}px`;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(scale, scale);
  const colours = palette(canvas);
  const room = cell >= gapFrom ? 1 : 0;
  grid.values.forEach((value, position) => {
    const x = (position % grid.columns) * cell;
    const y = Math.floor(position / grid.columns) * cell;
    context.fillStyle = Number.isFinite(value) ? heat(shade(value, range), colours) : colours.wrongGround;
    context.fillRect(x, y, cell - room, cell - room);
    if (!Number.isFinite(value)) slash(context, x, y, cell - room, colours.odd);
    if (grid.wrong.has(position)) cross(context, x, y, cell - room, colours);
  });
}

function heat(at: number, { low, zero, high }: Palette): string {
  const end = at < 0 ? low : high;
  const part = Math.min(1, Math.abs(at));
  const mixed = end.map((e, i) => Math.round((zero[i] ?? 0) + (e - (zero[i] ?? 0)) * part));
  return `rgb(${mixed.join(" ")})`;
}

function cross(context: CanvasRenderingContext2D, x: number, y: number, size: number, colours: Palette): void {
  context.fillStyle = colours.wrongGround;
  context.fillRect(x, y, size, size);
  context.strokeStyle = colours.wrong;
  context.lineWidth = size >= 10 ? 1.75 : 1;
  const inset = size * 0.24;
  context.beginPath();
  context.moveTo(x + inset, y + inset);
  context.lineTo(x + size - inset, y + size - inset);
  context.moveTo(x + size - inset, y + inset);
  context.lineTo(x + inset, y + size - inset);
  context.stroke();
}

function slash(context: CanvasRenderingContext2D, x: number, y: number, size: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x + size * 0.2, y + size * 0.8);
  context.lineTo(x + size * 0.8, y + size * 0.2);
  context.stroke();
}

function rgb(hex: string): RGB {
  const channel = (i: number) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  return [channel(0), channel(1), channel(2)];
}
