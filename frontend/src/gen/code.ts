// Code generated from wasm/ptx/code/types.go. DO NOT EDIT.
import type { Goal } from "./goal";
import type { Report } from "./lens";
import type { Ladder } from "./goal";

/** Request asks for a kernel's PTX. */
export interface Request {
  lang: string; // "en" or "zh"
  ir: string; // base64, as wasm/api gives it
  source: string; // that the IR was compiled from
  target: string; // a name of package arch, as "sm_90a"
  lowered?: string;
  numWarps?: number;
  numStages?: number;
  unchecked?: boolean;
  launch?: string;
  goals?: Goal[];
  estimate?: boolean;
}

/** Reply answers the call with that ID. Where the kernel cannot be compiled for a GPU, Problem says why. */
export interface Reply {
  id: number;
  done: boolean;
  error?: string; // the request itself could not be served
  ptx: Line[];
  stages: Stage[];
  layouts: Tile[];
  idle: boolean; // the kernel has no effect: it writes nothing and prints nothing
  threads: number; // of a program
  shared: number; // bytes of a program
  tookMs: number;
  problem?: string;
  refused?: string[];
  lens?: Report;
  ladder?: Ladder;
  expected?: Expected;
  ended?: string;
}

/** Expected is how long a launch may take on a GPU of the target, by a model. */
export interface Expected {
  ms: number;
  bound: string; // what it is bound by: "memory", "cache", "compute" or "latency"
}

/** Stage is a kernel after one step of compilation. */
export interface Stage {
  name: string; // "lower", a pass of compiler/opt, or "plan"
  lines: Line[];
  changed: boolean; // whether a pass changed anything
}

/** Tile is a tile of the kernel and the threads that keep its elements. Elements are numbered in row-major order. Bit i of a register, lane or warp number adds the element Reg[i], Lane[i] or Warp[i] by exclusive or; 0 makes no difference, so that its two values keep copies. */
export interface Tile {
  name: string; // of its variable; empty where it has none
  type: string;
  shape: number[];
  reg: number[];
  lane: number[];
  warp: number[];
  line: Line; // the source that makes it
}

/** Line is a line of text and the place in the source that it came from. */
export interface Line {
  text: string;
  from: number;
  to: number;
  line: number; // in the source, counted from 1; 0 where it came from nowhere
}
