import { batch, computed, effect, signal } from "@preact/signals";
import { doc, route, text } from "../document/workspace";
import { interpreter, searcher } from "../engine/engines";
import { isCached } from "../engine/program";
import type { Finding, FindingsReply, InspectRequest } from "../gen/api";
import { found as marked } from "../run/checks";
import { choice, pick } from "../run/choice";
import { launchOf } from "../run/launch";
import { running } from "../run/runs";
import { lang, settings } from "../settings/settings";
import { editor } from "../state/view";
import { current, problem, waiting } from "./stage";

/** Sanitizers begin once an edit has rested for so long, and may take so long where a person asks for all programs. */
const delayMs = 250;
const timeoutMs = 120_000;

/**
 * Nothing is loaded for the sanitizers until a launch is shown that is not a stored one, and, where that is a download, the page
 * has rested for so long.
 */
const restMs = isCached() ? 0 : 2000;

const rested = signal(false);

/** sanitizing tells that launches are checked: at once where the program that does it is loaded, else once the page has rested, unless a person has chosen. */
export const sanitizing = computed(
  () => settings.value.sanitize ?? (rested.value || route.value.page === "document" || searcher.starts.value > 0),
);

/** whenIdle calls f once nothing else is to be done, where the browser tells. */
const whenIdle = "requestIdleCallback" in window ? (f: () => void) => void requestIdleCallback(f) : (f: () => void) => f();

/** watchRest waits until the page has rested. */
function watchRest(): () => void {
  let timer = 0;
  const end = effect(() => {
    clearTimeout(timer);
    if (rested.value || !current.value || waiting.value) return;
    timer = window.setTimeout(() => whenIdle(() => (rested.value = true)), restMs);
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}

interface Wanted {
  key: string;
  doc: string;
  source: string;
  of: InspectRequest;
  whole: boolean;
}

/** Checked is what came of a check; there is no reply where it failed. */
interface Checked extends Wanted {
  reply: FindingsReply | undefined;
}

const last = signal<Checked | undefined>(undefined);

/** wholly is the launch of which a person wants all programs to be checked. */
const wholly = signal("");

const wanted = computed<Wanted | undefined>(() => {
  const source = text.value;
  const of = sanitizing.value && source !== undefined ? launchOf(source) : undefined;
  if (!of || source === undefined) return undefined;
  const launch = JSON.stringify([lang.value, of]);
  const whole = wholly.value === launch;
  return { key: `${launch} ${whole}`, doc: doc.value, source, of, whole };
});

/** checked is the last check of the current document; fresh tells whether it is of the launch that is shown now. */
export const checked = computed(() => (sanitizing.value && last.value?.doc === doc.value ? last.value : undefined));
export const fresh = computed(() => checked.value !== undefined && checked.value.key === wanted.value?.key);

/** findings are those of the launch that is shown. */
export const findings = computed<readonly Finding[]>(() => (fresh.value ? (checked.value?.reply?.findings ?? []) : []));

const selected = signal<Finding | undefined>(undefined);

/** chosen is the finding that is looked at: until a person goes to another program or step. */
export const chosen = computed(() => {
  const of = selected.value;
  const { all, program, step } = choice.value;
  const here = of && !all && program?.join() === of.program.join() && step === stepOf(of);
  return here && findings.value.includes(of) ? of : undefined;
});

function stepOf({ step }: Finding): number | "last" {
  return step < 0 ? "last" : step;
}

/** lookAt shows a finding: its program and step, its cells, and its line. */
export function lookAt(of: Finding): void {
  batch(() => {
    selected.value = of;
    pick({ all: false, program: of.program, step: stepOf(of) });
  });
  editor.peek()?.showLine(of.diagnostic.line);
}

/** checkAll checks all programs of the launch that is shown. */
export function checkAll(): void {
  const now = wanted.peek();
  if (now) wholly.value = JSON.stringify([lang.peek(), now.of]);
}

/** watchFindings checks the launch that is shown, behind its picture; what makes it another launch ends the check. */
export function watchFindings(): () => void {
  const endRest = watchRest();
  let asked = "";
  let timer = 0;
  let stopper = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    stopper.abort();
    asked = "";
  };
  const end = effect(() => {
    const now = wanted.value;
    const busy = now?.of.look !== undefined && running.value !== undefined; // the session is another's turn
    if (asked && (now?.key !== asked || busy)) stop();
    if (!now || asked || busy || waiting.value || problem.value || last.peek()?.key === now.key) return;
    asked = now.key;
    stopper = new AbortController();
    const { signal } = stopper;
    timer = window.setTimeout(() => void check(now, signal), delayMs);
  });
  const mark = effect(() => {
    const of = fresh.value ? checked.value : undefined;
    const list = (of?.reply?.findings ?? []).map((f) => f.diagnostic);
    marked.value = of && { doc: of.doc, source: of.source, list };
  });
  return () => {
    endRest();
    mark();
    end();
    stop();
  };
}

async function check(now: Wanted, signal: AbortSignal): Promise<void> {
  const engine = now.of.look ? interpreter : searcher;
  if (engine === searcher) searcher.wake();
  const call = { lang: lang.peek(), findings: { of: now.of, whole: now.whole } };
  const options = { timeoutMs, signal, interrupt: { lang: lang.peek(), stop: {} }, patient: engine === interpreter };
  const reply = await engine.call(call, options).then(({ findings }) => findings, () => undefined);
  if (!signal.aborted) last.value = { ...now, reply };
}
