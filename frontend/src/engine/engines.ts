import { computed, effect, signal } from "@preact/signals";
import assets from "newt:assets";
import { type Call, Engine, type Parts } from "./engine";
import { isFast } from "../lib/fast";
import { Program } from "./program";

/** The programs that both engines run: the compiler and the interpreter, and those with all that documents import. */
const program = new Program(assets.wasm);
const documents = new Program(assets.documents);

/** download is that of the program which loads. */
export const download = computed(() => documents.download.value ?? program.download.value);

/** needs tells which calls are about documents, or about puzzles that the first program does not have. */
function needs(call: Call): boolean {
  const about = [call.check, call.puzzle, call.case?.of, call.inspect?.puzzle, call.ir?.of, call.job?.of.puzzle].map((of) => of?.custom ?? isFast(of?.puzzle));
  const documents = [call.document, call.look, call.inspect?.look, call.launchIR, call.job?.of.look, call.mistake, call.why, call.seek, call.courses, call.findings, call.open, call.save, call.prose, call.check?.document];
  return [...documents, ...about, call.load, call.make].some(Boolean);
}

/** rest is the address of what the first program lacks until it runs. */
const rest = assets.wasm.rest && new URL(assets.wasm.rest, document.baseURI).href;

const parts: Parts<Call> = {
  module: program.module,
  rest,
  worker: () => new Worker(assets.worker),
  larger: {
    module: documents.module,
    needs,
  },
};

/** helper answers while one types: diagnostics, completion, hover. */
export const helper = new Engine(parts);

/** interpreter runs kernels, so that stopping one leaves the helper alone. */
export const interpreter = new Engine(parts);

/** searcher has the larger program, so that no run waits for a search. It starts with its first call. */
export const searcher = new Engine<Call>({ module: documents.module, worker: parts.worker });

/** helperFailed is true from when the helper could not be started until somebody tries again. */
export const helperFailed = computed(() => helper.state.value === "failed");

/** helperCrashed is true from the helper's death until a person has read of it. */
export const helperCrashed = signal(false);

/** startEngines starts both engines; they share one download. A page that shows a document needs the larger program. */
export function startEngines(document: boolean): void {
  if (document) for (const engine of [helper, interpreter]) engine.grow();
  else prefetchRest();
  helper.start();
  interpreter.start();
  effect(() => {
    if (helper.crashes.value > 0) helperCrashed.value = true;
  });
}

/** retry starts those engines again that could not be started. */
export function retry(): void {
  for (const engine of [helper, interpreter, searcher]) if (engine.state.peek() === "failed") engine.start();
}

/** prefetchRest has the browser fetch the rest of the program once all that is needed sooner is here. */
function prefetchRest(): void {
  const dispose = effect(() => {
    if (!rest || helper.state.value !== "ready") return;
    queueMicrotask(() => dispose());
    // The workers take it from the browser's cache, or fetch it themselves.
    fetch(rest, { priority: "low" }).then((response) => response.arrayBuffer()).catch(() => undefined);
  });
}
