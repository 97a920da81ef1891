import assets from "newt:assets";
import type { InspectReply, InspectRequest, KernelsReply } from "../gen/api";
import { earlyAnswer } from "../lib/early";
import { equal } from "../lib/equal";
import { lang } from "../settings/settings";
import { examples } from "./examples";

/** Stored is what the first example does, as newt said while the page was built; frontend/build/stored.go writes it. */
interface Stored {
  inspect: InspectRequest; // the question
  kernels: KernelsReply;
  reply: InspectReply;
  buffers: string[]; // in hexadecimal
}

let fetched: Promise<Stored | undefined> | undefined;

/** stored fetches the answers, once; without them a person waits for the compiler. */
function stored(): Promise<Stored | undefined> {
  fetched ??= earlyAnswer(assets.stored[lang.peek()]) as Promise<Stored | undefined>;
  return fetched;
}

/** patienceMs is how long the page's first frame waits for the answers, which it is drawn with if they are in time. */
const patienceMs = 150;

/** storedOrLate resolves when the answers are here, if they were asked for, or too late. */
export async function storedOrLate(): Promise<void> {
  if (fetched) await Promise.race([fetched, new Promise((then) => setTimeout(then, patienceMs))]);
}

/** storedKernels are the kernels of a text, if that is the first example. */
export async function storedKernels(source: string): Promise<KernelsReply | undefined> {
  return source === examples[0].source ? (await stored())?.kernels : undefined;
}

/** storedLook is what a launch does, if that is the first example's. */
export async function storedLook(of: InspectRequest): Promise<{ reply: InspectReply; buffers: ArrayBuffer[] } | undefined> {
  if (of.free?.source !== examples[0].source) return undefined;
  const answers = await stored();
  return answers && equal(of, answers.inspect) ? { reply: answers.reply, buffers: answers.buffers.map(bytesOf) } : undefined;
}

function bytesOf(hexadecimal: string): ArrayBuffer {
  const digit = (at: number) => {
    const code = hexadecimal.charCodeAt(at);
    return code < 58 ? code - 48 : code - 87; // 0 to 9, a to f
  };
  return Uint8Array.from({ length: hexadecimal.length / 2 }, (_, i) => 16 * digit(2 * i) + digit(2 * i + 1)).buffer;
}
