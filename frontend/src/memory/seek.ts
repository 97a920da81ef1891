import { helper, interpreter } from "../engine/engines";
import { text } from "../document/workspace";
import type { SeekReply, Stop } from "../gen/api";
import { pick } from "../run/choice";
import { launchOf } from "../run/launch";
import { lang } from "../settings/settings";
import { at, current } from "./stage";

const timeoutMs = 20_000;

/** Direction is where to look for a step: forwards or back, in the program alone or in all. */
export interface Direction {
  back: boolean;
  within: boolean;
}

/** seek goes to the next step at one of some stops, or the one before; the engine looks for it, since the page holds a window only. */
export async function seek(stops: readonly Stop[], { back, within }: Direction): Promise<SeekReply | undefined> {
  const source = text.peek();
  const of = source === undefined ? undefined : launchOf(source);
  const shown = current.peek()?.inspected;
  if (!of || !shown) return undefined;
  const call = { lang: lang.peek(), seek: { of, program: shown.program, step: shown.from + at.peek(), back, within, stops: [...stops] } };
  const engine = of.look ? interpreter : helper;
  const reply = await engine.call(call, { timeoutMs }).then(({ seek: found }) => found, () => undefined);
  if (reply && !reply.message && reply.stop >= 0) pick({ all: false, program: reply.program, step: reply.step });
  return reply;
}
