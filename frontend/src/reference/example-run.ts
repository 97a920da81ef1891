import { EngineFault } from "../engine/engine";
import { interpreter } from "../engine/engines";
import type { FreeArg, Print } from "../gen/api";
import { t } from "../i18n/table";
import { lang } from "../settings/settings";

/** Outcome is the output of an example, or the reason why it did not run. */
export interface Outcome {
  prints: Print[];
  message: string; // empty where it ran
}

const tensor = (name: string, dtype: string, fill: string): FreeArg => ({ name, kind: "tensor", dtype, shape: "16", fill });

/** The arguments that every example is written for: compiler/tl's ExampleParams. */
const args: FreeArg[] = [
  tensor("x_ptr", "float32", "arange"),
  tensor("i_ptr", "int32", "arange"),
  tensor("out_ptr", "float32", "zeros"),
  { name: "n", kind: "int", value: "10" },
];

/** runExample runs one example of the reference. */
export async function runExample(source: string): Promise<Outcome> {
  const free = { source, kernel: "example", args, grid: "1", seed: 0 };
  try {
    const reply = (await interpreter.call({ lang: lang.peek(), free })).free;
    return { prints: reply?.prints ?? [], message: reply?.ok ? "" : (reply?.message ?? "") };
  } catch (error) {
    const reason = error instanceof EngineFault ? error.reason : "crashed";
    return { prints: [], message: t.peek().faults[reason] };
  }
}
