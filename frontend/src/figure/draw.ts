import * as Plot from "@observablehq/plot";
import type { Axes, Axis, Image, Mark } from "../gen/figure";

/** Point is one of a mark, with what stands under the pointer. */
interface Point {
  x: number;
  y: number;
  base: number;
  size: number;
  color: string;
  label: string;
}

/** At is the pixel of an image under the pointer. */
export interface At {
  row: number;
  column: number;
  value: string;
}

/** Series are the page's own colors for marks without one; there are ten. */
export function colorOf({ color, cycle }: Mark): string {
  // Black and white become the page's own colours of ink and paper.
  if (color === "#000000") return "var(--ink)";
  if (color === "#ffffff") return "var(--surface)";
  return color || `var(--series-${(cycle % 10) + 1})`;
}

const dashes: Readonly<Record<string, string>> = { "--": "6 4", "-.": "6 3 1.5 3", ":": "1.5 3" };
const symbols: Readonly<Record<string, Plot.SymbolType>> = {
  o: "circle", ".": "circle", ",": "circle", s: "square", D: "diamond", d: "diamond", "^": "triangle", v: "triangle", "<": "triangle", ">": "triangle", "*": "star", x: "times", X: "times", "+": "plus", P: "plus", h: "hexagon", H: "hexagon",
};

/** marksOf draws one mark of a figure by marks of the library. */
const marksOf: Readonly<Record<string, (mark: Mark, points: Point[]) => Plot.Markish[]>> = {
  line: (m, points) => [
    ...(m.style ? [Plot.line(points, { x: "x", y: "y", stroke: colorOf(m), strokeOpacity: m.alpha, strokeWidth: (m.width ?? 1.5) * 1.2, ...(dashes[m.style] && { strokeDasharray: dashes[m.style] }) })] : []),
    ...(m.marker || points.length === 1 ? [dots(m, points, 3)] : []),
  ],
  scatter: (m, points) => [dots(m, points, 3)],
  bars: (m, points) => [Plot.rectY(points, { x1: (p: Point) => p.x - width(m) / 2, x2: (p: Point) => p.x + width(m) / 2, y1: "base", y2: (p: Point) => p.base + p.y, fill: "color", fillOpacity: m.alpha })],
  sidebars: (m, points) => [Plot.rectX(points, { y1: (p: Point) => p.x - width(m) / 2, y2: (p: Point) => p.x + width(m) / 2, x1: "base", x2: (p: Point) => p.base + p.y, fill: "color", fillOpacity: m.alpha })],
  band: (m, points) => [Plot.areaY(points, { x: "x", y1: "base", y2: "y", fill: colorOf(m), fillOpacity: m.alpha })],
  horizontal: (m) => [Plot.ruleY(m.y ?? [], { stroke: colorOf(m), strokeOpacity: m.alpha, strokeWidth: m.width ?? 1, ...(dashes[m.style ?? ""] && { strokeDasharray: dashes[m.style ?? ""] }) })],
  vertical: (m) => [Plot.ruleX(m.x ?? [], { stroke: colorOf(m), strokeOpacity: m.alpha, strokeWidth: m.width ?? 1, ...(dashes[m.style ?? ""] && { strokeDasharray: dashes[m.style ?? ""] }) })],
  text: (m, points) => [m.inAxes ? textInAxes(m) : Plot.text(points, { x: "x", y: "y", text: () => m.text ?? "", fill: inkOf(m), textAnchor: "start" })],
};

/** inkOf is the color of a text. */
const inkOf = (m: Mark) => (m.color ? colorOf(m) : "currentColor");

/** textInAxes draws a text at fractions of the axes. */
function textInAxes(m: Mark): Plot.RenderFunction {
  return (_index, _scales, _values, size) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "text");
    const left = size.marginLeft + (m.x?.[0] ?? 0) * (size.width - size.marginLeft - size.marginRight);
    const top = size.height - size.marginBottom - (m.y?.[0] ?? 0) * (size.height - size.marginTop - size.marginBottom);
    for (const [name, value] of Object.entries({ x: left, y: top, fill: inkOf(m) })) element.setAttribute(name, String(value));
    element.textContent = m.text ?? "";
    return element;
  };
}

const width = (m: Mark) => m.width ?? 0.8;

function dots(m: Mark, points: Point[], radius: number): Plot.Markish {
  const symbol = symbols[m.marker ?? "o"] ?? "circle";
  const filled = symbol !== "times" && symbol !== "plus";
  return Plot.dot(points, { x: "x", y: "y", r: (p: Point) => Math.sqrt(p.size) / 2 || radius, symbol, opacity: m.alpha, ...(filled ? { fill: "color" } : { stroke: "color" }) });
}

