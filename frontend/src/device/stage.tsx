import { d } from "../i18n/device";
import { running, runProgress } from "../run/runs";

/** DeviceStage says how far the run in progress has come on its device. */
export default function DeviceStage() {
  const words = d.value;
  const device = running.value?.device;
  if (!device) return null;
  const { stage } = runProgress.value;
  let text = words.deviceStages[stage?.name ?? "connecting"];
  if (stage?.name === "queued") text = words.deviceQueued(stage.position);
  if (stage?.name === "running" && stage.total > 0) text = words.devicePrograms(stage.done, stage.total);
  return <span class="device-stage" data-stage={stage?.name}>{device}: {text} · </span>;
}
