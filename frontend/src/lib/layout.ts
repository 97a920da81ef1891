import type { Tile } from "../gen/code";

/** Part is a run of elements along the last axis that one thread keeps next to each other. */
export interface Part {
  from: number; // the first element
  lane: number;
  warp: number;
  reg: number; // of the first element
}

/** Placing is a tile's layout in numbers, and its first parts: those of its upper left corner. */
export interface Placing {
  run: number; // elements of a part
  columns: number; // parts across the corner
  parts: Part[];
  whole: boolean; // the corner is all of the tile
  threads: number;
  warps: number;
  each: number; // elements that a thread keeps
  copies: number; // threads that keep the same element
}

/** The corner has so many parts across and down; a vector is wrapped. */
const side = 16;

/** placingOf works a layout out. */
export function placingOf({ shape, reg, lane, warp }: Tile): Placing {
  const last = shape.at(-1) ?? 1;
  const count = shape.reduce((a, b) => a * b, 1);
  let run = 1;
  while (run < last && reg.includes(run)) run *= 2;
  const across = last / run;
  const columns = Math.min(side, across);
  const shown = shape.length > 1 ? columns * Math.min(side, count / last) : Math.min(side * side, across);
  const holders = holdersOf({ reg, lane, warp });
  const parts = Array.from({ length: shown }, (_, i) => {
    const from = (Math.floor(i / columns) * (shape.length > 1 ? last : columns * run)) + (i % columns) * run;
    return { from, ...holders(from) };
  });
  const free = [...lane, ...warp].filter((basis) => basis === 0).length;
  return {
    run, columns, parts, whole: shown * run === count, threads: 2 ** (lane.length + warp.length), warps: 2 ** warp.length,
    each: 2 ** reg.filter((basis) => basis !== 0).length, copies: 2 ** free,
  };
}

/** holdersOf gives for an element the first thread and register that keep it: each of its bits is one basis. */
function holdersOf({ reg, lane, warp }: Pick<Tile, "reg" | "lane" | "warp">): (element: number) => Omit<Part, "from"> {
  const bits = (bases: number[], element: number) => bases.reduce((n, basis, i) => (basis !== 0 && (element & basis) !== 0 ? n | (1 << i) : n), 0);
  return (element) => ({ reg: bits(reg, element), lane: bits(lane, element), warp: bits(warp, element) });
}