/** pointed are the kinds whose points show their values under the pointer. */
const pointed = ["line", "scatter", "bars"];

/** draw makes the picture of a plot; images are data of its pictures in order, and onPixel hears which pixel is pointed at. */
export function draw(axes: Axes, images: readonly string[], width: number, height: number, onPixel: (at: At | undefined) => void): SVGElement {
  const all = axes.marks.map((m) => ({ mark: m, points: pointsOf(axes, m) }));
  const pictures = axes.marks.filter((m) => m.kind === "picture");
  const tips = all.filter(({ mark }) => pointed.includes(mark.kind)).flatMap(({ points }) => points);
  const svg = Plot.plot({
    width, height, marginLeft: axes.hidden ? 4 : 56, marginRight: 16, ...marginsOf(axes),
    style: { background: "none", fontSize: "12px" },
    ...((axes.equal || pictures.length > 0) && { aspectRatio: 1 }),
    x: scaleOf(axes, "x"), y: scaleOf(axes, "y"),
    r: { type: "identity" }, color: { type: "identity" }, symbol: { type: "identity" } as Plot.ScaleOptions,
    marks: [
      ...(axes.hidden ? [] : [Plot.frame({ stroke: "var(--line-strong)" })]),
      ...pictures.map((m, i) => pixels(m.image as Image, images[i] ?? "", (element) => watchPixels(element, m.image as Image, onPixel))),
      ...all.flatMap(({ mark, points }) => marksOf[mark.kind]?.(mark, points) ?? []),
      ...(tips.length ? [Plot.tip(tips, Plot.pointer({ x: "x", y: (p: Point) => p.base + p.y, title: (p: Point) => titleOf(axes, p), fill: "var(--raised)", stroke: "var(--line-strong)" }))] : []),
    ],
  });
  return svg as unknown as SVGElement;
}

/** barWidth is that of a colorbar with its values. */
export const barWidth = 60;

/** drawBar makes the colorbar of an image, of which data is the picture, to stand beside a plot of that height. */
export function drawBar({ low, high }: Image, data: string, axes: Axes, height: number): SVGElement {
  const [from, to] = low < high ? [low, high] : [low - 0.5, low + 0.5];
  return Plot.plot({
    width: barWidth, height, marginLeft: 0, marginRight: 46, ...marginsOf(axes), style: { background: "none", fontSize: "12px" },
    x: { domain: [0, 1], axis: null }, y: { domain: [from, to], axis: "right", label: null },
    marks: [pixels({ extent: [0, 1, from, to] }, data), Plot.frame({ stroke: "var(--line-strong)" })],
  }) as unknown as SVGElement;
}

/** marginsOf are above and below a plot. */
function marginsOf(axes: Axes) {
  return { marginBottom: axes.hidden ? 4 : 40, marginTop: axes.y.label && !axes.hidden ? 28 : 14 };
}

function titleOf(axes: Axes, p: Point): string {
  const at = (axis: Axis, name: string, value: number) => `${axis.label || name}: ${nameAt(axis, value) ?? Number(value.toPrecision(6))}`;
  return [p.label, at(axes.x, "x", p.x), at(axes.y, "y", p.y)].filter(Boolean).join("\n");
}

/** pointsOf are the points of a mark that can be drawn; others are gaps. */
function pointsOf(axes: Axes, m: Mark): Point[] {
  const shown = (axis: Axis, value: number) => (axis.base && value <= 0 ? NaN : value);
  const lying = m.kind === "sidebars";
  return (m.x ?? []).map((x, i) => ({
    x: lying ? x : shown(axes.x, x), y: lying ? (m.y?.[i] ?? NaN) : shown(axes.y, m.y?.[i] ?? NaN), base: m.base?.[i] ?? m.base?.[0] ?? 0,
    size: m.sizes?.[i] ?? m.sizes?.[0] ?? 0, color: m.colors?.[i] ?? colorOf(m), label: m.label ?? "",
  }));
}

