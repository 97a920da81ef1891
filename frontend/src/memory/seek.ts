import { text } from "../document/workspace";
import { EngineFault } from "../engine/engine";
import type { SeekReply, Stop } from "../gen/api";
import { pick } from "../run/choice";
import { lang } from "../settings/settings";
import { look } from "./looking";
import { at, current, lookedAt } from "./stage";

/** Direction is where to look for a step: forwards or back, in the program alone or in all. */
export interface Direction {
  back: boolean;
  within: boolean;
}

/** Sought is what came of looking for a stop: no reply where a person stopped it, or it failed. */
export interface Sought {
  reply?: SeekReply | undefined;
  stopped?: boolean;
}

/** seek goes to the next step at one of some stops, or the one before; the engine looks for it, since the page holds a window only. */
export async function seek(stops: readonly Stop[], { back, within }: Direction): Promise<Sought> {
  const source = text.peek();
  const of = source === undefined ? undefined : lookedAt(source);
  const shown = current.peek()?.inspected;
  if (!of || !shown) return {};
  const call = { lang: lang.peek(), seek: { of, program: shown.program, step: shown.from + at.peek(), back, within, stops: [...stops] } };
  try {
    const { seek: reply } = await look(of, call);
    if (reply && !reply.message && reply.stop >= 0) pick({ all: false, program: reply.program, step: reply.step });
    return { reply };
  } catch (fault) {
    return { stopped: fault instanceof EngineFault && fault.reason === "stopped" };
  }
}
