import { computed, signal } from "@preact/signals";
import { text } from "../document/workspace";
import { interpreter } from "../engine/engines";
import type { FreeReply, IRReply, LookRequest } from "../gen/api";
import { lang } from "../settings/settings";
import type { Listed } from "./listed";

/** launches are those of the session, in order. */
export const launches = signal<readonly Listed[]>([]);

/** Chosen is the launch that the views show, with what it did as soon as that is known. */
interface Chosen {
  session: string;
  number: number;
  reply?: FreeReply;
}

const opened = signal<Chosen | undefined>(undefined);

/** chosen is the launch that the views show; undefined while none is chosen, or once its cell has run again. */
export const chosen = computed(() => (launches.value.some((l) => l.number === opened.value?.number) ? opened.value : undefined));

/** choose opens a launch of a session in the views; undefined closes it. */
export async function choose(session: string, number: number | undefined): Promise<void> {
  if (number === undefined) return void (opened.value = undefined);
  opened.value = { session, number };
  const reply = await interpreter.call({ lang: lang.peek(), look: lookAt(session, number) }).catch(() => undefined);
  const now = opened.peek();
  if (now?.session === session && now.number === number && reply?.free) opened.value = { ...now, reply: reply.free };
}

/** kernelOf is the IR of a launch's kernel; undefined where the launch is not kept. */
export async function kernelOf(session: string, number: number): Promise<IRReply | undefined> {
  const { ir } = await interpreter.call({ lang: lang.peek(), launchIR: lookAt(session, number) });
  return ir?.ir ? ir : undefined;
}

function lookAt(session: string, number: number): LookRequest {
  return { session, number, text: text.peek() ?? "" };
}
