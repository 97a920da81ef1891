import { t } from "../i18n/table";
import { result } from "../run/runs";
import { outcomeText } from "./outcome-text";

/**
 * Announcement announces the outcome and its cause to screen readers, whichever view is shown; it stays in place, as live
 * regions must.
 */
export function Announcement() {
  const shown = result.value;
  return <p class="unseen" role="status">{shown && outcomeText(shown, t.value)}</p>;
}
