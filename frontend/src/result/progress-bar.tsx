import { partFailed, t } from "../i18n/table";
import { running, runProgress } from "../run/runs";
import { lazy } from "../ui/lazy";
import { useLater } from "../ui/use-later";

const DeviceStage = lazy(() => import("../device/stage"), partFailed);

/** longRunMs is from when on a run is long: it shows its progress. */
export const longRunMs = 300;

/** ProgressBar shows how far a long run has come. */
export function ProgressBar() {
  const run = running.value;
  const visible = useLater(run?.since, longRunMs);
  if (!visible || !run) return null;
  const { progress } = runProgress.value;
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
