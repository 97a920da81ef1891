declare module "newt:assets" {
  import type { ProgramFile } from "./engine/program";
  const assets: {
    wasm: ProgramFile;
    documents: ProgramFile;
    worker: string;
    ptx: ProgramFile;
    content: Record<"en" | "zh", string>;
    fast: Record<"en" | "zh", string>; // the content of the second course
    ways: Record<"en" | "zh", string>; // all solutions of both courses
    reference: Record<"en" | "zh", string>;
    stored: Record<"en" | "zh", string>;
    mistakes: string;
    folders: Record<number, string>; // each puzzle's files as a zip, by its number
  };
  export default assets;
}

declare module "newt:precache" {
  const precache: { version: string; files: string[] };
  export default precache;
}

declare module "newt:wasm_exec";

declare module "*.py" {
  const source: string;
  export default source;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

declare module "*.css";
