import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { signal, useSignalEffect } from "@preact/signals";
import { known } from "../document/call";
import { doc, route, starter } from "../document/workspace";
import { m } from "../i18n/memory";
import { partFailed } from "../i18n/table";
import { sentence } from "../lib/format";
import { concealed } from "../questions/answering";
import { problems } from "../run/checks";
import { choice, pick } from "../run/choice";
import { closeLaunch, elsewhere } from "../run/launch";
import { marks } from "../run/marks";
import { failure } from "../run/other-sizes";
import { result, stale } from "../run/runs";
import { choose, settings } from "../settings/settings";
import { markKey } from "../state/route";
import { type EditorControls, editor, memory, shown } from "../state/view";
import { lazy } from "../ui/lazy";
import { Phrase } from "../ui/phrase-view";
import { keysOf } from "../ui/shortcuts";
import { controls } from "./controls";
import { programColours } from "./draw";
import { findings, sanitizing, watchFindings } from "./findings";
import { type Inspected, lineValues, numberOf, type Operation, operationText, type Tensor } from "./inspected";
import type { LineValues } from "./line-values";
import { openedOf, openStep } from "./opened";
import { Picture } from "./picture";
import type { Placing } from "./place";
import { Programs } from "./programs";
import { kept } from "./kept-breakpoints";
import { at, current, lookWholly, problem, programBy, waiting, watchStage } from "./stage";
import { gutterOf } from "./ticks";
import { Timeline } from "./timeline";
import { useQuestion } from "./why";

const Block = lazy(() => import("./block"), partFailed);
const Question = lazy(() => import("./question"), partFailed);
const Launches = lazy(() => import("../launches/picker"), partFailed);
const FindingsList = lazy(() => import("./findings-list"), partFailed);
const Plane = lazy(() => import("./plane"), partFailed);

/** place is what finds how tensors are placed, once it is here. */
const place = signal<typeof import("./place") | undefined>(undefined);

/** MemoryPane shows what the launch of the current text does to memory, program by program and step by step. */
export default function MemoryPane() {
  useLayoutEffect(watchStage, []); // not after the first paint: what is stored of a first visit may be here by now
  useEffect(watchFindings, []);
  useLineValues();
  useKeptBreakpoints();
  useLayoutEffect(beControlled, []);
  useQuestion();
  const words = m.value;
  const of = current.value;
  const outdated = problem.value !== "";
  if (!of) return <p class="empty" role="status"><Phrase text={sentence(problem.value) || none()} /></p>;
  return (
    <>
      {outdated && (
        <p class="memory-outdated" role="status">
          {!problems.value.length && <Phrase text={sentence(problem.value)} />} {words.outdated}
        </p>
      )}
      {(of.more || of.message && !saidOf(of.message)) && (
        <p class="memory-outdated" role="status">
          {!saidOf(of.message) && <Phrase text={sentence(of.message)} />}{" "}
          {of.more && <button type="button" class="link" id="look-wholly" onClick={lookWholly}>{words.lookWholly}</button>}
        </p>
      )}
      <div class="memory-launch" data-outdated={outdated} aria-busy={waiting.value}><Launch inspected={of.inspected} /></div>
    </>
  );
}

/** saidOf tells whether the list of problems, or that of findings, says it too. */
function saidOf(message: string): boolean {
  return [...problems.value, ...findings.value.map((of) => of.diagnostic)].some(({ headline }) => headline === message);
}

/** none says that a picture is being made, or what gives one. */
function none(): string {
  const words = m.value;
  const { page } = route.value;
  if (waiting.value || (page === "free" && !known.value)) return words.waiting;
  return page === "document" ? words.noneDocument(keysOf("run")) : words.none;
}

function Launch({ inspected }: { inspected: Inspected }) {
  const { all, block } = choice.value;
  const step = at.value;
  const open = block ? openStep(inspected.steps, step, block) : -1;
  return (
    <>
      <Launches wanted={route.value.page === "document"} />
      {elsewhere.value ? <Elsewhere sizes={elsewhere.value.sizes} /> : <Tests test={inspected.test} />}
      <Programs inspected={inspected} all={all} />
      {isAsked() && <Question wanted inspected={inspected} />}
      <Pictures inspected={inspected} at={step} all={all} />
      <Legend all={all} program={numberOf(inspected.program, inspected.grid)} loops={inspected.loops.length > 0} />
      {sanitizing.value && <FindingsList wanted />}
      <Timeline inspected={inspected} at={step} />
      {open >= 0 && <Block wanted inspected={inspected} at={open} />}
      <div class="switches"><SanitizeSwitch /><LineValuesSwitch /></div>
      <StepTable inspected={inspected} />
    </>
  );
}

/** isAsked tells whether a question may be asked: of a text of a person's own that has no problem, before its puzzle is run for the first time. */
function isAsked(): boolean {
  const { page } = route.value;
  const own = page === "puzzle" || page === "own";
  const { message = "", source } = current.value ?? {};
  return own && !message && source !== starter.value && settings.value.questions !== false && !elsewhere.value && marks.value[markKey(route.value)] === undefined;
}

