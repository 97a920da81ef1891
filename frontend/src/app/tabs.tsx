import { effect } from "@preact/signals";
import { route } from "../document/workspace";
import { t } from "../i18n/table";
import { busy } from "../run/runs";
import { afterFrame } from "../lib/frame";
import { RunButton } from "../editor/run-button";
import { type Pane, pane, view } from "../state/view";

/** firstPanes are what a phone shows of a page when it opens: what it is about, before what it does. */
const firstPanes = { puzzle: "statement", own: "result", free: "statement", document: "editor" } as const;

/** watchPane chooses a phone's pane, and memory before the result, whenever another page is shown. */
export function watchPane(): void {
  let opened = false;
  effect(() => {
    pane.value = firstPanes[route.value.page];
    if (view.peek() === "result") view.value = "memory";
    if (opened) afterFrame(holdFocus);
    opened = true;
  });
}

/** holdFocus gives the focus to the pane that another page begins with, where the link that led there has gone with it. */
function holdFocus(): void {
  if (document.activeElement !== document.body) return;
  document.getElementById("pane-statement")?.focus({ preventScroll: true });
}

/** Tabs is a phone's bar at the foot: which pane is shown, and Run. */
export function Tabs() {
  const words = t.value;
  const names: [Pane, string][] = [
    ["statement", words.statementPane],
    ["editor", words.editorPane],
    ["result", words.resultPane],
  ];
  return (
    <nav class="tabs" aria-label={words.panesNav}>
      {names.map(([name, label]) => (
        <button
          type="button"
          key={name}
          aria-current={pane.value === name ? "page" : undefined}
          data-busy={name === "result" && busy.value}
          onClick={() => (pane.value = name)}
        >
          {label}
        </button>
      ))}
      <RunButton touch />
    </nav>
  );
}
