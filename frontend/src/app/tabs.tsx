import { effect } from "@preact/signals";
import { route } from "../document/workspace";
import { t } from "../i18n/table";
import { busy } from "../run/runs";
import { RunButton } from "../editor/run-button";
import { type Pane, pane, view } from "../state/view";

/** firsts are what a page shows when it opens: the pane of a phone, and the view where none of a kernel's code is looked at. */
const firsts = {
  puzzle: { pane: "statement", view: "memory" },
  own: { pane: "result", view: "memory" },
  free: { pane: "result", view: "result" },
  document: { pane: "editor", view: "result" },
} as const;

/** watchPane chooses a phone's pane, and memory before the result, whenever another page is shown. */
export function watchPane(): void {
  effect(() => {
    const first = firsts[route.value.page];
    pane.value = first.pane;
    if (["memory", "result"].includes(view.peek())) view.value = first.view;
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
