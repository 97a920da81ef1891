import { isPress } from "../lib/shortcut";
import { pressesOf } from "../ui/shortcuts";
import { type Action, actions } from "./actions";

const keyed = Object.entries<Action>(actions).flatMap(([id, action]) => pressesOf(id).map((press) => ({ press, ...action })));

/** inDialog is true while a dialog is open, where the page's actions would be out of sight. */
function inDialog(): boolean {
  return document.querySelector("dialog:modal") !== null;
}

/** watchShortcuts takes the keys of actions before the editor sees them. */
export function watchShortcuts(): void {
  const listen = (event: KeyboardEvent) => {
    const meant = keyed.find(({ press, on }) => isPress(event, press) && (on?.(event) ?? true));
    if (!meant || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (!inDialog() && (meant.when?.() ?? true)) meant.act();
  };
  addEventListener("keydown", listen, { capture: true });
}
