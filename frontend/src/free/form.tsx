import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n/table";
import { sentence } from "../lib/format";
import { Phrase } from "../ui/phrase-view";
import { text } from "../document/workspace";
import { newID } from "../document/file";
import { helper } from "../engine/engines";
import { runOf } from "../run/request";
import { lang } from "../settings/settings";
import { takeDocument } from "../share/take";
import { ArgRow, FieldError, Text } from "./arg-row";
import { examples } from "../content/examples";
import { openExample } from "./open-example";
import { args, change, changeGrid, form, grid, kernel, kernels } from "../document/call";

/** FreeForm says what the free page's kernel is called with. */
export function FreeForm() {
  const words = t.value;
  return (
    <form class="call" onSubmit={(e) => e.preventDefault()} aria-label={words.callTitle}>
      <div class="call-head">
        <h2>{words.callTitle}</h2>
        <Examples />
      </div>
      {kernel.value ? <Folding name={kernel.value.name} /> : <p class="fine">{words.noKernel}</p>}
    </form>
  );
}

/** Folding folds the call away while it is that of the first example, which a first visit has no need to change. */
function Folding({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(name !== examples[0].kernel), [name]);
  return (
    <details class="call-form" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary><code>{name}[{grid.value}]({args.value.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)).join(", ")})</code></summary>
      <Call /><AsDocument /><MakePuzzle />
    </details>
  );
}

function Examples() {
  const words = t.value;
  return (
    <p class="examples" role="group" aria-label={words.example}>
      {examples.map((e) => (
        <button type="button" class="chip" key={e.id} onClick={() => openExample(e)}>{words.exampleNames[e.id]}</button>
      ))}
    </p>
  );
}

function Call() {
  const words = t.value;
  const current = kernel.value;
  return (
    <>
      <div class="call-row">
        <label class="field">
          <span>{words.kernelLabel}</span>
          <select value={current?.name} onChange={(e) => change({ kernel: e.currentTarget.value })}>
            {kernels.value.map((k) => <option key={k.name} value={k.name}>{k.name}</option>)}
          </select>
        </label>
        <label class="field grow" title={words.gridHelp}>
          <span>{words.gridLabel}</span>
          <Text label={words.gridLabel} value={grid.value} field="grid" onChange={changeGrid} />
        </label>
        <label class="field seed">
          <span>{words.seedLabel}</span>
          <input
            type="number" min={0} max={Number.MAX_SAFE_INTEGER} step={1} value={form.value.seed}
            onInput={(e) => change({ seed: e.currentTarget.valueAsNumber })}
          />
        </label>
      </div>
      <FieldError field="grid" />
      <ul class="args" aria-label={words.argumentsLabel}>
        {args.value.map((arg) => <ArgRow key={arg.name} arg={arg} />)}
      </ul>
    </>
  );
}

/** AsDocument writes the call as Python beneath the kernel and opens both as the document. */
function AsDocument() {
  const words = t.value;
  const [problem, setProblem] = useState("");
  const start = async () => {
    const of = runOf(text.peek() ?? "")?.free;
    if (!of) return;
    const reply = await helper.call({ lang: lang.peek(), script: { of } }).catch(() => undefined);
    setProblem(reply?.script?.problem ?? (reply?.script ? "" : words.faults.crashed));
    if (reply?.script?.source) takeDocument(reply.script.source, { name: `${of.kernel}.py`, format: "python", id: newID() });
  };
  return (
    <div class="make-puzzle">
      <button type="button" class="quiet" id="as-document" onClick={() => void start()}>{words.openAsDocument}</button>
      <div role="status">{problem && <p class="field-error"><Phrase text={sentence(problem)} /></p>}</div>
    </div>
  );
}

/** MakePuzzle makes a puzzle of the kernel and its call; the text here stays as it is. */
function MakePuzzle() {
  const words = t.value;
  const [state, setState] = useState<{ busy?: boolean; problem?: string }>({});
  const start = async () => {
    setState({ busy: true });
    const problem = await import("../own/draft").then((own) => own.make(), () => words.partFailed);
    setState(problem ? { problem } : {});
  };
  return (
    <div class="make-puzzle">
      <button type="button" class="quiet" id="make-puzzle" disabled={state.busy ?? false} onClick={() => void start()}>{words.makePuzzle}</button>
      <div role="status">
        {state.busy && <p class="fine">{words.makingPuzzle}</p>}
        {state.problem && <p class="field-error"><Phrase text={sentence(state.problem)} /></p>}
      </div>
    </div>
  );
}
