/** isKernel finds the decorator of a kernel. */
export const isKernel = /^@(?:triton\.)?jit\b/m;
const more = /^(?:test\s*\(|def \w+_spec\b|(?:from|import) (?:torch|jaxtyping|triton_viz)\b)/m;

/** isWholeCell tells whether a text is a cell of a puzzles notebook: a kernel with its spec, its test or its imports. */
export function isWholeCell(text: string): boolean {
  return isKernel.test(text) && more.test(text);
}
