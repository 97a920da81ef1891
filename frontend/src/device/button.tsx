import { Icon } from "../ui/icons";
import { ariaKeysOf, keysOf } from "../ui/shortcuts";
import { t } from "../i18n/table";
import { busy } from "../run/runs";
import { runOnDevice } from "./attempt";
import { choice, deviceOpen } from "./devices";

/** DeviceButton runs on the chosen device, and beside it another can be chosen. */
export function DeviceButton() {
  const words = t.value;
  const on = choice.value;
  return (
    <span class="on-device">
      {on && (
        <button
          type="button" class="quiet" id="run-device" aria-disabled={busy.value}
          aria-label={words.runOn(on.name)} title={`${words.runOn(on.name)} (${keysOf("runThere")})`}
          aria-keyshortcuts={ariaKeysOf("runThere")} onClick={runOnDevice}
        >
          <Icon name="play" /><span>{words.runOn(on.name)}</span>
        </button>
      )}
      <button type="button" class="tool" id="device" aria-label={on ? words.deviceTitle : undefined} title={words.deviceTitle} onClick={() => (deviceOpen.value = true)}>
        <Icon name="chip" />{!on && <span>{words.device}</span>}
      </button>
    </span>
  );
}
