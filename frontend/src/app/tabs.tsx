import { effect } from "@preact/signals";
import { route } from "../document/workspace";
import { t } from "../i18n/table";
import { running } from "../run/runs";
import { RunButton } from "../editor/run-button";
import { type Pane, pane } from "../state/view";

const firstPane = { puzzle: "statement", own: "result", free: "result", document: "editor" } as const;

/** watchPane chooses a phone's pane whenever another page is shown. */
export function watchPane(): void {
  effect(() => {
    pane.value = firstPane[route.value.page];
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
          data-busy={name === "result" && running.value !== undefined}
          onClick={() => (pane.value = name)}
        >
          {label}
        </button>
      ))}
      <RunButton touch />
    </nav>
  );
}
