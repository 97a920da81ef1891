// The Web Worker: it runs newt's WASM, whose wasm/rpc registers newtHandle and calls newtReady.
// In: first {module}, then requests. Out: replies, and control messages.
import "newt:wasm_exec";
import type { FromWorker, ToWorker } from "./messages";

interface GoProgram {
  importObject: WebAssembly.Imports;
  exit: (code: number) => void;
  run(instance: WebAssembly.Instance): Promise<void>;
}

type Send = (text: string, buffers: ArrayBuffer[]) => void;

interface Scope {
  Go: new () => GoProgram;
  newtHandle?: (call: number, text: string, buffers: ArrayBuffer[], send: Send) => void;
  newtReady?: () => void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
}

const scope = self as unknown as Scope;

scope.onmessage = ({ data }) => {
  if ("module" in data) void start(data.module);
  else scope.newtHandle?.(data.call, data.text, data.buffers, (text, buffers) => scope.postMessage({ text, buffers }, buffers));
};

async function start(module: WebAssembly.Module): Promise<void> {
  const go = new scope.Go();
  scope.newtReady = () => scope.postMessage({ ready: true });
  go.exit = (code) => scope.postMessage({ exit: code });
  try {
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (error) {
    scope.postMessage({ fault: String(error) });
  }
}
