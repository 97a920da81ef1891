import { ownOpen } from "./open";
import { t } from "../i18n/table";
import { ProblemList } from "./problem-list";
import { ensureLoaded, loadedOwn, ownPuzzles } from "../content/own";

/** OwnWaiting is shown in place of an own puzzle that is missing or still being loaded. */
export function OwnWaiting({ id }: { id: string }) {
  const words = t.value;
  const reply = loadedOwn(id);
  if (!ownPuzzles.value.has(id)) {
    return <p class="empty">{words.ownMissing} <button type="button" class="link" onClick={() => (ownOpen.value = true)}>{words.ownOpen}</button></p>;
  }
  if (!reply) return <p class="empty" role="status">{words.ownChecking}</p>;
  if ("fault" in reply) {
    return <p class="empty" role="alert">{words.faults[reply.fault.reason]} <button type="button" class="link" onClick={() => ensureLoaded(id)}>{words.retry}</button></p>;
  }
  return <div class="empty"><p>{words.ownUnsound}</p><ProblemList problems={reply.problems} /></div>;
}