/** Elsewhere says at which sizes the launch is that is shown instead of the document's own. */
function Elsewhere({ sizes }: { sizes: string }) {
  const words = m.value;
  const close = () => {
    pick({ program: undefined, step: "last" });
    closeLaunch();
  };
  return (
    <p class="memory-test" role="status">
      <span>{words.elsewhere(sizes)}</span> <button type="button" class="link" id="close-launch" onClick={close}>{words.ownSizes}</button>
    </p>
  );
}

function SanitizeSwitch() {
  const change = (event: { currentTarget: HTMLInputElement }) => choose({ sanitize: event.currentTarget.checked });
  return (
    <label class="switch">
      <input type="checkbox" id="sanitize" checked={sanitizing.value} onChange={change} />{m.value.sanitize}
    </label>
  );
}

function LineValuesSwitch() {
  const change = (event: { currentTarget: HTMLInputElement }) => choose({ lineValues: event.currentTarget.checked });
  return (
    <label class="switch">
      <input type="checkbox" id="line-values" checked={settings.value.lineValues} onChange={change} />{m.value.lineValues}
    </label>
  );
}

/** Tests chooses which of a puzzle's tests is shown. */
function Tests({ test: { number, of } }: Pick<Inspected, "test">) {
  const words = m.value;
  const { verdict } = stale.value ? {} : (result.value ?? {});
  const outcomes = verdict ? [...verdict.classic.cases, ...verdict.strict.cases] : [];
  if (of < 2) return null;
  return (
    <label class="memory-test">
      <span class="memory-label">{words.test}</span>
      <select
        id="memory-test" value={failure.value && choice.value.test === of ? of : number}
        onChange={(e) => pick({ test: Number(e.currentTarget.value), program: undefined, step: "last" })}
      >
        {Array.from({ length: of }, (_, i) => <option key={i} value={i}>{words.testOf(i + 1, of, outcomes[i])}</option>)}
        {failure.value && <option value={of}>{failure.value.text}</option>}
      </select>
    </label>
  );
}

/** useKeptBreakpoints marks the breakpoints that a document had at an earlier visit as it is shown. */
function useKeptBreakpoints(): void {
  useSignalEffect(() => {
    const view = editor.value?.view;
    if (!view || shown.value !== doc.value || !kept(doc.value).length) return;
    const of = doc.value;
    void import("./breakpoints").then(({ install }) => of === shown.peek() && install(view), () => undefined);
  });
}

/** A swipe goes at least so far across, in CSS pixels, and at most half as far down. */
const swipeFrom = 48;

/** Between pictures that are placed, in CSS pixels; styles/memory.css has it too. */
const gap = 18;

/** A vector that is a column is so wide, in CSS pixels, and a filter at least so. */
const columnWidth = 14;
const filterWidth = 96;

/** Pictures are those of all tensors; a swipe over them goes to the next program, or back. */
function Pictures({ inspected, at, all }: { inspected: Inspected; at: number; all: boolean }) {
  const { tensors } = inspected;
  useEffect(() => void import("./place").then((of) => (place.value = of), () => undefined), []);
  const found = useMemo(() => place.value?.placingOf(inspected), [inspected, place.value]);
  const placing = found?.kind === "scores" && concealed.value ? undefined : found; // its cells are too small to be clicked
  const gutter = gutterOf(tensors);
  const start = useRef<Touch | undefined>(undefined);
  const moved = (touch: Touch | undefined): [across: number, down: number] =>
    touch && start.current ? [touch.clientX - start.current.clientX, touch.clientY - start.current.clientY] : [0, 0];
  // Chromium takes the end of a quick swipe for a fling in spite of touch-action, and that swallows the next tap.
  const move = (event: TouchEvent) => {
    const [across, down] = moved(event.touches[0]);
    if (event.cancelable && Math.abs(across) > Math.abs(down)) event.preventDefault();
  };
  const end = ({ changedTouches: [touch] }: TouchEvent) => {
    const [across, down] = moved(touch);
    if (Math.abs(across) >= swipeFrom && Math.abs(across) > 2 * Math.abs(down)) programBy(across < 0 ? 1 : -1);
  };
  return (
    <div
      class="memory-tensors" data-placing={placing?.kind} style={placing && { gridTemplateColumns: columnsOf(placing, tensors, gutter) }}
      onTouchStart={({ touches: [first, second] }) => (start.current = second ? undefined : first)} onTouchMove={move} onTouchEnd={end}
    >
      {tensors.map((tensor, i) => {
        const part = placing?.parts[i];
        const isNumbered = placing?.kind !== "scores" || part === "query" || part === undefined;
        return <Picture key={tensor.name} inspected={inspected} index={i} at={at} all={all} part={part} gutter={isNumbered ? gutter : 0} />;
      })}
      {placing?.kind === "scores" && !all && <Plane wanted inspected={inspected} at={at} parts={placing.parts} />}
    </div>
  );
}

