import { computed, effect, signal } from "@preact/signals";
import { compiler, compilerFailed } from "../engine/compiler";
import type { EngineFault } from "../engine/engine";
import { helper, helperFailed } from "../engine/engines";
import { latest } from "../engine/latest";
import type { CheckRequest, IRReply } from "../gen/api";
import type { Line, Reply, Request, Stage, Tile } from "../gen/code";
import { g } from "../i18n/stages";
import { type Base, base, target, unchecked } from "../run/code-choice";
import { sessionName } from "../run/cells";
import { chosen, kernelOf, launches } from "../run/launches";
import { checkOf } from "../run/request";
import { view } from "../state/view";
import { type Lang, lang } from "../settings/settings";
import { doc, route, text } from "../document/workspace";

const compileDelayMs = 250;

/** Code is the outcome of compiling a text. */
export interface Code {
  source: string;
  ptx: Line[];
  stages: Stage[]; // the PTX last
  base?: Pick<Code, "stages" | "problem">; // what they are compared with
  layouts: Tile[];
  idle: boolean; // the kernel has no effect
  threads: number;
  shared: number;
  tookMs: number;
  problem?: string;
  refused?: string[]; // why Triton refuses the launch
  launch?: { number: number; kernel: string }; // of a document
}

/**
 * Outcome is what came of a text, or of a document's chosen launch: "none" where the kernel does not compile, "launch" where
 * the document has made no launch that is kept, "failed" where the compiler died of it, or hung.
 */
type Outcome = Code | "none" | "launch" | "failed";

const made = signal<{ doc: string; of: Outcome } | undefined>(undefined);

/** code is what came of the current document; undefined while that is made. */
export const code = computed(() => (made.value?.doc === doc.value ? made.value.of : undefined));

interface Wanted {
  source: string;
  lang: Lang;
  target: string;
  unchecked: boolean;
  base: Omit<Base, "stage"> | undefined; // options to compile for as well
  of: CheckRequest | Launch;
  other: CheckRequest | undefined; // the text to compare with, if it is another
}

/** Launch is one of a document's session. */
interface Launch {
  session: string;
  number: number;
}

const make = latest((wanted: Wanted) => compile(wanted).catch((fault: EngineFault): Outcome => {
  if (fault.reason === "unavailable") throw fault; // it is made once somebody tries again
  return "failed";
}));

async function compile({ of, other, base, ...wanted }: Wanted): Promise<Outcome> {
  const ir = "number" in of ? await kernelOf(of.session, of.number) : await kernelNow(wanted.lang, of);
  if (!ir) return "number" in of ? "launch" : "none";
  const reply = await compiler.call({ ...wanted, ...kernelIn(ir) });
  const compared = base && await compare(wanted, other ? await kernelNow(wanted.lang, other) : ir, base);
  return {
    ...reply, source: wanted.source, stages: stagesOf(reply), problem: reply.problem ?? "",
    ...(compared && { base: { stages: stagesOf(compared), problem: compared.problem ?? "" } }),
    ...("number" in of && { launch: { number: of.number, kernel: ir.kernel } }),
  };
}

/** compare compiles what is compared with: a kernel with options of its own. */
async function compare(wanted: Omit<Request, "ir">, ir: IRReply | undefined, { target, numWarps, numStages, source }: Omit<Base, "stage">): Promise<Made> {
  if (!ir) return { ptx: [], stages: [], problem: g.peek().otherProblem };
  const options = { ...(numWarps && { numWarps }), ...(numStages && { numStages }) };
  const made: Made = await compiler.call({ ...wanted, ...kernelIn(ir), ...options, target, source: source || wanted.source });
  if (!source) return made;
  // What comes from another text has no place in the editor's.
  const placeless = (lines: readonly Line[]) => lines.map(({ text }) => ({ text, from: 0, to: 0, line: 0 }));
  return { ...made, ptx: placeless(made.ptx ?? []), stages: (made.stages ?? []).map((stage) => ({ ...stage, lines: placeless(stage.lines) })) };
}

/** kernelIn is a kernel with the options of its launch, as the compiler takes them. */
function kernelIn({ ir, lowered, numWarps, numStages }: IRReply): Pick<Request, "ir" | "lowered" | "numWarps" | "numStages"> {
  return { ir, ...(lowered && { lowered }), ...(numWarps && { numWarps }), ...(numStages && { numStages }) };
}

/** Made is what a comparison takes of a reply. */
type Made = Pick<Reply, "ptx" | "stages" | "problem">;

function stagesOf({ stages, ptx }: Made): Stage[] {
  return [...(stages ?? []), { name: "ptx", lines: ptx ?? [], changed: true }];
}

/** kernelNow is the IR of the kernel in the text; undefined where it does not compile. */
async function kernelNow(lang: Lang, of: CheckRequest): Promise<IRReply | undefined> {
  const { ir } = await helper.call({ lang, ir: { of } });
  return ir?.ir ? ir : undefined;
}

/** launchNow is the launch that a document shows: the chosen one, or else the last. */
function launchNow(): Launch {
  return { session: sessionName(), number: (chosen.value ?? launches.value.at(-1))?.number ?? 0 };
}

/** watchCode compiles the text whenever it rests, as long as somebody looks, and when an engine that failed is tried again. */
export function watchCode(): () => void {
  compiler.wake();
  let timer = 0;
  return effect(() => {
    const source = text.value ?? "";
    const to = target.value;
    const of = route.value.page === "document" ? launchNow() : checkOf(source);
    const other = base.value?.source && route.value.page !== "document" ? checkOf(base.value.source) : undefined;
    const wanted: Wanted = { source, lang: lang.value, target: to, unchecked: unchecked.value, base: base.value, of, other };
    const key = doc.value;
    clearTimeout(timer);
    if (compilerFailed.value || helperFailed.value) return void (made.value = undefined);
    if ((view.value !== "ptx" && view.value !== "layouts") || to === "run") return;
    timer = window.setTimeout(() => {
      void make(wanted).then((of) => {
        if (of !== undefined && text.peek() === source && doc.peek() === key) made.value = { doc: key, of };
      });
    }, code.peek() === undefined ? 0 : compileDelayMs);
  });
}
