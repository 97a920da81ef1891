import { computed, effect, signal } from "@preact/signals";
import { latest } from "../engine/latest";
import { helper, helperFailed } from "../engine/engines";
import type { FreeArg, Kernel, KernelsReply, LinkFree } from "../gen/api";
import { isRecord, readJSON, writeJSON } from "../lib/storage";
import { lang, local } from "../settings/settings";
import { route, text } from "./workspace";
import { type Example, examples } from "../content/examples";
import { storedKernels } from "../content/stored";

/** Form is what a person chose for the free page; args by kernel and name override proposals. */
export interface Form {
  kernel: string; // empty: the last kernel of the source
  grids: Record<string, string>; // by kernel
  args: Record<string, FreeArg>; // by "kernel name"
  seed: number;
}

const key = "newt:free";
const kernelsDelayMs = 250;

export const form = signal<Form>(withSeed(readJSON(local, key, isForm) ?? fromCall(examples[0])));

const found = signal<{ source: string; kernels: Kernel[] }>({ source: "", kernels: [] });

/** kernels are those of the text, as the helper last saw it. */
export const kernels = computed(() => found.value.kernels);

/** known is true while the kernels are those of the very text in the editor. */
export const known = computed(() => found.value.source === text.value);

/** kernel is the chosen one, or the last one. */
export const kernel = computed(() => kernels.value.find((k) => k.name === form.value.kernel) ?? kernels.value.at(-1));

/** args are the kernel's arguments: as proposed, or as a person changed them. */
export const args = computed<FreeArg[]>(() => {
  const k = kernel.value;
  return k ? k.args.map((proposed) => form.value.args[`${k.name} ${proposed.name}`] ?? proposed) : [];
});

/** grid is the grid of the chosen kernel: as proposed, or as a person changed it. */
export const grid = computed(() => {
  const k = kernel.value;
  return k ? (form.value.grids[k.name] ?? k.grid) : "1";
});

/** change changes the form and keeps it. */
export function change(part: Partial<Form>): void {
  form.value = withSeed({ ...form.peek(), ...part });
  writeJSON(local, key, form.value);
}

export function changeArg(arg: FreeArg): void {
  const name = kernel.peek()?.name ?? "";
  change({ args: { ...form.peek().args, [`${name} ${arg.name}`]: arg } });
}

export function changeGrid(value: string): void {
  change({ grids: { ...form.peek().grids, [kernel.peek()?.name ?? ""]: value } });
}

/** setCall puts the call of an example or of a link into the form. */
export function setCall(call: LinkFree): void {
  const { kernel, grids, args, seed } = fromCall(call);
  change({ kernel, seed, grids: { ...form.peek().grids, ...grids }, args: { ...form.peek().args, ...args } });
}

/** calls is true where the form calls an example's kernel as the example does. */
export function calls(example: Example): boolean {
  return kernel.value?.name === example.kernel && grid.value === example.grid && JSON.stringify(args.value) === JSON.stringify(example.args);
}

function fromCall({ kernel, grid, args, seed }: LinkFree): Form {
  return {
    kernel, seed,
    grids: { [kernel]: grid },
    args: Object.fromEntries(args.map((a) => [`${kernel} ${a.name}`, a])),
  };
}

const ask = latest((source: string) =>
  helper.call({ lang: lang.peek(), kernels: { source } }),
);

function find(source: string, { kernels }: KernelsReply): void {
  if (source === text.peek()) found.value = { source, kernels };
}

/** watchKernels asks for the kernels whenever the free page's text rests. */
export function watchKernels(): void {
  let timer = 0;
  effect(() => {
    const source = text.value;
    clearTimeout(timer);
    if (route.value.page !== "free" || source === undefined || helperFailed.value) return;
    if (helper.state.peek() !== "ready") void storedKernels(source).then((reply) => reply && !known.peek() && find(source, reply));
    timer = window.setTimeout(() => {
      // Of a text that nothing could be found out about, what is known of the one before is all there is.
      void ask(source).then((reply) => find(source, reply?.kernels ?? { kernels: kernels.peek() }));
    }, kernels.peek().length ? kernelsDelayMs : 0);
  });
}

/** withSeed gives a form a seed that JSON carries exactly: a natural number of at most 53 bits. */
function withSeed(form: Form): Form {
  return { ...form, seed: Math.min(Math.max(0, Math.trunc(form.seed) || 0), Number.MAX_SAFE_INTEGER) };
}

function isForm(value: unknown): value is Form {
  return (
    isRecord(value) && typeof value["kernel"] === "string" && typeof value["seed"] === "number" &&
    isRecord(value["grids"]) && isRecord(value["args"])
  );
}
