import { effect } from "@preact/signals";
import { route } from "../document/workspace";
import { t } from "../i18n/table";
import { busy } from "../run/runs";
import { RunButton } from "../editor/run-button";
import { type Pane, pane, view } from "../state/view";

/** firstPanes are what a phone shows of a page when it opens. */
const firstPanes = { puzzle: "statement", own: "result", free: "result", document: "editor" } as const;

/** watchPane chooses a phone's pane, and memory before the result, whenever another page is shown. */
export function watchPane(): void {
  effect(() => {
    pane.value = firstPanes[route.value.page];
    if (view.peek() === "result") view.value = "memory";
  });
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
