import { computed, signal, untracked, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { doc, text } from "../document/workspace";
import { helper, interpreter } from "../engine/engines";
import type { Origin, StepValue, WhyReply } from "../gen/api";
import { m } from "../i18n/memory";
import { partFailed } from "../i18n/table";
import { closeLaunch } from "../run/launch";
import { lang } from "../settings/settings";
import { editor, pane, question } from "../state/view";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { Phrase } from "../ui/phrase-view";
import { choice, type Opened, pick } from "../run/choice";
import { current, lookedAt, waiting } from "./stage";

/** deepest is how many levels of the origins are indented. */
const deepest = 6;

/** Subject is what an element is asked about of: a tensor, of which -1 is the last, or the value of a step in its open block. */
export type Subject = { tensor: number } | { value: StepValue; block: Opened };

/** Asked is an element that a person asks about, with the answer once there is one. */
interface Asked {
  doc: string;
  source: string; // that was asked of
  of: Subject;
  from: Element | null; // what had the focus when it was asked
  reply: WhyReply | undefined;
  failed: boolean;
}

const asked = signal<Asked | undefined>(undefined);

const FormulaColumns = lazy(() => import("./formulas"), partFailed);

/** answered is what was asked last, if it is of the text that is shown. */
const answered = computed(() => (asked.value?.doc === doc.value && asked.value.source === text.value ? asked.value : undefined));

/** differing are the elements of which one side of the answer's formulas alone is made. */
export const differing = computed(() => answered.value?.reply?.formulas?.marks ?? []);

/** askWhy asks where an element comes from, in the launch that is shown. The answer may take the focus from the element from. */
export async function askWhy(of: Subject, element: number, from = document.activeElement): Promise<void> {
  const source = text.peek();
  const launch = source === undefined ? undefined : lookedAt(source);
  if (!launch || source === undefined) return;
  const now = { doc: doc.peek(), source, of, from, reply: undefined, failed: false };
  asked.value = now;
  const engine = launch.look ? interpreter : helper;
  const subject = "value" in of ? { tensor: -1, value: of.value } : of;
  const call = { lang: lang.peek(), why: { of: { ...launch }, ...subject, element } };
  const reply = await engine.call(call).then(({ why }) => why, () => undefined);
  if (asked.peek() !== now) return;
  const about = "tensor" in of && of.tensor < 0 && reply ? { tensor: reply.tensor } : of;
  asked.value = { ...now, of: about, reply, failed: !reply };
  if (reply?.formulas) showOrigin();
}

/** useQuestion asks what the verdict of a puzzle asks, once its launch is shown. */
export function useQuestion(): void {
  useSignalEffect(() => {
    const now = question.value;
    if (!now || !current.value) return;
    untracked(() => {
      question.value = undefined;
      closeLaunch();
      pick({ test: now.test, program: undefined, step: "last" });
      void askWhy({ tensor: -1 }, now.element, null).then(showOrigin);
    });
  });
}

/** showOrigin goes to the program and step that the answer begins with: that which wrote the element. */
function showOrigin(): void {
  const reply = asked.peek()?.reply;
  const first = reply?.origins.find(({ step }) => step >= 0);
  if (reply && first) pick({ all: false, program: reply.program, step: first.step });
}

/** WhyElement is the answer about an element of a tensor, under its picture. */
export function WhyElement({ tensor, last }: { tensor: number; last: boolean }) {
  return <Why about={(of) => "tensor" in of && (of.tensor === tensor || of.tensor < 0 && last)} />;
}

/** WhyValue is the answer about an element of the block that is open, while its program is shown. */
export function WhyValue() {
  const { block } = choice.value;
  const program = current.value?.inspected.program.join();
  return <Why about={(of) => "value" in of && of.block === block && of.value.program.join() === program} />;
}

/** Why is the answer to what was asked last, if it is about the right thing and of the text that is shown. */
function Why({ about }: { about: (of: Subject) => boolean }) {
  const of = answered.value;
  if (!of || !about(of.of)) return null;
  if (of.reply && !of.reply.message) return <Answer reply={of.reply} from={of.from} />;
  const said = of.failed ? m.value.whyFailed : (of.reply?.message ?? m.value.whyWaiting);
  return <p class="memory-why" role="status"><Phrase text={said} /></p>;
}

/** Answer lists what an element comes from; each operation goes to its program, step and line. */
function Answer({ reply, from }: { reply: WhyReply; from: Element | null }) {
  const words = m.value;
  const box = useRef<HTMLElement>(null);
  // With the picture, so that no key falls in between; not from a person who has gone on to something else.
  useLayoutEffect(() => {
    if ([from, document.body].includes(document.activeElement)) box.current?.querySelector<HTMLElement>("li button, section > button")?.focus();
  }, [reply]);
  // Once the pictures above have the size that they keep.
  const settled = !waiting.value;
  const brought = useRef<WhyReply | undefined>(undefined);
  useEffect(() => {
    if (!settled || brought.current === reply) return;
    brought.current = reply;
    box.current?.scrollIntoView({ block: from ? "nearest" : "start" });
  }, [reply, settled]);
  const close = () => {
    box.current?.parentElement?.querySelector<HTMLElement>("[role=application]")?.focus(); // the picture
    asked.value = undefined;
  };
  const keys = (event: KeyboardEvent) => {
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>("li button") ?? [])];
    const to = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key !== "Escape" && !to) return;
    event.preventDefault();
    event.stopPropagation();
    if (to) buttons[buttons.indexOf(document.activeElement as HTMLElement) + to]?.focus();
    else close();
  };
  const differs = reply.expected !== undefined && reply.expected !== reply.got;
  return (
    <section class="memory-why" ref={box} aria-label={words.whyList(reply.element)} onKeyDown={keys}>
      <p>
        <b>{words.whyTitle(reply.element, reply.got)}</b>
        {differs && <> <span class="bad">{words.whyExpected(reply.expected ?? "")}</span></>}
      </p>
      {reply.formulas && <FormulaColumns wanted formulas={reply.formulas} />}
      <ol>{reply.origins.map((origin, i) => <Row key={i} origin={origin} program={reply.program} />)}</ol>
      {reply.left > 0 && <p class="fine">{words.whyLeft(reply.left)}</p>}
      <button type="button" class="tool" aria-label={words.whyClose} title={words.whyClose} onClick={close}>
        <Icon name="close" />
      </button>
    </section>
  );
}

function Row({ origin: { depth, line, step, sentence }, program }: { origin: Origin; program: number[] }) {
  const indent = { paddingInlineStart: `${Math.min(depth, deepest) * 14}px` };
  if (step < 0) return <li style={indent}><Phrase text={sentence} /></li>;
  const go = () => {
    pick({ all: false, program, step });
    editor.peek()?.showLine(line);
  };
  const here = !choice.value.all && choice.value.step === step && choice.value.program?.join() === program.join();
  const toLine = () => {
    pane.value = "editor";
    go();
  };
  return (
    <li style={indent}>
      <button type="button" aria-current={here ? "step" : undefined} onClick={go}>
        <span class="memory-type">{m.value.line(line)}</span> <Phrase text={sentence} />
      </button>
      {here && <button type="button" class="link to-line phone-only" onClick={toLine}>{m.value.toLine(line)}</button>}
    </li>
  );
}
