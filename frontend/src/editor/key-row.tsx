import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n/table";
import { pressOf } from "../lib/shortcut";
import { editor } from "../state/view";
import { Icon } from "../ui/icons";

/** symbols are what a kernel is full of and a phone's keyboard has on its other pages. */
const symbols = ["(", ")", "[", "]", ",", ":", "=", "_", "+", "-", "*", "/", "<", ">", "&", ".", "#", "\"", "@"] as const;

/**
 * KeyRow is what a phone's keyboard lacks, undo, indentation and symbols, while the editor has the focus. It leaves the focus
 * there, and so the keyboard open. As the keyboard takes its part of the window, the line of the cursor stays in view.
 */
export function KeyRow() {
  const words = t.value;
  const row = useRef<HTMLDivElement>(null);
  // Before the next paint, not after it: the keyboard may come that soon.
  useLayoutEffect(() => {
    const follow = () => row.current?.checkVisibility() && editor.peek()?.showCursor();
    addEventListener("resize", follow);
    return () => removeEventListener("resize", follow);
  }, []);
  return (
    <div class="key-row" ref={row} role="group" aria-label={words.keyRow} onMouseDown={(event) => event.preventDefault()}>
      <button type="button" aria-label={words.undo} onClick={() => editor.peek()?.undo()}><Icon name="undo" /></button>
      <button type="button" aria-label={words.outdent} onClick={() => press("Shift+Tab")}><Icon name="outdent" /></button>
      <button type="button" aria-label={words.indent} onClick={() => press("Tab")}><Icon name="indent" /></button>
      {symbols.map((symbol) => <button type="button" key={symbol} onClick={() => editor.peek()?.type(symbol)}>{symbol}</button>)}
    </div>
  );
}

function press(shortcut: string): void {
  editor.peek()?.press(pressOf(shortcut, false));
}
