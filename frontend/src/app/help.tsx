import { useEffect, useState } from "preact/hooks";
import { a } from "../i18n/actions";
import { t } from "../i18n/table";
import { spell } from "../lib/shortcut";
import { Dialog } from "../ui/dialog";
import { onMac, shortcuts, shortcutsOf } from "../ui/shortcuts";
import { type ActionID, actions, helpOpen } from "./actions";

/** Help is a dialog: what happens where, the tests, the keys. */
export default function Help() {
  const words = a.value;
  const open = helpOpen.value;
  const [ready, setReady] = useState(false);
  // A worker is active once it has kept all files.
  useEffect(() => void navigator.serviceWorker?.getRegistration().then((kept) => setReady(Boolean(kept?.active))), [open]);
  const keyed = (Object.keys(actions) as ActionID[]).filter((id) => id in shortcuts);
  const rows: [string, string][] = [
    ...keyed.map((id): [string, string] => [shortcutsOf(id).map((s) => spell(s, onMac)).join(", "), words.titles[id]]),
    ["Esc, Tab", words.keyLeave],
    ["← → ↑ ↓", words.keyArrows],
    ["← → ↑ ↓", words.keySplit],
  ];
  const ways: ActionID[] = ["palette", "tour"];
  const take = (way: ActionID) => {
    helpOpen.value = false;
    actions[way].act();
  };
  return (
    <Dialog open={open} title={words.helpTitle} close={t.value.close} class="help" onClose={() => (helpOpen.value = false)}>
      <p>{words.helpPrivacy}</p>
      <p class="help-ways">
        {ways.map((way) => <button type="button" class="quiet" key={way} data-action={way} onClick={() => take(way)}>{words.titles[way]}</button>)}
      </p>
      <h3>{words.helpChecks}</h3>
      <p>{words.helpChecksText}</p>
      <h3>{words.helpKeys}</h3>
      <dl class="keys">
        {rows.map(([keys, what]) => (
          <div key={what}><dt><kbd>{keys}</kbd></dt><dd>{what}</dd></div>
        ))}
      </dl>
      <h3>{words.helpOffline}</h3>
      <p>{words.helpOfflineText} <span id="offline-ready">{ready ? words.helpOfflineReady : words.helpOfflineNotYet}</span></p>
    </Dialog>
  );
}
