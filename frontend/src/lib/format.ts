/** shapeText writes a shape as Python would write a list: [4, 200]. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(", ")}]`;
}

/** programText writes a program id without its trailing zero axes: (3), (3, 1). */
export function programText(program: readonly number[]): string {
  let axes = program.length;
  while (axes > 1 && program[axes - 1] === 0) axes--;
  return `(${program.slice(0, axes).join(", ")})`;
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
