// The Web Worker: it runs newt's WASM, whose wasm/rpc registers newtHandle and calls newtReady.
// In: first {module}, then requests. Out: replies, and control messages.
//
// The build cuts the program in two (frontend/build/split.go). The module is what a first visit runs; as soon as a function of
// the rest is called, the module calls load, which returns once that function is there: all is loaded within the call.
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
  fs: { writeSync(file: number, text: Uint8Array): number };
  newtHandle?: (call: number, text: string, buffers: ArrayBuffer[], send: Send) => void;
  newtReady?: () => void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
}

const scope = self as unknown as Scope;

scope.onmessage = ({ data }) => {
  if ("module" in data) void start(data.module, data.rest);
  else scope.newtHandle?.(data.call, data.text, data.buffers, (text, buffers) => scope.postMessage({ text, buffers }, buffers));
};

async function start(module: WebAssembly.Module, rest?: string): Promise<void> {
  const go = new scope.Go();
  // Go's runtime writes why it ends, in parts, and exits with 2 whatever that is.
  const write = scope.fs.writeSync.bind(scope.fs);
  let outOfMemory = false;
  const note = (text: string) => (outOfMemory ||= /out of memory|cannot allocate/i.test(text));
  scope.fs.writeSync = (file, text) => {
    note(new TextDecoder().decode(text));
    return write(file, text);
  };
  scope.newtReady = () => scope.postMessage({ ready: true });
  go.exit = (code) => scope.postMessage({ exit: code, outOfMemory });
  try {
    const load = () => join(instance, rest);
    const instance = await WebAssembly.instantiate(module, { ...go.importObject, newt: { load } });
    await go.run(instance);
  } catch (error) {
    note(String(error));
    scope.postMessage({ fault: String(error), outOfMemory });
  }
}

/** join loads the rest of a program into it. */
function join({ exports }: WebAssembly.Instance, rest = ""): void {
  scope.postMessage({ loading: true });
  new WebAssembly.Instance(new WebAssembly.Module(fetchNow(rest)), { newt: exports });
  (exports.here as WebAssembly.Global<"i32">).value = 1;
  scope.postMessage({ loading: false });
}

/** fetchNow waits for a file, which a worker may: it has no other thread to go on with. */
function fetchNow(address: string): ArrayBuffer {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${address}: ${request.status}`);
  return request.response as ArrayBuffer;
}
