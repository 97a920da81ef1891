import { t } from "../i18n/table";
import { useLater } from "../editor/run-button";
import { keys } from "../app/platform";
import { Phrase } from "../lib/phrase-view";
import { type Result, result, running, stale } from "../state/runs";
import { doc } from "../state/workspace";
import { ClaimView } from "../share/claim";
import { claim } from "../share/incoming";
import { CodePane, CodeTabs } from "../code/tabs";
import { codeView } from "../code/state";
import { lazy } from "../app/lazy";
import { FreeResult } from "./free-result";
import { Problems } from "./problems";
import { VerdictView } from "./verdict";

/** Runs shorter than this show no progress bar. */
const barAfterMs = 300;

const DeviceOutcome = lazy(() => import("../device/outcome"));
const DeviceStage = lazy(() => import("../device/stage"));
const LossView = lazy(() => import("../device/loss"));

/** ResultPane is what the last run of the current document did. */
export function ResultPane() {
  const shown = result.value;
  const view = codeView.value;
  return (
    <>
      <CodeTabs />
      {view === "result" ? (
        <div class="scroll" id="view-result" role="tabpanel" aria-labelledby="tab-result">
          <Announcement />
          <ProgressBar />
          {shown ? <Outcome result={shown} /> : <Empty />}
          {!shown && <Problems />}
        </div>
      ) : <CodePane wanted />}
    </>
  );
}

/** Announcement tells screen readers the outcome; it stays in place, as live regions must. */
function Announcement() {
  const shown = result.value;
  const { verdict, free, fault } = shown ?? {};
  return <p class="unseen" role="status">{fault ? t.value.faults[fault.reason] : (verdict ?? free)?.message}</p>;
}

function Empty() {
  const busy = running.value?.doc === doc.value;
  return (
    <div class="empty">
      <Claimed />
      <p>{busy ? t.value.runningNow : t.value.resultEmpty}</p>
      {!busy && <p class="fine">{t.value.resultEmptyKeys(keys("Mod", "Enter"))}</p>}
    </div>
  );
}

/** Claimed is what the author of an opened link saw, until the reader has run it too. */
function Claimed() {
  return claim.value ? <ClaimView results={claim.value} /> : null;
}

function Outcome({ result }: { result: Result }) {
  const words = t.value;
  return (
    <div class="outcome">
      <p class="stale-note">{stale.value ? words.stale : ""}</p>
      {result.fault && (
        <div class="fault" role="alert"><p>{words.faults[result.fault.reason]}</p>{result.fault.message && <p><Phrase text={result.fault.message} /></p>}</div>
      )}
      {result.loss && <LossView wanted loss={result.loss} />}
      {result.verdict && <VerdictView verdict={result.verdict} />}
      {result.free && <FreeResult reply={result.free} />}
      {result.device && <DeviceOutcome wanted run={result.device} compared={(result.verdict ?? result.free)?.compared} />}
      {(result.fault ?? result.loss) && <Problems />}
    </div>
  );
}

function ProgressBar() {
  const run = running.value;
  const visible = useLater(run?.since, barAfterMs);
  if (!visible || !run) return null;
  const { progress } = run;
  const words = t.value;
  const label = progress ? (words.stages[progress.stage] ?? words.runningNow) : words.runningNow;
  return (
    <div class="progress" role="status">
      {run.device && <DeviceStage wanted />}
      <span>{label}{progress && progress.total > 1 && ` · ${words.stageOf(progress.done, progress.total)}`}</span>
      <progress aria-label={label} max={progress?.total || 1} {...(progress?.total ? { value: progress.done } : {})} />
    </div>
  );
}
