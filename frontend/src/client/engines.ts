import { effect, signal } from "@preact/signals";
import assets from "newt:assets";
import { Engine } from "./engine";

let compiled: Promise<WebAssembly.Module> | undefined;

/** module compiles the WASM while it downloads, once for all workers; a failure may be retried. */
function module(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compileStreaming(fetch(assets.wasm)).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

const parts = { module, worker: () => new Worker(assets.worker) };

/** helper answers while one types: diagnostics, completion, hover. */
export const helper = new Engine(parts);

/** runner runs kernels, so that stopping one leaves the helper alone. */
export const runner = new Engine(parts);

/** helperCrashed is true from the helper's death until a person has read of it. */
export const helperCrashed = signal(false);

/** startEngines starts the helper, and the runner once the helper has shown that the program starts. */
export function startEngines(): void {
  helper.start();
  effect(() => {
    if (helper.crashes.value > 0) helperCrashed.value = true;
  });
  const dispose = effect(() => {
    if (helper.state.value === "loading") return;
    queueMicrotask(() => dispose());
    runner.start();
  });
}
