import type { Diagnostic } from "../gen/protocol";
import { d } from "../i18n/device";
import type { RunnerLoss } from "../runner/loss";
import { sentences } from "../lib/format";
import type { Lang } from "../settings/settings";

/** lossWords says why there is no runner: in the runner's own words where it gave any. */
export function lossWords(loss: RunnerLoss, lang: Lang): string {
  return loss.diagnostic ? diagnosticWords(loss.diagnostic, lang) : d.value.losses[loss.reason];
}

/** diagnosticWords is what a runner says of a launch. */
export function diagnosticWords(d: Diagnostic, lang: Lang): string {
  const { headline, why, help } = d[lang];
  return sentences([headline, why, help], lang);
}

/** hostOf names a runner for people. */
export function hostOf(address: string): string {
  try {
    const url = new URL(address);
    return url.protocol === "wss:" ? url.host : `${url.protocol}//${url.host}`;
  } catch {
    return address;
  }
}
