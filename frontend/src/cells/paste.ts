/** Pasted text of other formats than Python, by the name that a file of it would have. */
const formats: readonly { name: string; is: RegExp }[] = [
  { name: "pasted.ipynb", is: /^\s*\{(?=[^]*"nbformat"\s*:)(?=[^]*"(?:cells|worksheets)"\s*:)/ },
  { name: "pasted.txt", is: /^(?:In|Out)\s?\[[ \d*]*\]:/m },
  { name: "pasted.md", is: /^(?:```|~~~)\s*\{?\.?(?:py|python|python3|ipython3?)\b/m },
];

/** nameOfPasted is the name of a file with a text that is a document of another format than Python's; undefined of others. */
export function nameOfPasted(pasted: string): string | undefined {
  return formats.find(({ is }) => is.test(pasted))?.name;
}

/** marks of a script: it has a kernel, makes tensors, and launches a kernel by itself. */
const script: readonly RegExp[] = [/^@(?:triton\.)?(?:jit|autotune|heuristics)\b/m, /^(?:import|from) torch\b/m, /^[ \t]*(?:\w+ *= *)?\w+\[[^\]]+\]\s*\(/m];

/** isScript tells a script that launches its kernels from a kernel, which is what the free page takes. */
export function isScript(pasted: string): boolean {
  return script.every((mark) => mark.test(pasted));
}
