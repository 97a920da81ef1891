import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n/table";
import { choose, settings } from "../settings/settings";
import { Icon } from "../ui/icons";
import { closeOutside } from "../ui/popup";

/** Options opens above the bar: how a text is compiled. */
export function Options() {
  const words = t.value;
  const details = useRef<HTMLDetailsElement>(null);
  const { strict } = settings.value;
  useEffect(() => closeOutside(details.current), []);
  return (
    <details class="options" ref={details}>
      <summary class="tool" title={words.options} aria-label={strict ? `${words.options}: ${words.strict}` : words.options} data-on={strict}><Icon name="options" /></summary>
      <div class="options-list">
        <label class="switch">
          <input type="checkbox" checked={strict} onChange={(e) => choose({ strict: e.currentTarget.checked })} />
          {words.strict}
        </label>
        <p class="fine">{words.strictWhy}</p>
      </div>
    </details>
  );
}
