import type { ComponentChildren } from "preact";
import { partFailed, t } from "../i18n/table";
import { keysOf } from "../ui/shortcuts";
import { Phrase } from "../ui/phrase-view";
import type { Result } from "../run/result";
import { result, running, stale } from "../run/runs";
import { doc, route } from "../document/workspace";
import { ClaimView } from "../share/claim";
import { claim } from "../share/incoming";
import { lazy } from "../ui/lazy";
import { useLater } from "../ui/use-later";
import { Loading } from "./loading";
import { FreeResult } from "./free-result";
import { LastRun } from "./last-run";
import { Problems } from "./problems";
import { longRunMs, ProgressBar } from "./progress-bar";
import { VerdictView } from "./verdict";

const DeviceOutcome = lazy(() => import("../device/outcome"), partFailed);
const DocumentResult = lazy(() => import("./document-result"), partFailed);
const LossView = lazy(() => import("../device/loss"), partFailed);

/** ResultView shows the last run of the current document. */
export default function ResultView() {
  const shown = result.value;
  return (
    <div class="scroll" id="view-result" role="tabpanel" aria-labelledby="tab-result">
      <Loading />
      <ProgressBar />
      {route.value.page === "document" ? <><Problems /><Told /><DocumentResult wanted /></> : <Run shown={shown} />}
    </div>
  );
}

/** Told is what a runner's device told of the document's last run, or why there is no result of it. */
function Told() {
  const { device, loss } = result.value ?? {};
  if (loss) return <LossView wanted loss={loss} />;
  return device ? <DeviceOutcome wanted run={device} compared={undefined} /> : null;
}

function Run({ shown }: { shown: Result | undefined }) {
  return shown ? <Shown result={shown} /> : <><Empty /><Problems /></>;
}

function Empty() {
  const busy = running.value?.doc === doc.value;
  return (
    <div class="empty">
      <Claimed />
      <p>{busy ? t.value.runningNow : t.value.resultEmpty}</p>
      {!busy && <p class="fine">{t.value.resultEmptyKeys(keysOf("run"))}</p>}
    </div>
  );
}

/** Claimed shows the results that the author of an opened link saw, until the reader has run it too. */
function Claimed() {
  return claim.value ? <ClaimView results={claim.value} /> : null;
}

/** Shown is the result of the last run: whole while it is of what the page holds, in one line after that. */
function Shown({ result }: { result: Result }) {
  const words = t.value;
  const run = running.value;
  const again = useLater(run?.doc === doc.value ? run?.since : undefined, longRunMs);
  if (!stale.value && !again) return <Outcome result={result}><Problems /></Outcome>;
  return (
    <>
      <LastRun result={result} why={again ? words.superseded : words.stale}><Outcome result={result} /></LastRun>
      <Problems />
    </>
  );
}

/** Outcome is everything that a run gave. Children follow the verdict. */
function Outcome({ result, children }: { result: Result; children?: ComponentChildren }) {
  const words = t.value;
  const { verdict, free, fault, loss, device } = result;
  return (
    <div class="outcome">
      {fault && (
        <div class="fault" role="alert"><p>{words.faults[fault.reason]}</p>{fault.message && <p><Phrase text={fault.message} /></p>}</div>
      )}
      {loss && <LossView wanted loss={loss} />}
      {verdict && <VerdictView verdict={verdict}>{children}</VerdictView>}
      {free && <FreeResult reply={free}>{children}</FreeResult>}
      {device && <DeviceOutcome wanted run={device} compared={(verdict ?? free)?.compared} />}
      {(fault ?? loss) && children}
    </div>
  );
}
