import { useRef } from "preact/hooks";
import { interpreter } from "../engine/engines";
import { t } from "../i18n/table";
import { runHere } from "../run/cells";
import { running, stop } from "../run/runs";
import { text } from "../document/workspace";
import { Icon } from "../ui/icons";
import { ariaKeysOf, keysOf } from "../ui/shortcuts";
import { useLater } from "../ui/use-later";

/** How long a run may take before it can be stopped: sooner, the button would only flicker. */
const stopAfterMs = 300;

/** RunButton runs the current document; while a run takes long, it stops it. Where there is no keyboard it names no keys. */
export function RunButton({ touch = false }: { touch?: boolean }) {
  const words = t.value;
  const since = running.value?.since;
  const stoppable = useLater(since, stopAfterMs);
  // What was pressed counts: a run may end between a press on Stop and its release.
  const act = stoppable ? stop : runHere;
  const pressed = useRef(act);
  const buttons = { onPointerDown: () => (pressed.current = act), onClick: ({ detail }: MouseEvent) => (detail ? pressed.current : act)() };
  if (stoppable) {
    return <button type="button" class="run stop" {...buttons}><Icon name="square" />{words.stop}</button>;
  }
  return (
    <button
      type="button"
      class="run"
      disabled={interpreter.state.value === "failed" || text.value === undefined}
      aria-disabled={since !== undefined}
      aria-keyshortcuts={ariaKeysOf("run")}
      {...buttons}
    >
      <Icon name="play" />{words.run}{!touch && <kbd aria-hidden="true">{keysOf("run")}</kbd>}
    </button>
  );
}
