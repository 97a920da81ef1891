import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { m } from "../i18n/memory";
import { partFailed } from "../i18n/table";
import { pick, pickFirstProblem } from "../run/choice";
import { Icon, type IconName } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { Phrase } from "../ui/phrase-view";
import { bandsOf, type Inspected, isProblem, type Operation, operationText } from "./inspected";
import { LongLook } from "./long-look";
import { openedOf } from "./opened";
import { lineBy, programBy, stepBy, stepTo } from "./stage";

const Loops = lazy(() => import("./loops"), partFailed);
const BreakpointList = lazy(() => import("./breakpoint-list"), partFailed);
const Courses = lazy(() => import("./courses"), partFailed);

/** stopsOpen and lanesOpen tell that the breakpoints, and lanes of all programs, are shown. */
export const stopsOpen = signal(false);
const lanesOpen = signal(false);

/** Timeline goes through the steps of the program: buttons, and a block for each operation under its loops' iterations. */
export function Timeline({ inspected, at }: { inspected: Inspected; at: number }) {
  const words = m.value;
  const { steps, from, total } = inspected;
  if (!steps.length) return <p class="fine">{words.noSteps}</p>;
  const step = from + at;
  const now = steps[at];
  return (
    <>
      <div class="timeline" role="group" aria-label={words.timeline}>
        <LongLook />
        <div class="timeline-buttons">
          <Button icon="first" label={words.first} disabled={step <= 0} onClick={() => stepTo(0)} />
          <Button icon="lineBack" label={words.lineBack} disabled={step <= 0} onClick={() => lineBy(-1)} />
          <Button icon="left" label={words.back} disabled={step <= 0} onClick={() => stepBy(-1)} />
          <Button icon="right" label={words.forward} disabled={step >= total - 1} onClick={() => stepBy(1)} />
          <Button icon="lineForward" label={words.lineForward} disabled={step >= total - 1} onClick={() => lineBy(1)} />
          <Button icon="last" label={words.last} disabled={step >= total - 1} onClick={() => stepTo(total - 1)} />
        </div>
        <Loops wanted={Boolean(now?.loops)} inspected={inspected} at={at} />
        <Blocks inspected={inspected} at={at} />
        <p class="timeline-now" role="status">{now && <><b>{words.stepOf(step + 1, total)}</b> · <Spelled step={now} /></>}</p>
      </div>
      <div class="timeline-buttons">
        <button type="button" class="quiet" id="first-problem" onClick={pickFirstProblem}>{words.firstProblem}</button>
        <button
          type="button" class="quiet" id="breakpoints" aria-expanded={stopsOpen.value} onClick={() => (stopsOpen.value = !stopsOpen.value)}
        >
          {words.breakpoints}
        </button>
        <button type="button" class="quiet" id="lanes" aria-expanded={lanesOpen.value} onClick={() => (lanesOpen.value = !lanesOpen.value)}>
          {words.lanes}
        </button>
      </div>
      {stopsOpen.value && <BreakpointList wanted />}
      {lanesOpen.value && <Courses wanted inspected={inspected} at={at} />}
    </>
  );
}

interface ButtonProps {
  icon: IconName;
  label: string;
  disabled: boolean;
  onClick: () => void;
}

function Button({ icon, label, ...props }: ButtonProps) {
  return <button type="button" class="tool" aria-label={label} title={label} {...props}><Icon name={icon} /></button>;
}

/** Spelled is a step in words: its line, operation and value, and what is wrong at it. */
function Spelled({ step }: { step: Operation }) {
  const words = m.value;
  const { line, type, text, iterations, problem } = step;
  return (
    <>
      {words.line(line)}{iterations?.length ? `, ${words.iteration(iterations.join("."))}` : ""} ·{" "}
      <code>{operationText(step)}</code>
      {type && <> <span class="memory-type">{type}</span></>} {text && <code>{text}</code>}
      {problem && <b class="bad"> <Phrase text={problem} /></b>}
    </>
  );
}

