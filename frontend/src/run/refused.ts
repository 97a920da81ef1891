import { compiler } from "../engine/compiler";
import { helper } from "../engine/engines";
import { targets } from "../gen/targets";
import { sentences } from "../lib/format";
import { lang } from "../settings/settings";
import { checkOf } from "./request";

/** dots tells of a text in which nothing takes much shared memory, for which the compiler need not be fetched. */
const dots = /\bdot(_scaled)?\s*\(/;

/** refusedBy is why Triton refuses to launch the kernel of a text, which newt has run; empty where it does not. */
export async function refusedBy(source: string): Promise<string> {
  if (!dots.test(source)) return "";
  try {
    const { ir } = await helper.call({ lang: lang.peek(), ir: { of: checkOf(source) } });
    if (!ir?.ir) return "";
    compiler.wake();
    const { refused = [] } = await compiler.call({ lang: lang.peek(), source, target: targets[0], ir: ir.ir });
    return sentences(refused, lang.peek());
  } catch {
    return ""; // the compiler's own view says that it is not there
  }
}
