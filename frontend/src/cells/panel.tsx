import { computed } from "@preact/signals";
import { file } from "../document/file";
import { text } from "../document/workspace";
import { d } from "../i18n/document";
import { cellsOf, type Cell } from "../lib/cells";
import { alive, cellRun, device, forget, lost, runBeneath } from "../run/cells";
import { busy, runProgress, stop } from "../run/runs";
import { choose, settings } from "../settings/settings";
import { editor, pane } from "../state/view";
import { Icon } from "../ui/icons";
import { siblings, takeFile } from "../document/siblings";
import { size } from "../lib/format";
import { addFiles, addFolder, isDocument, notKept, openable, openFiles, opening, openSibling, saveFile } from "./file";

const cells = computed(() => cellsOf(text.value ?? ""));

/** tunes is true where the text names triton.autotune. */
const tunes = computed(() => /\bautotune\b/.test(text.value ?? ""));

/** DocumentPanel opens and saves the document, and lists its cells. */
export default function DocumentPanel() {
  const words = d.value;
  const { name, format } = file.value;
  const formats = [...new Set([format, "python", "notebook"] as const)];
  return (
    <div class="scroll document-panel">
      <h1>{words.title}</h1>
      <p class="fine">{words.lead}</p>
      <p class="file-name"><code>{name}</code></p>
      <p class="file-actions">
        <label class="quiet" id="open-file"><Icon name="own" />{words.open}<FileInput accept={openable} onFiles={openFiles} /></label>
        {formats.map((f) => (
          <button type="button" class="quiet" key={f} data-save={f} aria-label={`${words.saveAs} ${words.formats[f]}`} onClick={() => void saveFile(f)}>
            {words.saveAs} {words.formats[f]}
          </button>
        ))}
      </p>
      <p class="fine">{words.openHint}</p>
      <p class="fine">{words.recordHint} <a href="newt_record.py" download="newt_record.py">newt_record.py</a></p>
      <div role="status">
        {opening.value.busy && <p class="fine">{words.opening}</p>}
        {opening.value.problem && <p class="field-error">{opening.value.problem}</p>}
        {notKept.value && <p class="field-error" id="not-kept">{words.notKept}</p>}
      </div>
      <h2>{words.outline}</h2>
      <ol class="outline">{cells.value.map((cell) => <Entry key={cell.index} cell={cell} />)}</ol>
      {tunes.value && <Tuning />}
      <SessionState />
      <Siblings />
    </div>
  );
}

/** FileInput lets a person choose files of this device, or a folder. */
function FileInput({ accept, folder, onFiles }: { accept?: string; folder?: boolean; onFiles: (list: File[]) => Promise<void> }) {
  const chosen = (input: HTMLInputElement) => {
    void onFiles([...(input.files ?? [])]);
    input.value = "";
  };
  return <input type="file" class="unseen" multiple {...(accept && { accept })} {...(folder && { webkitdirectory: true })} onChange={(e) => chosen(e.currentTarget)} />;
}

/** listed is how many of the files next to the document are listed. */
const listed = 200;

/** Siblings are the files next to the document. */
function Siblings() {
  const words = d.value;
  const all = siblings.value;
  return (
    <section class="siblings" aria-labelledby="siblings">
      <h2 id="siblings">{words.files}</h2>
      <ul>
        {all.slice(0, listed).map((sibling) => (
          <li key={sibling.name}>
            {isDocument(sibling.name)
              ? <button type="button" class="link" title={words.openInPlace} onClick={() => void openSibling(sibling)}><code>{sibling.name}</code></button>
              : <code>{sibling.name}</code>}{" "}
            <span class="count">{size(sibling.bytes.length)}</span>
            <button type="button" class="link" aria-label={words.removeFile(sibling.name)} onClick={() => takeFile(sibling.name)}>×</button>
          </li>
        ))}
      </ul>
      {all.length > listed && <p class="fine">{words.moreFiles(all.length - listed)}</p>}
      <p class="file-actions">
        <label class="quiet" id="add-files">{words.addFiles}<FileInput onFiles={addFiles} /></label>
        <label class="quiet" id="add-folder">{words.addFolder}<FileInput folder onFiles={addFolder} /></label>
      </p>
      <p class="fine">{words.filesHint}</p>
    </section>
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
    requestAnimationFrame(() => editor.peek()?.goTo(cell.from, "start"));
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

/** Tuning has configs ranked before they are timed, and says how far a ranking is. */
function Tuning() {
  const words = d.value;
  const { progress } = runProgress.value;
  const ranking = progress?.stage === "rank" ? progress : undefined;
  return (
    <section class="tuning" aria-labelledby="tuning">
      <h2 id="tuning">{words.tuning}</h2>
      <label class="switch">
        <input type="checkbox" id="rank" aria-describedby="rank-hint" checked={settings.value.rank} onChange={(e) => choose({ rank: e.currentTarget.checked })} />
        {words.rank}
      </label>
      <p class="fine" id="rank-hint">{words.rankHint} {words.rankAgain}</p>
      <div role="status">{ranking && <p>{words.ranking}</p>}</div>
      {ranking && (
        <div id="ranking" class="progress">
          <progress aria-label={words.ranking} max={ranking.total} value={ranking.done} />
          <p>{words.rankStage(ranking.done, ranking.total)}</p>
          <button type="button" class="quiet" id="rank-stop" onClick={stop}>{words.rankStop}</button>
        </div>
      )}
    </section>
  );
}

/** SessionState says whether the variables of the cells are there, and forgets them. */
function SessionState() {
  const words = d.value;
  return (
    <div class="session" role="status">
      {lost.value && <p class="bad" id="lost">{words.lost}</p>}
      {alive.value && <p class="fine">{words.alive}{device.value && ` ${words.aliveOn(device.value.name)}`}</p>}
      {alive.value && <button type="button" class="quiet" id="forget" disabled={busy.value} onClick={forget}>{words.restart}</button>}
    </div>
  );
}
