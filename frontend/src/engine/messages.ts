/** Packet is a request or a reply: JSON, and the buffers of raw bytes that it names, which are transferred. */
export interface Packet {
  text: string;
  buffers: ArrayBuffer[];
}

/** ToWorker is the compiled module, once, and then requests with the number of their call. */
export type ToWorker = { module: WebAssembly.Module } | (Packet & { call: number });

/** FromWorker is a reply, or news of the program itself. */
export type FromWorker = Packet | { ready: true } | { exit: number } | { fault: string };