/** columnsOf are the columns of the grid that tensors are placed in. Cells of matrices that have an axis in common are as wide. */
function columnsOf({ kind, parts }: Placing, tensors: readonly Tensor[], gutter: number): string {
  const [left = 1, right = 1] = (["left", "right"] as const).map((part) => tensors[parts.indexOf(part)]?.wrap);
  const [source, filter] = (["source", "filter"] as const).map((part) => tensors[parts.indexOf(part)]?.wrap);
  return {
    product: `calc(${gutter}px + ${left / (left + right)} * (100% - ${gap + 2 * gutter}px)) minmax(0, 1fr)`,
    window: `minmax(0, ${source}fr) minmax(${filterWidth}px, ${filter}fr) minmax(0, ${source}fr)`,
    scores: `${gutter + columnWidth}px minmax(0, 1fr) ${columnWidth}px`,
  }[kind];
}

/** Legend explains the marks, in the colour of the program that is shown. */
function Legend({ all, program, loops }: { all: boolean; program: number; loops: boolean }) {
  const words = m.value;
  const kinds = all
    ? [["written", words.legendWritten], ["read", words.legendRead], ["several", words.legendSeveral]]
    : [
      ["read", words.legendRead], ["written", words.legendWritten], ["masked", words.legendMasked], ["outside", words.legendOutside],
      ...(loops ? [["held", words.legendHeld]] : []),
    ];
  return (
    <p class={`memory-key program-${program % programColours}`} role="group" aria-label={words.legend}>
      {kinds.map(([kind, label]) => <span key={kind}><i class={`key-${kind}`} />{label}</span>)}
    </p>
  );
}

/** StepTable holds all steps of the window as text: the accessible form of the pictures and of the values in the code. */
function StepTable({ inspected: { steps, from, program } }: { inspected: Inspected }) {
  const words = m.value;
  const [open, setOpen] = useState(false);
  const columns = [words.colLine, words.colOperation, words.colType, words.colValue, words.colAccess];
  if (!steps.length) return null;
  return (
    <details class="inputs memory-steps" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{words.table}</summary>
      {open && (
        <div class="table-box" tabIndex={0} role="region" aria-label={words.table}>
          <table class="elements">
            <thead><tr>{columns.map((title) => <th key={title} scope="col">{title}</th>)}</tr></thead>
            <tbody>{steps.map((step, i) => <StepRow key={from + i} step={step} number={from + i} program={program} />)}</tbody>
          </table>
        </div>
      )}
    </details>
  );
}

/** openAt goes to a step and opens its block. */
function openAt(number: number, step: Operation): void {
  pick({ all: false, step: number, block: openedOf(step) });
}

function StepRow({ step, number, program }: { step: Operation; number: number; program: readonly number[] }) {
  const { line, type, text, access, problem, values } = step;
  const found = findings.value.filter((f) => f.step === number && f.program.join() === program.join());
  const name = operationText(step);
  return (
    <tr>
      <td>{line}</td>
      <th scope="row">
        {values?.length ? <button type="button" class="link" onClick={() => openAt(number, step)}>{name}</button> : name}
      </th>
      <td>{type}</td>
      <td>{text}</td>
      <td class="memory-words">
        {access?.sentence} {problem && <Phrase text={problem} />}
        {found.map(({ diagnostic: { headline } }) => headline !== problem && <p key={headline}><Phrase text={headline} /></p>)}
      </td>
    </tr>
  );
}

/** useLineValues shows in the editor where the program is, and what its lines have computed by then. */
function useLineValues(): void {
  useSignalEffect(() => {
    const controls = editor.value;
    const of = current.value;
    const step = at.value;
    if (!controls) return;
    const quiet = !of || problem.value !== "" || choice.value.all || step < 0;
    const { steps = [] } = of?.inspected ?? {};
    showInEditor(controls, quiet ? undefined : {
      source: of.source, line: steps[step]?.line ?? 0,
      values: settings.value.lineValues ? lineValues(steps, step) : [],
      // Of the steps at the time of the click: the editor keeps what it has drawn of values that have not changed.
      open: (value) => {
        const now = current.peek()?.inspected.steps[value];
        pick({ block: now && openedOf(now) });
      },
    });
  });
  useEffect(() => () => {
    const controls = editor.peek();
    if (controls) showInEditor(controls, undefined);
  }, []);
}

/** showInEditor shows values in the editor, which this view does not wait for: what does it comes with CodeMirror. */
function showInEditor(controls: EditorControls, values: LineValues | undefined): void {
  void import("./line-values").then(({ showLineValues }) => showLineValues(controls, values), () => undefined);
}

/** beControlled lets the page's actions act in this view. */
function beControlled(): () => void {
  memory.value = controls;
  return () => (memory.value = undefined);
}
