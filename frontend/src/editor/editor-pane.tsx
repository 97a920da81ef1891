import { batch, effect, signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cursorLine, editor, leftOut, notice, shown } from "../state/view";
import { helper, helperCrashed as crashed, interpreter, retry } from "../engine/engines";
import { DeviceButton } from "../device/button";
import { partFailed, t } from "../i18n/table";
import { before, bringBack, letGo } from "../share/before";
import { shareOpen } from "../share/outgoing";
import { runAll } from "../run/cells";
import { problems, problemsFor } from "../run/checks";
import { busy } from "../run/runs";
import { acceptOffer, declineOffer, doc, edit, offered, replaced, route, saved, starter, startOver, text } from "../document/workspace";
import { Icon } from "../ui/icons";
import { keysOf } from "../ui/shortcuts";
import type { Editor } from "./editor";
import { KeyRow } from "./key-row";
import { Options } from "./options";
import { RunButton } from "./run-button";

/** mounted is the page's editor with all that this pane asks of it. */
const mounted = signal<Editor | undefined>(undefined);

/** missing is true once the editor's script could not be fetched. */
const missing = signal(false);

/** writing is true while the editor has the focus. */
const writing = signal(false);

/** EditorPane holds the editor with what belongs to it: offers from other tabs, Run, Start over, the state of the text. */
export function EditorPane() {
  return (
    <>
      <Offer />
      <BeforeLink />
      <EditorHost />
      {writing.value && <KeyRow />}
      <Bar />
    </>
  );
}

/** EditorHost mounts CodeMirror, which is loaded on its own, and keeps it in step with the workspace. */
function EditorHost() {
  const host = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let gone = false;
    void import("./editor").then(({ Editor }) => {
      if (gone || !host.current) return;
      mount(new Editor(host.current, edit, (line) => (cursorLine.value = line)));
    }, () => (missing.value = true));
    return () => {
      gone = true;
      mounted.peek()?.destroy();
      mount(undefined);
    };
  }, []);

  // At once, not at the next frame as useSignalEffect does: who replaces the text may place outputs in it right after.
  useEffect(() => effect(() => {
    void replaced.value;
    mounted.value?.show(doc.peek(), text.peek() ?? "");
    shown.value = mounted.value ? doc.peek() : "";
  }), []);

  // Marks of the text before stay, moved along, until something is known of this one, which may be from a run ahead of the check.
  useSignalEffect(() => {
    const { source, list, known } = problemsFor.value;
    if (source !== undefined && (known || list.length)) mounted.value?.receive(source, list);
  });

  useSignalEffect(() => {
    void t.value;
    mounted.value?.relabel();
  });

  if (missing.value) return <p class="editor status bad" role="alert">{partFailed.value}</p>;
  return (
    <div
      class="editor" id="editor" ref={host} inert={text.value === undefined}
      onFocusIn={() => (writing.value = true)} onFocusOut={() => (writing.value = false)}
    />
  );
}

function mount(now: Editor | undefined): void {
  batch(() => {
    mounted.value = now;
    editor.value = now;
  });
}

/** thenType does what a button of an offer is for. The button goes with the offer, so that the editor takes the focus: Ctrl+Z undoes it. */
function thenType(act: () => void): () => void {
  return () => {
    act();
    editor.peek()?.focus();
  };
}

function Offer() {
  if (!offered.value) return null;
  const words = t.value;
  return (
    <div class="offer" role="status">
      <span>{words.offer}</span>
      <button type="button" onClick={thenType(acceptOffer)}>{words.offerTake}</button>
      <button type="button" onClick={thenType(declineOffer)}>{words.offerKeep}</button>
    </div>
  );
}

/** BeforeLink offers the text that a link has replaced, for as long as it is wanted. */
function BeforeLink() {
  if (!before.value) return null;
  const words = t.value;
  return (
    <div class="offer" id="before" role="status">
      <span>{doc.value === "document" ? words.beforeFile : words.beforeLink}</span>
      <button type="button" onClick={thenType(bringBack)}>{words.bringBack}</button>
      <button type="button" onClick={thenType(letGo)}>{words.letGo}</button>
    </div>
  );
}

function Bar() {
  const words = t.value;
  return (
    <footer class="bar">
      <RunButton />
      {route.value.page === "document" && <RunAll />}
      <DeviceButton />
      <button type="button" class="quiet" id="reset" disabled={starter.value === undefined || text.value === starter.value} onClick={startOver}>{words.reset}</button>
      <Options />
      <span class="spring" />
      <Status />
    </footer>
  );
}

/** RunAll runs a document from its beginning. */
function RunAll() {
  return (
    <button type="button" class="quiet" id="run-all" aria-disabled={busy.value} onClick={() => runAll()}>
      <Icon name="all" />{t.value.runAll}
    </button>
  );
}

/** Status shows the one fact about the text that matters most now. */
function Status() {
  const words = t.value;
  if (saved.value === "failed") return <span class="status bad" role="alert">{words.saveFailed}</span>;
  if (helper.state.value === "failed" || interpreter.state.value === "failed") {
    return <span class="status bad" role="alert">{words.engineFailed} <button type="button" class="link" onClick={retry}>{words.retry}</button></span>;
  }
  if (notice.value) {
    const said = notice.value === "kernelTaken" ? words.kernelTaken(leftOut.value) : words[notice.value];
    return (
      <span class="status" role="status">
        <span class="notice" title={said}>{said}</span>
        {notice.value === "linkCopied" && <button type="button" class="link" onClick={() => (shareOpen.value = true)}>{words.shareMore}</button>}
        {(notice.value === "replaced" || notice.value === "kernelTaken") && <button type="button" class="link" onClick={undoReplacement}>{words.undo}</button>}
      </span>
    );
  }
  if (crashed.value) {
    return <span class="status bad" role="alert">{words.faults.crashed} <button type="button" class="link" onClick={() => (crashed.value = false)}>{words.close}</button></span>;
  }
  const loading = helper.state.value === "loading";
  return (
    <span class="status">
      <ProblemCount />
      <span class="kept" title={words.savedWhere}>{loading ? words.engineLoading : saved.value === "saved" ? words.saved : words.saving}</span>
    </span>
  );
}

function ProblemCount() {
  const words = t.value;
  const of = (severity: string) => problems.value.filter((p) => p.severity === severity).length;
  const errors = of("error");
  const counts = words.problemsCount(errors, of("warning"));
  if (!counts) return null;
  return <button type="button" class={`link count ${errors ? "bad" : "warn"}`} title={keysOf("nextProblem")} onClick={() => editor.peek()?.step(1)}>{counts}</button>;
}

function undoReplacement(): void {
  notice.value = undefined;
  mounted.peek()?.undo();
}
