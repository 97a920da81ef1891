import { d } from "../i18n/device";
import { running } from "../run/runs";

/** DeviceStage says how far the run in progress has come on its device. */
export default function DeviceStage() {
  const words = d.value;
  const on = running.value?.device;
  if (!on) return null;
  const { stage } = on;
  let text = words.deviceStages[stage?.name ?? "connecting"];
  if (stage?.name === "queued") text = words.deviceQueued(stage.position);
  if (stage?.name === "running" && stage.total > 0) text = words.devicePrograms(stage.done, stage.total);
  return <span class="device-stage" data-stage={stage?.name}>{on.name}: {text} · </span>;
}
