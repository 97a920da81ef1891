/** ToWorker is the compiled module, once, and then requests as JSON. */
export type ToWorker = string | { module: WebAssembly.Module };

/** FromWorker is a reply as JSON, or news of the program itself. */
export type FromWorker = string | { ready: true } | { exit: number } | { fault: string };
