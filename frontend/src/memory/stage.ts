import { batch, computed, effect, signal } from "@preact/signals";
import { doc, route, text } from "../document/workspace";
import { storedLook } from "../content/stored";
import { EngineFault } from "../engine/engine";
import { helper } from "../engine/engines";
import { latest } from "../engine/latest";
import type { InspectReply, InspectRequest } from "../gen/api";
import { m } from "../i18n/memory";
import { type Choice, choice, pick } from "../run/choice";
import { launchOf } from "../run/launch";
import { running } from "../run/runs";
import { type Lang, lang } from "../settings/settings";
import { decode, firstProblem, type Inspected, numberOf, programAt, programCount } from "./inspected";
import { engineFor, look, looking } from "./looking";
import { lineFrom } from "./moves";

/** before is how many steps a window of them holds ahead of the one that is asked for. */
const before = 200;

/** Shown is a launch as the picture shows it, with what it is of. */
interface Shown {
  doc: string;
  source: string;
  inspected: Inspected;
  message: string; // about the launch
  more: boolean; // the launch was ended early
}

/** shown is the last launch that could be inspected. */
export const shown = signal<Shown | undefined>(undefined);

const refused = signal({ doc: "", why: "" });

/** problem says why the current text has no picture, so that the one shown is of an earlier text; empty where it has one. */
export const problem = computed(() => (refused.value.doc === doc.value ? refused.value.why : ""));

/** waiting tells that what is shown is not yet what the current text and choice give. */
export const waiting = signal(false);

/** current is the launch that is shown, if it is of the current document. */
export const current = computed(() => (shown.value?.doc === doc.value ? shown.value : undefined));

/** at is the chosen step's place in the window of steps; -1 where the program has none. */
export const at = computed(() => {
  const of = current.value?.inspected;
  if (!of) return -1;
  const { step } = choice.value;
  const last = of.steps.length - 1;
  if (step === "last") return last;
  if (step !== "problem") return Math.max(Math.min(0, last), Math.min(last, step - of.from));
  const wrong = firstProblem(of.steps);
  return wrong < 0 ? last : wrong;
});

/** stepTo goes to a step of the program, counted from 0. */
export function stepTo(step: number): void {
  const of = current.peek()?.inspected;
  if (of?.total) pick({ all: false, step: Math.max(0, Math.min(of.total - 1, step)) });
}

/** stepBy goes some steps forwards, or back. */
export function stepBy(steps: number): void {
  stepTo((current.peek()?.inspected.from ?? 0) + at.peek() + steps);
}

/** lineBy goes to where the next line (1), or the one before (-1), has run. */
export function lineBy(by: 1 | -1): void {
  const of = current.peek()?.inspected;
  if (of) stepTo(of.from + lineFrom(of.steps, at.peek(), by));
}

/** programBy chooses the program that comes so many after the one shown, in program order, at the same step. */
export function programBy(programs: number): void {
  const of = current.peek()?.inspected;
  if (!of) return;
  const next = numberOf(of.program, of.grid) + programs;
  if (next >= 0 && next < programCount(of.grid)) pick({ all: false, program: programAt(next, of.grid) });
}

interface Wanted {
  lang: Lang;
  doc: string;
  source: string;
  inspect: InspectRequest;
}

/** Answer is what a look gave; it failed if the program died of it, or hung, and may have been stopped by a person. */
type Answer = { reply: InspectReply; buffers: ArrayBuffer[] } | "lookFailed" | "lookStopped";

/** ask inspects a launch. One that was to go on to its end, and was stopped, is shown as far as others are. */
const ask = latest(async ({ lang, inspect }: Wanted): Promise<Answer | undefined> => {
  let buffers: ArrayBuffer[] = [];
  try {
    const { inspect: reply } = await look(inspect, { lang, inspect }, { onBuffers: (of) => (buffers = of) });
    return reply && { reply, buffers };
  } catch (fault) {
    if (inspect.whole) wholly.value = "";
    if (!(fault instanceof EngineFault) || fault.reason !== "stopped") return "lookFailed";
    return inspect.whole ? undefined : "lookStopped";
  }
});

/** wholly is the launch that a person wants to see up to its end. */
const wholly = signal("");

/** lookedAt is the launch of a text as it is looked at: up to its end where a person wants that. */
export function lookedAt(source: string): InspectRequest | undefined {
  const of = launchOf(source);
  return of && wholly.value === JSON.stringify(of) ? { ...of, whole: true } : of;
}

/** lookWholly goes on to the end of the launch that is shown. */
export function lookWholly(): void {
  const source = text.peek();
  if (source !== undefined) wholly.value = JSON.stringify(launchOf(source));
}

/** windowOf is the first step to ask for, so that the chosen one is among those of the reply. */
function windowOf({ step }: Choice, of: Inspected | undefined): number {
  if (typeof step !== "number") return 0;
  const inside = of && step >= of.from && step < of.from + of.steps.length;
  return inside ? of.from : Math.max(0, step - before);
}

/** wanted is what the page is to show next. */
const wanted = computed<Wanted | undefined>(() => {
  const source = text.value;
  const launch = source === undefined ? undefined : lookedAt(source);
  if (!launch || source === undefined) return undefined;
  const { program } = choice.value;
  const from = windowOf(choice.value, shown.peek()?.doc === doc.value ? shown.peek()?.inspected : undefined);
  return { lang: lang.value, doc: doc.value, source, inspect: { ...launch, ...(program && { program: [...program] }), from } };
});

/** watchStage inspects the launch again after every edit and choice, without Run, as long as somebody looks. */
export function watchStage(): () => void {
  let timer = 0;
  let asked = "";
  const end = effect(() => {
    const now = wanted.value;
    const busy = route.value.page === "document" && running.value !== undefined;
    const key = JSON.stringify(now);
    if (now && engineFor(now.inspect).state.value === "failed") {
      asked = ""; // it is asked again once the engine is started again
      waiting.value = false;
      return;
    }
    if (!now || busy || key === asked) return;
    asked = key;
    const { program, from, ...launch } = now.inspect;
    const before = looking.peek()?.of;
    if (before?.whole && JSON.stringify({ ...before, program: undefined, from: undefined }) !== JSON.stringify(launch)) looking.peek()?.stop();
    waiting.value = true;
    clearTimeout(timer);
    if (shown.peek() === undefined && helper.state.peek() !== "ready") {
      void storedLook(now.inspect).then((answer) => answer && shown.peek() === undefined && key === asked && receive(now, answer));
    }
    timer = window.setTimeout(() => { // after what was typed is drawn; asks that come meanwhile wait, all but the last in vain
      void ask(now).then((answer) => {
        if (answer && now.doc === doc.peek()) receive(now, answer);
        if (key === asked) waiting.value = false;
      });
    });
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}

function receive({ doc, source, inspect }: Wanted, answer: Answer): void {
  if (typeof answer === "string") {
    refused.value = { doc, why: m.peek()[answer] };
    return;
  }
  const { reply, buffers } = answer;
  batch(() => {
    const empty = !reply.tensors.length && !reply.steps.length;
    refused.value = { doc, why: empty ? why(reply) : "" };
    if (empty && inspect.look) shown.value = undefined; // what was shown is another launch, not an earlier text's
    if (!empty) shown.value = { doc, source, inspected: decode(reply, buffers), message: why(reply), more: reply.more ?? false };
  });
}

/** why is what is wrong with a launch: its first error, or else what the reply says; empty where nothing is. */
function why({ diagnostics, message = "" }: InspectReply): string {
  return diagnostics.find((d) => d.severity === "error")?.headline ?? message;
}
