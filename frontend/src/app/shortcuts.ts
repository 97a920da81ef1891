import { run } from "../state/runs";
import { save, saved } from "../state/workspace";
import { onMac } from "./platform";
import { editor, helpOpen, notice, pane } from "./view";

/** runAndLook runs the current document and, on a phone, shows the result. */
export function runAndLook(): void {
  pane.value = "result";
  void run();
}

interface Shortcut {
  matches: (event: KeyboardEvent, mod: boolean) => boolean;
  act: () => void;
}

const shortcuts: Shortcut[] = [
  { matches: (e, mod) => mod && !e.shiftKey && e.key === "Enter", act: runAndLook },
  { matches: (e, mod) => mod && !e.shiftKey && e.key.toLowerCase() === "s", act: keep },
  { matches: (e, mod) => !mod && !e.shiftKey && e.key === "F8", act: () => editor.peek()?.step(1) },
  { matches: (e, mod) => !mod && e.shiftKey && e.key === "F8", act: () => editor.peek()?.step(-1) },
  { matches: (e, mod) => !mod && e.key === "?" && !isTyping(e), act: () => (helpOpen.value = true) },
];

/** keep stores the text now and says so; if that fails, the editor's foot says it anyway. */
function keep(): void {
  save();
  if (saved.peek() === "saved") notice.value = "kept";
}

/** watchShortcuts takes the page's shortcuts before the editor sees them. */
export function watchShortcuts(): void {
  const listen = (event: KeyboardEvent) => {
    const mod = (onMac ? event.metaKey : event.ctrlKey) && !event.altKey;
    const shortcut = shortcuts.find((s) => s.matches(event, mod));
    if (!shortcut || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    shortcut.act();
  };
  addEventListener("keydown", listen, { capture: true });
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
