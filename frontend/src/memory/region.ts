import { indexOf } from "../lib/tensor";
import { elementAt, mark, type Tensor } from "./inspected";

/** Region is what a program has read, or written, of a tensor. */
interface Region {
  does: "read" | "written";
  slice: string; // [0, 0:32]
}

/**
 * regionOf is the box of elements that the marks of a tensor's picture fill. There is none where a cell stands for several
 * elements, where some are read and others written, where one is outside, and where they fill no box.
 */
export function regionOf(marks: Uint8Array, of: Pick<Tensor, "shape" | "covers" | "columns">): Region | undefined {
  const [rows = 1, columns = 1] = of.covers;
  const does = marks.reduce((all, m) => all | (m & (mark.read | mark.written | mark.outside)), 0);
  if (rows > 1 || columns > 1 || (does !== mark.read && does !== mark.written)) return undefined;
  const from = of.shape.map(() => Infinity), to = of.shape.map(() => 0);
  let count = 0;
  marks.forEach((m, cell) => {
    if (!(m & does)) return;
    count++;
    indexOf(elementAt(of, cell), of.shape).forEach((at, axis) => {
      from[axis] = Math.min(from[axis] ?? at, at);
      to[axis] = Math.max(to[axis] ?? 0, at + 1);
    });
  });
  const sides = from.map((low, axis) => (to[axis] ?? 0) - low);
  if (sides.reduce((volume, side) => volume * side, 1) !== count) return undefined;
  const slice = from.map((low, axis) => (sides[axis] === 1 ? String(low) : `${low}:${to[axis]}`)).join(", ");
  return { does: does === mark.read ? "read" : "written", slice: `[${slice}]` };
}
