import { runOnDevice } from "../device/attempt";
import { runCell, runHere } from "../run/cells";
import { shareNow } from "../share/outgoing";
import { route } from "../document/workspace";
import { onMac } from "../ui/platform";
import { editor, showView, view } from "../state/view";
import { helpOpen } from "./help";

interface Shortcut {
  matches: (event: KeyboardEvent, mod: boolean) => boolean;
  act: () => void;
}

const shortcuts: Shortcut[] = [
  { matches: (e, mod) => mod && !e.shiftKey && e.key === "Enter", act: runHere },
  { matches: (e, mod) => mod && e.shiftKey && e.key === "Enter", act: runOnDevice },
  { matches: (e, mod) => !mod && e.shiftKey && e.key === "Enter" && inCells(e), act: () => void runCell(true) },
  { matches: (e, mod) => mod && !e.shiftKey && e.key.toLowerCase() === "s", act: () => void shareNow() },
  { matches: (e, mod) => !mod && !e.shiftKey && e.key === "F8", act: () => editor.peek()?.step(1) },
  { matches: (e, mod) => !mod && e.shiftKey && e.key === "F8", act: () => editor.peek()?.step(-1) },
  { matches: (e, mod) => !mod && e.key === "F9" && view.peek() !== "memory", act: () => showView("memory") },
  { matches: (e, mod) => !mod && e.key === "?" && !isTyping(e), act: () => (helpOpen.value = true) },
];

/** inDialog is true while a dialog is open, where the page's shortcuts would act out of sight. */
function inDialog(): boolean {
  return document.querySelector("dialog:modal") !== null;
}

/** watchShortcuts takes the page's shortcuts before the editor sees them. */
export function watchShortcuts(): void {
  const listen = (event: KeyboardEvent) => {
    const mod = (onMac ? event.metaKey : event.ctrlKey) && !event.altKey;
    const shortcut = shortcuts.find((s) => s.matches(event, mod));
    if (!shortcut || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (!inDialog()) shortcut.act();
  };
  addEventListener("keydown", listen, { capture: true });
}

/** inCells is true where a key is typed into a document's text. */
function inCells(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return route.peek().page === "document" && target instanceof HTMLElement && target.isContentEditable;
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
