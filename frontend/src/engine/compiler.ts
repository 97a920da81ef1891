import assets from "newt:assets";
import { computed } from "@preact/signals";
import { Engine } from "./engine";
import { Program } from "./program";
import type { Reply, Request } from "../gen/code";

/** compiler is the program that compiles to PTX and simulates it; it is fetched when it is first woken. */
export const compiler = new Engine<Request, Reply>({ module: new Program(assets.ptx).module, worker: () => new Worker(assets.worker) });

/** compilerFailed is true from when the compiler could not be started until somebody tries again. */
export const compilerFailed = computed(() => compiler.state.value === "failed");