/** stepText is a step as the value of a slider. */
function stepText(step: Operation): string {
  return [m.value.line(step.line), operationText(step), step.text, step.problem].filter(Boolean).join(", ");
}

/** Blocks draws the steps of the window side by side; it is a slider for the keyboard. */
function Blocks({ inspected: { steps, from, total }, at }: { inspected: Inspected; at: number }) {
  const strip = useRef<HTMLDivElement>(null);
  const cells = useMemo(() => <Cells steps={steps} from={from} />, [steps, from]);
  const now = steps[at];
  const moves: Record<string, () => void> = {
    ArrowLeft: () => stepBy(-1), ArrowRight: () => stepBy(1), PageUp: () => stepBy(-10), PageDown: () => stepBy(10),
    ArrowUp: () => programBy(-1), ArrowDown: () => programBy(1),
    Home: () => stepTo(0), End: () => stepTo(total - 1), Enter: () => now && pick({ block: openedOf(now) }),
  };
  const lines: Record<string, () => void> = { ArrowLeft: () => lineBy(-1), ArrowRight: () => lineBy(1) };
  useEffect(() => {
    // The strip alone: a pane in which the timeline lies below the pictures stays at these.
    const [box, here] = [strip.current, strip.current?.querySelector(".timeline-here")];
    if (!box || !here) return;
    const [frame, block] = [box.getBoundingClientRect(), here.getBoundingClientRect()];
    box.scrollLeft += Math.min(0, block.left - frame.left) + Math.max(0, block.right - frame.right);
  }, [at, steps]);
  const move = (event: KeyboardEvent) => {
    const act = (event.shiftKey ? lines : moves)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const point = (event: MouseEvent) => {
    const block = (event.target as HTMLElement).closest<HTMLElement>("[data-step]");
    if (block) stepTo(Number(block.dataset["step"]));
  };
  return (
    <div
      class="timeline-strip" ref={strip} role="slider" tabIndex={0} aria-label={`${m.value.timeline}. ${m.value.timelineKeys}`}
      aria-valuemin={1} aria-valuemax={total} aria-valuenow={from + at + 1} aria-valuetext={now ? stepText(now) : ""}
      onKeyDown={move} onClick={point}
    >
      <div class="timeline-grid" style={{ "--steps": steps.length }}>
        {cells}
        <i class="timeline-ahead" style={{ transform: `scaleX(${1 - (at + 1) / steps.length})` }} />
        {now && <i class={`timeline-here ${isProblem(now) ? "wrong" : ""}`} style={{ transform: `translateX(${100 * at}%)` }} />}
      </div>
    </div>
  );
}

/**
 * Cells are the blocks of the steps, under bands for their loops' iterations. They are the same at every step: what is ahead is
 * covered, and the chosen one framed, because another style for one of thousands of cells would have the browser lay out all.
 */
function Cells({ steps, from }: Pick<Inspected, "steps" | "from">) {
  const bands = bandsOf(steps);
  const depth = Math.max(0, ...bands.map((band) => band.depth + 1));
  return (
    <>
      {bands.map(({ depth, from: first, to, iteration }) => (
        <span
          key={`${depth} ${first}`} class="timeline-band" data-step={from + first}
          style={{ gridArea: `${depth + 1} / ${first + 1} / ${depth + 2} / ${to + 1}` }}
        >
          {iteration}
        </span>
      ))}
      {steps.map((step, i) => (
        <span key={i} data-step={from + i} class={blockClass(step)} style={{ gridArea: `${depth + 1} / ${i + 1}` }} />
      ))}
    </>
  );
}

/** blockClass is the look of a step's block. */
function blockClass(step: Operation): string {
  return `timeline-block ${step.access?.kind ?? "compute"} ${isProblem(step) ? "wrong" : ""}`;
}
