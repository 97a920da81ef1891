import { t } from "../i18n/table";
import { save } from "../document/workspace";
import { newer, useNewer } from "./register";

/** UpdateNotice says that a newer newt is here; it waits until somebody wants it. */
export function UpdateNotice() {
  const words = t.value;
  if (!newer.value) return null;
  const take = () => {
    save();
    void useNewer();
  };
  return (
    <div class="offer" id="newer" role="status">
      <span>{words.newerHere}</span>
      <button type="button" onClick={take}>{words.newerTake}</button>
      <button type="button" onClick={() => (newer.value = undefined)}>{words.newerLater}</button>
    </div>
  );
}
