/** shapeText writes a shape as Python would write a list: [4, 200]. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(", ")}]`;
}

/** programText writes a program id without its trailing zero axes: (3), (3, 1). */
export function programText(program: readonly number[]): string {
  return axesText(program, 0);
}

/** launchText writes a grid without its trailing axes of one program: (40), (4, 2). */
export function launchText(grid: readonly number[]): string {
  return axesText(grid, 1);
}

function axesText(axes: readonly number[], plain: number): string {
  const last = axes.findLastIndex((n) => n !== plain);
  return `(${axes.slice(0, Math.max(1, last + 1)).join(", ")})`;
}

/** short writes a number with at most three significant digits. */
export function short(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : String(value).replace("Infinity", "∞");
}

/** Scale is how an amount is written while it is, rounded to so many digits, below a number of a unit. */
interface Scale {
  below: number;
  unit: string;
  per: number; // how much one unit is
  digits: number;
}

const milliseconds: readonly Scale[] = [
  { below: 10, unit: "ms", per: 1, digits: 1 },
  { below: 1000, unit: "ms", per: 1, digits: 0 },
  { below: Infinity, unit: "s", per: 1000, digits: 2 },
];

const microseconds: readonly Scale[] = [
  { below: 10, unit: "µs", per: 1e-3, digits: 2 },
  { below: 1000, unit: "µs", per: 1e-3, digits: 1 },
  ...milliseconds,
];

const bytes: readonly Scale[] = [
  { below: 1000, unit: "B", per: 1, digits: 0 },
  ...["kB", "MB", "GB"].flatMap((unit, i) => [
    { below: 10, unit, per: 1000 ** (i + 1), digits: 1 },
    { below: unit === "GB" ? Infinity : 1000, unit, per: 1000 ** (i + 1), digits: 0 },
  ]),
];

/** write writes an amount on the first scale that it fits. */
function write(amount: number, scales: readonly Scale[]): string {
  let text = "";
  for (const { below, unit, per, digits } of scales) {
    const rounded = (amount / per).toFixed(digits);
    text = `${rounded} ${unit}`;
    if (Number(rounded) < below) break;
  }
  return text;
}

/** duration writes milliseconds for people. */
export function duration(ms: number): string {
  return write(ms, milliseconds);
}

/** time writes nanoseconds for people. */
export function time(ns: number): string {
  return write(ns / 1e6, microseconds);
}

/** sentence begins a message with a capital letter, unless it begins with a name in backquotes. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** size writes a number of letters or bytes for people. */
export function size(count: number): string {
  return write(count, bytes);
}

/** sentences joins parts, each with a full stop or without, to sentences that have one each. */
export function sentences(parts: readonly (string | undefined)[], lang: "en" | "zh"): string {
  const plain = parts.flatMap((part) => part?.replace(/[.。]$/, "") || []);
  return lang === "zh" ? `${plain.join("；")}。` : plain.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`).join(" ");
}
