import { effect } from "@preact/signals";
import { route } from "../document/workspace";
import { t } from "../i18n/table";
import { running } from "../run/runs";
import { RunButton } from "../editor/run-button";
import { type Pane, pane } from "../state/view";

/** watchPane chooses a phone's pane whenever another page is shown. */
export function watchPane(): void {
  effect(() => {
    pane.value = route.value.page === "puzzle" ? "statement" : "result";
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
