import { computed, effect, signal } from "@preact/signals";
import assets from "newt:assets";
import { Engine } from "./engine";
import { Program } from "./program";

/** program is what both engines run: the compiler and the interpreter. */
export const program = new Program(assets.wasm);

const parts = { module: program.module, worker: () => new Worker(assets.worker) };

/** helper answers while one types: diagnostics, completion, hover. */
export const helper = new Engine(parts);

/** interpreter runs kernels, so that stopping one leaves the helper alone. */
export const interpreter = new Engine(parts);

/** helperFailed is true from when the helper could not be started until somebody tries again. */
export const helperFailed = computed(() => helper.state.value === "failed");

/** helperCrashed is true from the helper's death until a person has read of it. */
export const helperCrashed = signal(false);

/** startEngines starts both engines; they share one download. */
export function startEngines(): void {
  helper.start();
  interpreter.start();
  effect(() => {
    if (helper.crashes.value > 0) helperCrashed.value = true;
  });
}
