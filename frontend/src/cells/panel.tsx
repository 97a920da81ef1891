import { computed } from "@preact/signals";
import { file } from "../document/file";
import { text } from "../document/workspace";
import { d } from "../i18n/document";
import { cellsOf, type Cell } from "../lib/cells";
import { alive, cellRun, forget, lost, runBeneath } from "../run/cells";
import { running } from "../run/runs";
import { editor, pane } from "../state/view";
import { Icon } from "../ui/icons";
import { openFile, opening, saveFile } from "./file";

const cells = computed(() => cellsOf(text.value ?? ""));

/** DocumentPanel opens and saves the document, and lists its cells. */
export default function DocumentPanel() {
  const words = d.value;
  const { name, format } = file.value;
  const formats = [...new Set([format, "python", "notebook"] as const)];
  const chosen = (input: HTMLInputElement) => {
    const [first] = input.files ?? [];
    if (first) void openFile(first);
    input.value = "";
  };
  return (
    <div class="scroll document-panel">
      <h1>{words.title}</h1>
      <p class="fine">{words.lead}</p>
      <p class="file-name"><code>{name}</code></p>
      <p class="file-actions">
        <label class="quiet" id="open-file"><Icon name="own" />{words.open}<input type="file" class="unseen" accept=".py,.pyw,.ipynb,.md,.markdown,.txt" onChange={(e) => chosen(e.currentTarget)} /></label>
        {formats.map((f) => (
          <button type="button" class="quiet" key={f} data-save={f} aria-label={`${words.saveAs} ${words.formats[f]}`} onClick={() => void saveFile(f)}>
            {words.saveAs} {words.formats[f]}
          </button>
        ))}
      </p>
      <p class="fine">{words.openHint}</p>
      <div role="status">
        {opening.value.busy && <p class="fine">{words.opening}</p>}
        {opening.value.problem && <p class="field-error">{opening.value.problem}</p>}
      </div>
      <h2>{words.outline}</h2>
      <ol class="outline">{cells.value.map((cell) => <Entry key={cell.index} cell={cell} />)}</ol>
      <SessionState />
    </div>
  );
}

/** Entry leads to a cell and says how its last run went. */
function Entry({ cell }: { cell: Cell }) {
  const words = d.value;
  const run = cell.kind === "code" ? runBeneath(cell) : undefined;
  const now = run === undefined ? undefined : cellRun(run).value;
  const title = cell.title || words.emptyCell;
  const reveal = () => {
    pane.value = "editor";
    requestAnimationFrame(() => editor.peek()?.goTo(cell.from));
  };
  const state = cell.kind === "code" ? words.states[now?.state ?? "none"] : "";
  return (
    <li class={`outline-${cell.kind}`} data-state={now?.state}>
      <button type="button" aria-label={[words.goTo(cell.index + 1, title), state].filter(Boolean).join(", ")} onClick={reveal}>
        <span class="count" aria-hidden="true">{cell.kind === "code" ? `[${now?.state === "running" ? "*" : (now?.end?.count ?? " ")}]` : ""}</span>
        <span class="outline-title">{title}</span>
      </button>
    </li>
  );
}

/** SessionState says whether the variables of the cells are there, and forgets them. */
function SessionState() {
  const words = d.value;
  return (
    <div class="session" role="status">
      {lost.value && <p class="bad" id="lost">{words.lost}</p>}
      {alive.value && <p class="fine">{words.alive}</p>}
      {alive.value && <button type="button" class="quiet" id="forget" disabled={running.value !== undefined} onClick={forget}>{words.restart}</button>}
    </div>
  );
}
