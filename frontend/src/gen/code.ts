// Code generated from wasm/ptx/code/types.go. DO NOT EDIT.

/** Request asks for a kernel's PTX. */
export interface Request {
  id: number;
  lang: string; // "en" or "zh"
  ir: string; // base64, as wasm/api gives it
  source: string; // that the IR was compiled from
  target: string; // "sm_80" or "sm_90a"
  numWarps?: number;
}

/** Reply answers the Request with the same ID. Where the kernel cannot be compiled for a GPU, Problem says why. */
export interface Reply {
  id: number;
  done: boolean;
  error?: string; // the request itself could not be served
  ptx: Line[];
  layouts: Line[];
  threads: number; // of a program
  shared: number; // bytes of a program
  tookMs: number;
  problem?: string;
}

/** Line is a line of text and the place in the source that it came from. */
export interface Line {
  text: string;
  from: number;
  to: number;
  line: number; // in the source, counted from 1; 0 where it came from nowhere
}
