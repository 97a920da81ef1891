import { signal } from "@preact/signals";

/** ProgramFile is a WASM module that the build wrote: its name, its bytes before compression, and the name of a second part. */
export interface ProgramFile {
  name: string;
  bytes: number;
  rest?: string;
}

/** Download counts the bytes of a file that have arrived, compressed as they travel. */
export interface Download {
  done: number;
  total: number;
}

/** Program is a WASM module, compiled while it downloads, once for all workers. */
export class Program {
  /** download is set from the response's first byte on. */
  readonly download = signal<Download | undefined>(undefined);

  private compiled: Promise<WebAssembly.Module> | undefined;

  constructor(private readonly file: ProgramFile) {}

  /** module fetches and compiles; after a failure, the next call tries again. */
  readonly module = (): Promise<WebAssembly.Module> => {
    this.compiled ??= this.compile().catch((error: unknown) => {
      this.compiled = undefined;
      throw error;
    });
    return this.compiled;
  };

  private async compile(): Promise<WebAssembly.Module> {
    const response = await fetch(this.file.name);
    if (!isCached()) void this.count(response.clone());
    return WebAssembly.compileStreaming(response);
  }

  /** count reads a copy of the response. Its body is decompressed; its Content-Length is of what travels. */
  private async count(response: Response): Promise<void> {
    const reader = response.body?.getReader();
    const total = Number(response.headers.get("Content-Length")) || this.file.bytes;
    let read = 0;
    for (;;) {
      this.download.value = { done: total * Math.min(1, read / this.file.bytes), total };
      const chunk = await reader?.read().catch(() => undefined); // the download failed: compile reports it
      if (!chunk || chunk.done) return;
      read += chunk.value.length;
    }
  }
}

/**
 * isCached tells whether the browser had the page's own script, and so, most likely, the program: to count twelve megabytes that
 * are there at once takes the page's thread longer than to pass them on to the compiler.
 */
export function isCached(): boolean {
  const [script] = performance.getEntriesByName(import.meta.url) as PerformanceResourceTiming[];
  return script?.transferSize === 0 && script.decodedBodySize > 0;
}
