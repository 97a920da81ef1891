// The Web Worker: it runs newt's WASM, whose main registers newtHandle and calls newtReady.
// In: first {module}, then requests as JSON. Out: replies as JSON, and control messages.
import "newt:wasm_exec";
import type { FromWorker, ToWorker } from "./messages";

interface GoProgram {
  importObject: WebAssembly.Imports;
  exit: (code: number) => void;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface Scope {
  Go: new () => GoProgram;
  newtHandle?: (request: string, send: (reply: string) => void) => void;
  newtReady?: () => void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
}

const scope = self as unknown as Scope;

scope.onmessage = ({ data }) => {
  if (typeof data === "string") scope.newtHandle?.(data, (reply) => scope.postMessage(reply));
  else void start(data.module);
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
