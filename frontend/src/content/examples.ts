import type { FreeArg } from "../gen/api";
import document from "./examples/document.py";
import ripple from "./examples/ripple.py";
import softmax from "./examples/softmax.py";
import vectorAdd from "./examples/vector_add.py";

/** documentExample is the text of a new document. */
export const documentExample = document;

/** Example is a kernel to start from, with what it is called with. */
export interface Example {
  id: "ripple" | "vectorAdd" | "softmax";
  source: string;
  kernel: string;
  args: FreeArg[];
  grid: string;
  seed: number;
}

const tensor = (name: string, shape: string, fill: string): FreeArg => ({ name, kind: "tensor", dtype: "float32", shape, fill });
const int = (name: string, value: number): FreeArg => ({ name, kind: "int", value: String(value) });
const constexpr = (name: string, value: number): FreeArg => ({ name, kind: "constexpr", value: String(value) });

/** examples; the first is what a first visit shows. */
export const examples: readonly [Example, ...Example[]] = [
  {
    id: "ripple",
    source: ripple,
    kernel: "ripple",
    args: [tensor("out_ptr", "40, 64", "zeros"), int("H", 40), int("W", 64), constexpr("BLOCK", 64)],
    grid: "H",
    seed: 0,
  },
  {
    id: "vectorAdd",
    source: vectorAdd,
    kernel: "add",
    args: [
      tensor("x_ptr", "1000", "rand"),
      tensor("y_ptr", "1000", "rand"),
      tensor("out_ptr", "1000", "zeros"),
      int("n", 1000),
      constexpr("BLOCK", 256),
    ],
    grid: "triton.cdiv(n, BLOCK)",
    seed: 0,
  },
  {
    id: "softmax",
    source: softmax,
    kernel: "softmax",
    args: [tensor("x_ptr", "12, 50", "randn"), tensor("out_ptr", "12, 50", "zeros"), int("n", 50), constexpr("BLOCK", 64)],
    grid: "12",
    seed: 0,
  },
];
