import { d } from "../i18n/device";
import { Phrase } from "../ui/phrase-view";
import type { RunnerLoss } from "../runner/loss";
import { lang } from "../settings/settings";
import { lossWords } from "./words";

/** LossView says why there is no result of a device. */
export default function LossView({ loss }: { loss: RunnerLoss }) {
  return <div class="fault" id="loss" role="alert"><p><Phrase text={lossWords(loss, lang.value)} /></p><p>{d.value.lossSafe}</p></div>;
}
