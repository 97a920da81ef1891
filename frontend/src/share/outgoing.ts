import { computed, signal } from "@preact/signals";
import { isOfCode, notice, pane, view } from "../state/view";
import { choice, lookOf } from "../run/choice";
import { linkCode } from "../run/code-choice";
import { launchNumber } from "../run/pointed";
import { helper } from "../engine/engines";
import { args, form, grid, kernel } from "../document/call";
import { file } from "../document/file";
import { type Sibling, siblings } from "../document/siblings";
import type { Case, LinkDocument, LinkResults, LinkState, LinkTensor, TensorView } from "../gen/api";
import { t } from "../i18n/table";
import { toBase64 } from "../lib/base64";
import { shapeText, size } from "../lib/format";
import { gridOf, valuesOf, valueText } from "../lib/tensor";
import type { Result } from "../run/result";
import { result, stale } from "../run/runs";
import { lang, settings } from "../settings/settings";
import { puzzle, route, save, text } from "../document/workspace";
import { documentLink, wholeLink } from "../state/link";

/** Outgoing is a link that was made of the page. */
export interface Outgoing {
  payload: string;
  url: string; // empty where the payload is too long for an address
  most: number; // letters of a payload in an address
  files: number; // of the document that the link holds
  left: readonly Sibling[]; // those that it has no room for
}

/** Limits on what a link says of a run, so that it stays a link. */
const maxTensors = 8;
const maxLetters = 4_000;
const maxPrints = 200;

export const shareOpen = signal(false);

/** shareable is the outcome of the last run while it is that of the text in the editor. */
export const shareable = computed(() => (stale.value || !(result.value?.verdict ?? result.value?.free) ? undefined : result.value));

/** maxContent is what a link holds in all, in bytes, as runner/share/link has it. */
const maxContent = 4 << 20;

/** makeLink packs the page into a link. Where a document's files do not fit, the largest are left out. */
export async function makeLink(withResults: boolean): Promise<Outgoing | { problem: string }> {
  const state = currentState(withResults);
  if (!state) return { problem: t.peek().nothingToShare };
  const inDocument = route.peek().page === "document";
  const files = inDocument ? siblings.peek().toSorted((a, b) => a.bytes.length - b.bytes.length) : [];
  const left: Sibling[] = [];
  const bytes = () => files.reduce((sum, f) => sum + f.bytes.length, state.source.length);
  try {
    for (;;) {
      while (files.length > 0 && bytes() > maxContent) left.push(...files.splice(-1));
      if (inDocument) state.document = documentOf(files);
      const { pack } = await helper.call({ lang: lang.peek(), pack: { state } });
      if (pack?.payload) {
        const url = pack.payload.length > pack.most ? "" : wholeLink(location.href, pack.payload);
        return { payload: pack.payload, url, most: pack.most, files: files.length, left };
      }
      if (!pack?.tooLarge) return { problem: pack?.error || t.peek().linkNotMade };
      if (files.length === 0) return { problem: `${pack.error} ${t.peek().linkContentSize(size(bytes()))}` };
      left.push(...files.splice(-1));
    }
  } catch {
    return { problem: t.peek().linkNotMade };
  }
}

function documentOf(files: readonly Sibling[]): LinkDocument {
  const { name, format } = file.peek();
  return { name, format, files: files.map((f) => ({ name: f.name, data: toBase64(f.bytes) })) };
}

/** shareNow makes a link and copies it; where the browser does not let it, the dialog shows it for copying by hand. */
export async function shareNow(): Promise<void> {
  save();
  const made = await makeLink(false);
  if ("url" in made && made.url && !made.left.length && (await copy(made.url))) notice.value = "linkCopied";
  else shareOpen.value = true;
}

/** copied is the text that the page has put on the clipboard last. */
export const copied = signal("");

/** copy puts text on the clipboard and reports whether the browser let it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    copied.value = text;
    return true;
  } catch {
    return false;
  }
}

function currentState(withResults: boolean): LinkState | undefined {
  const source = text.peek();
  if (source === undefined) return undefined;
  const r = route.peek();
  const state: LinkState = {
    source, lang: lang.peek(), strict: settings.peek().strict,
    puzzle: r.page === "puzzle" ? r.puzzle : 0,
    view: "",
  };
  const own = puzzle.peek()?.own;
  if (own) state.custom = own.custom;
  if (r.page === "free") state.free = { kernel: kernel.peek()?.name ?? "", args: args.peek(), grid: grid.peek(), seed: form.peek().seed };
  const shown = shareable.peek();
  if (withResults && shown) state.results = resultsOf(shown);
  const inDocument = r.page === "document";
  const look = lookOf({ ...choice.peek(), ...(inDocument && { test: launchNumber() }) });
  if (look) state.look = look;
  const code = linkCode();
  if (code && isOfCode(view.peek())) state.code = code;
  return { ...state, view: inDocument ? documentLink(view.peek()) : viewOf(state) };
}

/** viewOf is what a link opens with: a view, or the pane that a phone shows where nothing is chosen in the memory view. */
function viewOf({ results, look, code }: LinkState): string {
  const shown = view.peek();
  if (look || code) return shown;
  if (results) return "result";
  return shown === "memory" && pane.peek() !== "result" ? pane.peek() : shown;
}

function resultsOf({ verdict, free, at }: Result): LinkResults {
  const prints = (verdict?.prints ?? free?.prints ?? []).slice(0, maxPrints).map((p) => p.text.slice(0, maxLetters));
  return {
    pass: verdict?.pass ?? free?.ok ?? false,
    message: verdict?.message ?? free?.message ?? "",
    made: Math.floor(at / 1000),
    tensors: (free ? free.tensors.map((f) => printed(f.view, f.text)) : caseTensors(verdict?.classic.cases ?? [])).slice(0, maxTensors),
    prints,
  };
}

/** caseTensors are the output and the expected output of the first launch that failed, or of the first. */
function caseTensors(cases: Case[]): LinkTensor[] {
  const shown = cases.find((c) => !c.pass) ?? cases[0];
  const { output, expected } = shown?.detail ?? {};
  const want = expected && { ...expected, name: `${expected.name} (${t.peek().expected})` };
  return [output, want].flatMap((view) => (view ? [printed(view, rows(view))] : []));
}

function printed({ name, dtype, shape }: TensorView, text: string): LinkTensor {
  const cut = text.length > maxLetters ? `${text.slice(0, maxLetters)}…` : text;
  return { name, dtype, shape: shapeText(shape), text: cut };
}

/** rows writes a tensor's values row by row. */
function rows(view: TensorView): string {
  const values = Array.from(valuesOf(view), (value) => valueText(value, view.dtype));
  const width = gridOf(view).columns;
  const lines: string[] = [];
  for (let i = 0; i < values.length; i += width) lines.push(values.slice(i, i + width).join(" "));
  return lines.join("\n");
}
