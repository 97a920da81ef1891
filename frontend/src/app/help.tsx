import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n/table";
import { Icon } from "./icons";
import { keys } from "./platform";
import { helpOpen } from "./view";

/** Help is a dialog: what happens where, the two checks, the keys. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const words = t.value;

  useEffect(() => {
    if (helpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpOpen.value]);

  const rows: [string, string][] = [
    [keys("Mod", "Enter"), words.keyRun],
    ["F8", words.keyNext],
    [keys("Shift", "F8"), words.keyPrevious],
    [keys("Mod", "S"), words.keySave],
    ["Ctrl+Space", words.keyComplete],
    [keys("Mod", "/"), words.keyComment],
    [keys("Mod", "F"), words.keyFind],
    ["Esc, Tab", words.keyLeave],
    ["← →", words.keySplit],
    ["?", words.keyHelp],
  ];
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      <div class="help-head">
        <h2 id="help-title">{words.helpTitle}</h2>
        <button type="button" class="tool" aria-label={words.close} onClick={() => (helpOpen.value = false)}><Icon name="close" /></button>
      </div>
      <p>{words.helpPrivacy}</p>
      <h3>{words.helpChecks}</h3>
      <p>{words.helpChecksText}</p>
      <h3>{words.helpKeys}</h3>
      <dl class="keys">
        {rows.map(([key, what]) => (
          <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>
        ))}
      </dl>
    </dialog>
  );
}
