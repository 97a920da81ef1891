// Code generated from compiler/ptx/lens/report.go. DO NOT EDIT.

/** Report is what a kernel's launches did, summed up. */
export interface Report {
  kernel: string;
  file: string; // of the kernel's first line
  target: string;
  model: string; // where the counts come from
  launches: number;
  programs: number; // of all launches
  simulated: number;
  longest: number; // warp instructions of the program that executed most
  threads: number; // of a program
  sharedMemory: number; // bytes of a program
  lines: Line[];
  instructions: Record<string, number>; // of warps, by class
  flops: Record<string, number>; // additions and multiplications of floats, by class
  readBytes: number;
  writtenBytes: number;
  wave: number;
  waveSectors: number;
  assembled?: Assembled; // what ptxas made of it, if that was asked
  occupancy: Occupancy;
  roofline: Roofline[];
}

/** Line is what the instructions of a line did. */
export interface Line {
  file?: string; // both are zero for instructions that no line asks for
  line?: number; // from 1
  source?: string;
  instructions: Record<string, number>; // of warps, by class
  memory?: Traffic[];
}

/** Traffic is one line's traffic with one memory by one kind of access. A unit is a 32-byte sector of global memory or a wavefront of shared memory; Ideal is the least that the same bytes take. */
export interface Traffic {
  memory: Memory;
  access: Access;
  requests: number; // of warps; of tensor copies: boxes
  units: number; // of all requests
  ideal: number;
  unique?: number;
  updates?: number;
  words?: number;
}

/** Memory is "global" or "shared". */
export type Memory = string;

/** Access is how a memory is reached: "load", "store", "atomic", "async copy" (cp.async) or "tensor copy" (TMA). */
export type Access = string;

/** Assembled is what ptxas says of the machine code that it made of a kernel, of one thread. */
export interface Assembled {
  registers: number;
  spillStores: number; // bytes
  spillLoads: number; // bytes
}

/** Occupancy is how many programs run on a multiprocessor at once, as far as is known: ptxas decides on registers. */
export interface Occupancy {
  programs: number; // at a time
  warps: number;
  mostWarps: number; // that a multiprocessor takes
  limit: Limit;
  maxRegisters: number; // of a thread, with which this many programs still fit
}

/** Limit is what keeps another program out: "programs", "threads", "shared memory" or "registers". */
export type Limit = string;

/** Roofline is where a kernel lies under a GPU's roofline, if what it touches is moved once: at best. */
export interface Roofline {
  gpu: string;
  memorySeconds: number;
  computeSeconds: number;
  intensity: number; // FLOPs a byte
  ridge: number; // the intensity at which both take as long
  peakSeconds: number;
  busy: number;
  multiprocessors: number;
  waves: number;
}
