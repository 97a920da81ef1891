import { t } from "../i18n/table";
import { editor, type Pane, showPane } from "../state/view";

/** SkipLinks are the page's first stops for Tab: they lead past the header, and are seen only there, together. */
export function SkipLinks() {
  const words = t.value;
  const go = (to: Pane) => {
    showPane(to);
    // A phone's pane can be focused once it is shown.
    requestAnimationFrame(() => (to === "editor" ? editor.peek()?.focus() : document.querySelector<HTMLElement>(`.pane.${to}`)?.focus()));
  };
  return (
    <div class="skips">
      <button type="button" class="skip" onClick={() => go("editor")}>{words.skipToEditor}</button>
      <button type="button" class="skip" onClick={() => go("statement")}>{words.skipToTask}</button>
      <button type="button" class="skip" onClick={() => go("result")}>{words.skipToResult}</button>
    </div>
  );
}
