import { interpreter } from "../engine/engines";
import type { CaseDetail } from "../gen/api";
import { lang } from "../settings/settings";
import { runOf } from "./request";
import { result } from "./runs";

/** detailOf runs a test of the current result's answer once more and gives what came of it; undefined if that did not end. */
export async function detailOf(number: number): Promise<CaseDetail | undefined> {
  const of = runOf(result.peek()?.source ?? "")?.puzzle;
  if (!of) return undefined;
  const reply = await interpreter.call({ lang: lang.peek(), case: { of, number } }).catch(() => undefined);
  return reply?.case;
}
