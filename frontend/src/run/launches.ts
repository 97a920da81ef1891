import { computed, signal } from "@preact/signals";
import { text } from "../document/workspace";
import { interpreter } from "../engine/engines";
import type { FreeReply, IRReply, LookRequest } from "../gen/api";
import { lang } from "../settings/settings";
import { launchAt, type Listed, spotOf, type Spot } from "./listed";

/** launches are those of the session, in order. */
export const launches = signal<readonly Listed[]>([]);

const opened = signal<Spot | undefined>(undefined);

/** chosen is the launch that the views show; undefined while none is chosen, or until its cell has made it again. */
export const chosen = computed(() => opened.value && launchAt(launches.value, opened.value));

/** choose has the views show a launch; undefined leaves the choice to them. */
export function choose(number: number | undefined): void {
  opened.value = spotOf(launches.peek(), number);
}

/** followRun has the choice go on to a run that takes the place of another. */
export function followRun(instead: number, run: number): void {
  const of = opened.peek();
  if (of?.run === instead) opened.value = { ...of, run };
}

/** tensorsOf is what a launch of a session did; undefined where the program cannot say. */
export async function tensorsOf(session: string, number: number): Promise<FreeReply | undefined> {
  return (await interpreter.call({ lang: lang.peek(), look: lookAt(session, number) }).catch(() => undefined))?.free;
}

/** kernelOf is the IR of a launch's kernel; undefined where the launch is not kept. */
export async function kernelOf(session: string, number: number): Promise<IRReply | undefined> {
  const { ir } = await interpreter.call({ lang: lang.peek(), launchIR: lookAt(session, number) });
  return ir?.ir ? ir : undefined;
}

function lookAt(session: string, number: number): LookRequest {
  return { session, number, text: text.peek() ?? "" };
}
