import type { Kernel } from "../gen/api";

/** What block sizes are called: BLOCK, BLOCK_M, BM, B0. */
const block = /^B(?:LOCK(?:_SIZE)?_?)?([A-Z]?\d?)$/i;

/**
 * proposeGrid guesses the grid of a kernel: for each program id that its text asks for, as many
 * programs as blocks cover the size of the same name (N0 and B0, M and BLOCK_M), or of the same place.
 */
export function proposeGrid(source: string, { name, args }: Kernel): string {
  const sizes = args.filter((a) => a.kind === "int" && !/stride/i.test(a.name)).map((a) => a.name);
  const blocks = args.filter((a) => a.kind === "constexpr" && block.test(a.name)).map((a) => a.name);
  const axes = 1 + Math.max(0, ...[...bodyOf(source, name).matchAll(/program_id\(\s*(?:axis\s*=\s*)?([0-2])/g)].map((m) => Number(m[1])));
  const along = (axis: number) => {
    const by = blocks[axis];
    const over = by === undefined ? undefined : (sizes.find((s) => suffix(s) === block.exec(by)?.[1]?.toUpperCase()) ?? sizes[axis]);
    return by !== undefined && over !== undefined ? `triton.cdiv(${over}, ${by})` : "1";
  };
  const grid = Array.from({ length: axes }, (_, axis) => along(axis));
  return grid.length === 1 ? (grid[0] ?? "1") : `(${grid.join(", ")})`;
}

/** suffix is what a size shares with its block: M of M, 0 of N0. */
function suffix(size: string): string {
  return (/^[A-Z]?(\d)$/i.exec(size)?.[1] ?? size).toUpperCase();
}

/** bodyOf is the text from a function's name to the next function. */
function bodyOf(source: string, name: string): string {
  const start = source.search(new RegExp(`\\bdef\\s+${name.replace(/\W/g, "")}\\b`));
  const rest = source.slice(Math.max(0, start) + 4);
  const end = rest.search(/^(?:@|def\s)/m);
  return end < 0 ? rest : rest.slice(0, end);
}
