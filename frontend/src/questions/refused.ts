import type { Mistake } from "../content/mistakes";
import type { CheckRequest, Diagnostic } from "../gen/api";

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
