import { m } from "../i18n/memory";
import { longRunMs } from "../result/progress-bar";
import { useLater } from "../ui/use-later";
import { looking } from "./looking";

/** stopAfterMs is from when on a look can be stopped. */
const stopAfterMs = 1000;

/** LongLook shows how far a look at a launch has come that takes long, and stops it. */
export function LongLook() {
  const now = looking.value;
  const visible = useLater(now?.since, longRunMs);
  const stoppable = useLater(now?.since, stopAfterMs);
  if (!visible || !now) return null;
  const words = m.value;
  const { stage = "", done = 0, total = 0 } = now.progress ?? {};
  const label = stage === "steps" ? words.stepsSoFar(done) : stage === "programs" ? words.programsSoFar(done, total) : words.waiting;
  return (
    <div class="progress long-look" id="long-look" role="status">
      <span>{label}</span>
      {stoppable && <button type="button" class="link" id="stop-look" onClick={now.stop}>{words.stopLook}</button>}
      <progress aria-label={label} max={total || 1} {...(total && { value: done })} />
    </div>
  );
}
