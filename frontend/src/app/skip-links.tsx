import { t } from "../i18n/table";
import { editor, pane, type Pane } from "../state/view";

/** SkipLinks are the page's first stops for Tab: they lead past the header, and are seen only there. */
export function SkipLinks() {
  const words = t.value;
  const go = (to: Pane) => {
    pane.value = to;
    // A phone's pane can be focused once it is shown.
    requestAnimationFrame(() => (to === "editor" ? editor.peek()?.focus() : document.querySelector<HTMLElement>(`.pane.${to}`)?.focus()));
  };
  return (
    <>
      <button type="button" class="skip" onClick={() => go("editor")}>{words.skipToEditor}</button>
      <button type="button" class="skip" onClick={() => go("statement")}>{words.skipToTask}</button>
      <button type="button" class="skip" onClick={() => go("result")}>{words.skipToResult}</button>
    </>
  );
}
