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

/** duration writes milliseconds for people. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** time writes nanoseconds for people. */
export function time(ns: number): string {
  return ns < 1e6 ? `${(ns / 1e3).toFixed(ns < 1e4 ? 2 : 1)} µs` : duration(ns / 1e6);
}

/** sentence begins a message with a capital letter, unless it begins with a name in backquotes. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** size writes a number of letters or bytes for people. */
export function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
}
