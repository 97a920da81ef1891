import type { Mistake } from "../content/mistakes";
import type { CheckRequest, Diagnostic } from "../gen/api";

/**
 * refusals are the mistakes of MISTAKES.md that puzzles ask about, by the puzzle's number: the code whose program is shown, and
 * two others, whose reasons are none of its own.
 */
export const refusals: Readonly<Record<number, readonly string[]>> = {
  1: ["pointer-indexed", "subscript-assigned", "pointer-operands"],
  2: ["condition-tile", "address-stored", "needs-constexpr"],
  3: ["shape-mismatch", "arange-power-of-two", "store-pointer-shape"],
  4: ["store-pointer-shape", "shape-mismatch", "address-stored"],
  5: ["subscript-assigned", "needs-constexpr", "pointer-operands"],
  6: ["mask-shape", "mask-not-bool", "needs-constexpr"],
  601: ["builtin-reduce", "unknown-method", "axis-out-of-range"],
  701: ["block-with-scalar-pointer", "mask-not-bool", "address-stored"],
  1001: ["dot-inner-dim", "shape-mismatch", "needs-constexpr"],
  1101: ["operand-types", "pointer-operands", "floor-division-float"],
};

/** Refusal is a program with what newt says of it. */
export interface Refusal extends Mistake {
  code: string;
  said: Diagnostic;
}

/** checkOf is the check of an example of a mistake, which stands without its imports; its arguments are those of the catalogue. */
export function checkOf({ refused }: Mistake): CheckRequest {
  return {
    source: `import triton\nimport triton.language as tl\n\n\n${refused}`, strict: false, kernel: "kernel", grid: "1",
    args: [
      { name: "x_ptr", kind: "tensor", dtype: "float32", shape: "64", fill: "arange" },
      { name: "i_ptr", kind: "tensor", dtype: "int32", shape: "64", fill: "arange" },
      { name: "n", kind: "int", value: "100" },
      { name: "BLOCK", kind: "constexpr", value: "16" },
    ],
  };
}

/** reasonsOf are the reasons to choose from, in the order of the alphabet. */
export function reasonsOf(refusals: readonly Refusal[]): string[] {
  return [...new Set(refusals.map(({ said }) => said.why))].sort();
}
