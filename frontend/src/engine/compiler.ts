import assets from "newt:assets";
import { Engine } from "./engine";
import { Program } from "./program";
import type { Reply, Request } from "../gen/code";

/** compiler is the program that compiles to PTX and simulates it; it is fetched when it is first woken. */
export const compiler = new Engine<Request, Reply>({ module: new Program(assets.ptx).module, worker: () => new Worker(assets.worker) });
