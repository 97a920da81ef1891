import { signal } from "@preact/signals";
import { t } from "../i18n/table";
import { Dialog } from "../ui/dialog";
import { keys } from "../ui/platform";

/** helpOpen shows the help. */
export const helpOpen = signal(false);

/** Help is a dialog: what happens where, the two checks, the keys. */
export function Help() {
  const words = t.value;
  const rows: [string, string][] = [
    [keys("Mod", "Enter"), words.keyRun],
    [keys("Shift", "Enter"), words.keyRunNext],
    [keys("Mod", "Shift", "Enter"), words.keyRunThere],
    ["F8", words.keyNext],
    [keys("Shift", "F8"), words.keyPrevious],
    [keys("Mod", "S"), words.keyShare],
    ["Ctrl+Space", words.keyComplete],
    ["Ctrl+Shift+Space", words.keySignature],
    [keys("Mod", "/"), words.keyComment],
    [keys("Mod", "F"), words.keyFind],
    ["Esc, Tab", words.keyLeave],
    ["F9", words.keyStep],
    ["← → ↑ ↓", words.keyStepArrows],
    ["← →", words.keySplit],
    ["?", words.keyHelp],
  ];
  return (
    <Dialog open={helpOpen.value} title={words.helpTitle} close={words.close} class="help" onClose={() => (helpOpen.value = false)}>
      <p>{words.helpPrivacy}</p>
      <h3>{words.helpChecks}</h3>
      <p>{words.helpChecksText}</p>
      <h3>{words.helpKeys}</h3>
      <dl class="keys">
        {rows.map(([key, what]) => (
          <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>
        ))}
      </dl>
      <h3>{words.helpOffline}</h3>
      <p>{words.helpOfflineText}</p>
    </Dialog>
  );
}
