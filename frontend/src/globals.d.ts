declare module "newt:assets" {
  const assets: { wasm: string; worker: string; ptx: string; content: Record<"en" | "zh", string>; reference: Record<"en" | "zh", string> };
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

declare module "*.css";
