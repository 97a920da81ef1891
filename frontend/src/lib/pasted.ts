/** Taken is what a puzzle takes of a pasted notebook cell, and the names of what it leaves out. */
export interface Taken {
  text: string;
  left: string[];
}

/**
 * kernelOf takes the kernels of a cell, the statements that isKernel finds, with Triton's imports; a puzzle has its own spec
 * and its own tests. What it needs is given: a module that it shared with the editor would be a request of each first visit.
 */
export function kernelOf(text: string, isKernel: RegExp): Taken {
  const parts = statements(text);
  const kernels = parts.filter((p) => isKernel.test(p));
  const left = parts.filter((p) => !isKernel.test(p) && !/^(?:#|$|import triton\b)/.test(p));
  return { text: `import triton\nimport triton.language as tl\n\n\n${kernels.join("\n\n\n")}\n`, left: [...new Set(left.map(nameOf))] };
}

/** statements are the statements of a module, without what stands between them; decorators are part of theirs. */
function statements(text: string): string[] {
  const parts: string[] = [];
  let open = false; // what comes belongs to the last part
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const begins = /^[^\s#)\]}]/.test(line);
    if (begins && !open) parts.push(line);
    else if (parts.length) parts.push(`${parts.pop() ?? ""}\n${line}`);
    open = begins ? line.startsWith("@") : open;
  }
  return parts.map((p) => p.trimEnd());
}

/** nameOf names a statement: what it defines or calls, or its first words. */
function nameOf(statement: string): string {
  const [line = ""] = statement.split("\n");
  const defined = /^(?:def|class) (\w+)/.exec(line)?.[1];
  const called = /^([\w.]+)\s*\(/.exec(line)?.[1];
  return defined ?? (called ? `${called}(…)` : line);
}
