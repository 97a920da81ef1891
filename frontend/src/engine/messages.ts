/** Packet is a request or a reply: JSON, and the buffers of raw bytes that it names, which are transferred. */
export interface Packet {
  text: string;
  buffers: ArrayBuffer[];
}

/** ToWorker is the compiled module, once, with the address of the rest of the program; then requests with the number of their call. */
export type ToWorker = { module: WebAssembly.Module; rest?: string } | (Packet & { call: number });

/** FromWorker is a reply, or news of the program itself; it says that it loads its rest, and then that it has it, and of its end whether memory was at an end. */
export type FromWorker = Packet | { ready: true } | { loading: boolean } | (({ exit: number } | { fault: string }) & { outOfMemory?: boolean });