/** rangeOf is the least and the greatest place of a plot's marks along an axis; undefined where there is none. */
export function rangeOf(axes: Axes, name: "x" | "y"): [number, number] | undefined {
  const places = axes.marks.flatMap((m): number[] => {
    if (m.inAxes) return [];
    if (m.kind === "picture" && m.image) return spanOf(m.image, name);
    if (m.kind === "sidebars" || m.kind === "bars") {
      const along = (m.kind === "bars") === (name === "x");
      const half = width(m) / 2;
      return along ? (m.x ?? []).flatMap((v) => [v - half, v + half]) : (m.y ?? []).flatMap((v, i) => [m.base?.[i] ?? 0, (m.base?.[i] ?? 0) + v]);
    }
    return name === "y" && m.kind === "band" ? [...(m.y ?? []), ...(m.base ?? [])] : [...(m[name] ?? [])];
  }).filter((v) => Number.isFinite(v) && !(axes[name].base && v <= 0));
  const least = (a: number, b: number) => Math.min(a, b), greatest = (a: number, b: number) => Math.max(a, b);
  return places.length ? [places.reduce(least), places.reduce(greatest)] : undefined; // there may be too many to be arguments
}

/** spanOf is the interval of an axis that an image covers, from the left or the bottom. */
function spanOf({ rows = 0, columns = 0, extent, fromLow }: Partial<Image>, name: "x" | "y"): [number, number] {
  const [left = -0.5, right = columns - 0.5, low = fromLow ? -0.5 : rows - 0.5, high = fromLow ? rows - 0.5 : -0.5] = extent ?? [];
  return name === "x" ? [left, right] : [low, high];
}

function scaleOf(axes: Axes, name: "x" | "y"): Plot.ScaleOptions {
  const axis = axes[name];
  const picture = axes.marks.find((m) => m.kind === "picture")?.image;
  const range = picture ? spanOf(picture, name) : rangeOf(axes, name);
  const limited = axis.low !== undefined || axis.high !== undefined || picture;
  const [low, high] = [axis.low ?? range?.[0] ?? 0, axis.high ?? range?.[1] ?? 1];
  const ticks = axis.ticks ?? axis.names?.map((_, i) => i);
  return {
    label: axis.label ?? null, labelArrow: "none", grid: axes.grid ?? false,
    ...(axes.hidden && { axis: null }),
    // Points at an edge are drawn whole.
    ...(axes.marks.some((m) => m.kind === "scatter") && { inset: 10 }),
    ...(axis.base && { type: "log", base: axis.base }),
    ...(limited ? { domain: [low, high] } : range && range[0] < range[1] ? { nice: true } : { domain: [low - 0.5, high + 0.5] }),
    ...(ticks && { ticks: [...ticks] }),
    ...(axis.names && { tickFormat: (value: number) => nameAt(axis, value) ?? "" }),
  };
}

/** nameAt is the category or the name of the tick at a place. */
function nameAt({ names, ticks }: Axis, value: number): string | undefined {
  return names?.[ticks ? ticks.indexOf(value) : value];
}

/** pixels draws an image where its extent says; then it is watched. */
function pixels(image: Partial<Image>, data: string, watch?: (element: SVGImageElement) => void): Plot.RenderFunction {
  return (_index, scales) => {
    const [left, right] = spanOf(image, "x"), [low, high] = spanOf(image, "y");
    const x = scales.x as unknown as (v: number) => number, y = scales.y as unknown as (v: number) => number;
    const element = document.createElementNS("http://www.w3.org/2000/svg", "image");
    const box = { x: Math.min(x(left), x(right)), y: Math.min(y(low), y(high)), width: Math.abs(x(right) - x(left)), height: Math.abs(y(low) - y(high)) };
    for (const [name, value] of Object.entries({ ...box, href: `data:image/png;base64,${data}`, preserveAspectRatio: "none", class: "pixels" })) element.setAttribute(name, String(value));
    watch?.(element);
    return element as unknown as SVGElement;
  };
}

/** watchPixels tells onPixel which pixel of a drawn image is pointed at. */
function watchPixels(element: SVGImageElement, image: Image, onPixel: (at: At | undefined) => void): void {
  element.addEventListener("pointermove", (event) => {
    const at = element.getBoundingClientRect();
    const column = Math.floor(((event.clientX - at.left) / at.width) * image.columns);
    const down = Math.floor(((event.clientY - at.top) / at.height) * image.rows);
    const row = image.fromLow ? image.rows - 1 - down : down;
    const from = (row * image.columns + column) * image.channels;
    const values = image.values.slice(from, from + image.channels).map((v) => Number(v.toPrecision(6)));
    onPixel(values.length ? { row, column, value: values.join(", ") } : undefined);
  });
  element.addEventListener("pointerleave", () => onPixel(undefined));
}
