import { useEffect, useState } from "preact/hooks";
import { interpreter } from "../engine/engines";
import { t } from "../i18n/table";
import { running, stop } from "../run/runs";
import { text } from "../document/workspace";
import { Icon } from "../ui/icons";
import { keys } from "../ui/platform";
import { runAndLook } from "../app/shortcuts";

/** How long a run may take before it can be stopped: sooner, the button would only flicker. */
const stopAfterMs = 300;

/** RunButton runs the current document; while a run takes long, it stops it. Where there is no keyboard it names no keys. */
export function RunButton({ touch = false }: { touch?: boolean }) {
  const words = t.value;
  const since = running.value?.since;
  const stoppable = useLater(since, stopAfterMs);
  if (stoppable) {
    return <button type="button" class="run stop" onClick={stop}><Icon name="square" />{words.stop}</button>;
  }
  return (
    <button
      type="button"
      class="run"
      disabled={interpreter.state.value === "failed" || text.value === undefined}
      aria-disabled={since !== undefined}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      onClick={runAndLook}
    >
      <Icon name="play" />{words.run}{!touch && <kbd aria-hidden="true">{keys("Mod", "Enter")}</kbd>}
    </button>
  );
}

/** useLater is true once ms have passed since a moment; false again when it is undefined. */
export function useLater(since: number | undefined, ms: number): boolean {
  const [reached, setReached] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (since === undefined) return;
    const timer = setTimeout(() => setReached(since), Math.max(0, since + ms - performance.now()));
    return () => clearTimeout(timer);
  }, [since, ms]);
  return since !== undefined && reached === since;
}
