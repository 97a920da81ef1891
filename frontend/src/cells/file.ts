import { batch, effect, signal } from "@preact/signals";
import { type Format, file, newID, setFile } from "../document/file";
import { giveFiles, type Sibling, siblings } from "../document/siblings";
import { keep, kept, type KeptCell } from "../document/store";
import { route, text } from "../document/workspace";
import { helper } from "../engine/engines";
import type { OpenReply, SavedCell } from "../gen/api";
import { type Cell, cellsOf } from "../lib/cells";
import { debounce } from "../lib/debounce";
import { download } from "../lib/download";
import { cellRun, newRun, type Place, placing, runBeneath } from "../run/cells";
import { finished } from "../run/runs";
import { d } from "../i18n/document";
import { lang } from "../settings/settings";
import { takeDocument } from "../share/take";
import { setPictures } from "../statement/pictures";

const maxBytes = 64 << 20;
const keepDelayMs = 100;

/** opening is a file that is being read, or what is wrong with it. */
export const opening = signal<{ busy?: boolean; problem?: string }>({});

/** notKept is true while the browser has no room for what belongs to the document. */
export const notKept = signal(false);

/** documents are the files that open as a document; others, and further ones, are files next to it. */
const documents = [/\.launch$/i, /\.ipynb$/i, /\.(md|markdown|mdx|qmd|rmd)$/i, /\.pyw?$/i, /\.txt$/i];

/** openable are the endings of files that open as a document. */
export const openable = ".py,.pyw,.ipynb,.md,.markdown,.txt,.launch";

/** chooseFiles lets a person choose files of this device to open. */
export function chooseFiles(): void {
  const input = Object.assign(document.createElement("input"), { type: "file", multiple: true, accept: openable });
  input.addEventListener("change", () => void openFiles([...(input.files ?? [])]));
  input.click();
}

/** openFiles opens a file as the document, and gives it the others. */
export async function openFiles(list: readonly File[]): Promise<void> {
  const ranked = documents.flatMap((kind) => list.filter((f) => kind.test(f.name)));
  const [main] = ranked;
  const others = list.filter((f) => f !== main);
  if (main) await openFile(main);
  if (others.length) await addFiles(others);
}

/** openDropped opens what was dropped: files as if they were chosen, a folder as the project that the document is in. */
export async function openDropped(list: readonly File[], entries: readonly (FileSystemEntry | null)[]): Promise<void> {
  const known = entries.filter((e) => e !== null);
  if (!known.some((e) => e.isDirectory)) return openFiles(list);
  await giveProject(import("./folder").then(({ droppedFiles }) => droppedFiles(known)));
}

/** addFolder gives the files of a folder to the document. */
export function addFolder(list: readonly File[]): Promise<void> {
  return giveProject(import("./folder").then(({ chosenFiles }) => chosenFiles(list)));
}

async function giveProject(files: Promise<Sibling[]>): Promise<void> {
  opening.value = { busy: true };
  try {
    give(await files);
  } catch {
    opening.value = { problem: d.peek().tooManyFiles };
  }
}

/** addFiles gives files to the document, and the files of a zip. */
export async function addFiles(list: readonly File[]): Promise<void> {
  if (list.some((f) => f.size > maxBytes)) return void (opening.value = { problem: d.peek().tooMuch });
  try {
    give((await Promise.all(list.map(contents))).flat());
  } catch {
    opening.value = { problem: d.peek().unreadable };
  }
}

async function contents(f: File): Promise<Sibling[]> {
  if (/\.zip$/i.test(f.name)) return (await import("./folder")).unpacked(f);
  return [{ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) }];
}

/** openSibling opens a file next to the document in its place, with the files that are there. */
export async function openSibling({ name, bytes }: Sibling): Promise<void> {
  const beside = siblings.peek();
  await openFile(new File([bytes], name.split("/").at(-1) ?? name));
  if (!opening.peek().problem) give(beside);
}

/** isDocument tells whether a file opens as a document. */
export function isDocument(name: string): boolean {
  return documents.some((kind) => kind.test(name));
}

/** give gives files to the document, or says that they are too large. */
function give(files: readonly Sibling[]): void {
  opening.value = giveFiles(files) ? {} : { problem: d.peek().tooMuch };
}

/** openFile opens a file as the document. */
export async function openFile(from: File): Promise<void> {
  if (from.size > maxBytes) return void (opening.value = { problem: d.peek().tooLarge });
  opening.value = { busy: true };
  try {
    const given = new Uint8Array(await from.arrayBuffer());
    const { open, files } = await read(from.name, given);
    if (!open || open.problem) return void (opening.value = { problem: open?.problem ?? d.peek().unreadable });
    opening.value = {};
    // What is no document itself has become one, which is saved under its own name.
    const bytes = open.name === from.name ? given : new TextEncoder().encode(open.text);
    siblings.value = [];
    giveFiles(files);
    takeDocument(open.text, { name: open.name, format: open.format as Format, bytes, id: newID() });
    setPictures(open.pictures);
    placing.value = placesOf(cellsOfFile(open), codeCells(text.peek() ?? ""));
  } catch {
    opening.value = { problem: d.peek().unreadable };
  }
}

/** read gives a file as a document, and the files next to it that it holds. */
async function read(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<{ open: OpenReply | undefined; files: Sibling[] }> {
  let data: ArrayBuffer[] = [];
  const onBuffers = (buffers: ArrayBuffer[]) => void (data = buffers);
  const { open } = await helper.call({ lang: lang.peek(), open: { name } }, { buffers: [bytes.slice().buffer], onBuffers });
  const files = (open?.files ?? []).flatMap((f, i): Sibling[] => (data[i] ? [{ name: f.name, bytes: new Uint8Array(data[i]) }] : []));
  return { open, files };
}

/** cellsOfFile are the outputs that a notebook's file holds. */
function cellsOfFile({ text: source, cells }: OpenReply): KeptCell[] {
  return codeCells(source).map((cell, i) => ({ source: source.slice(cell.from, cell.to), outputs: cells[i]?.outputs ?? [] }));
}

/** placesOf are the places of outputs beneath those of the cells that they belong to. */
function placesOf(list: readonly KeptCell[], cells: readonly Cell[]): Place[] {
  const source = text.peek() ?? "";
  const left = list.filter((c) => c.outputs.length > 0 || c.end);
  return cells.flatMap(({ from, to }) => {
    const at = left.findIndex((c) => c.source === source.slice(from, to));
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (!found) return [];
    const { outputs, end } = found;
    return [{ run: newRun({ state: "kept", outputs, ...(end && { end }) }), from, to }];
  });
}

/** here is the file whose bytes and outputs are on the page, or soon will be. */
let here: { id: string; ready: boolean } | undefined;

/** watchFile brings back what the browser has kept of the document's file, and keeps it from then on. */
export function watchFile(): void {
  const keepSoon = debounce(() => void keepNow(), keepDelayMs);
  effect(() => {
    const { id, bytes } = file.value;
    void [siblings.value, finished.value];
    if (route.value.page !== "document") return;
    if (here?.id !== id) {
      const left = here !== undefined;
      const now = (here = { id, ready: bytes !== undefined });
      if (!now.ready && left) siblings.value = []; // which are another document's
      if (!now.ready) void restore(id).finally(() => (now.ready = true));
    }
    if (here.ready) keepSoon();
  });
}

async function restore(id: string): Promise<void> {
  const found = await kept(id);
  const name = file.peek().name;
  const open = found?.bytes && (await read(name, found.bytes).catch(() => undefined))?.open;
  if (file.peek().id !== id) return;
  batch(() => {
    const added = siblings.peek(); // meanwhile
    siblings.value = found?.siblings ?? [];
    if (added.length) give(added);
  });
  setPictures(open?.pictures ?? []);
  if (found?.bytes && open && !open.problem) setFile({ ...file.peek(), bytes: found.bytes });
  if (!found) return;
  const placed = placing.peek();
  const ran = (cell: Cell) => runBeneath(cell) !== undefined || placed.some(({ from }) => from === cell.from); // meanwhile
  const cells = codeCells(text.peek() ?? "").filter((cell) => !ran(cell));
  placing.value = [...placed, ...placesOf([...found.cells, ...(open ? cellsOfFile(open) : [])], cells)];
}

async function keepNow(): Promise<void> {
  const { id, bytes } = file.peek();
  if (here?.id !== id || !here.ready) return;
  const source = text.peek() ?? "";
  const cells = shownCells(source).map(({ cell, now }) => ({ source: source.slice(cell.from, cell.to), ...now }));
  notKept.value = !(await keep({ id, at: Date.now(), bytes, siblings: siblings.peek(), cells }));
}

/** saveFile downloads the document in a format: that of its own file byte for byte where nothing has changed. */
export async function saveFile(format: Format): Promise<void> {
  const { name, bytes } = file.peek();
  const to = format === file.peek().format ? name : name.replace(/\.\w+$/, "") + extensions[format];
  const source = text.peek() ?? "";
  const from = bytes ? name : "";
  const cells = shownCells(source).map(({ index, now }): SavedCell => ({ cell: index, outputs: [...now.outputs], count: now.end.count }));
  const call = { lang: lang.peek(), save: { name: to, from, format, text: source, cells } };
  const saved = await helper.call(call, { buffers: bytes ? [bytes.slice().buffer] : [] }).then(({ save }) => save, () => undefined);
  const made = saved ?? (format === "python" ? { text: source, mime: "text/x-python" } : undefined); // which the text is
  opening.value = made ? {} : { problem: d.peek().notSaved };
  if (made) download(to, new Blob([made.text], { type: made.mime }));
}

const extensions: Readonly<Record<Format, string>> = { python: ".py", notebook: ".ipynb", markdown: ".md", transcript: ".txt" };

/** shownCells are the cells of code that ran here, with their place among them. */
function shownCells(source: string) {
  return codeCells(source).flatMap((cell, index) => {
    const run = runBeneath(cell);
    const now = run === undefined ? undefined : cellRun(run).peek();
    return now?.end ? [{ cell, index, now: { outputs: now.outputs, end: now.end } }] : [];
  });
}

function codeCells(source: string): Cell[] {
  return cellsOf(source).filter((c) => c.kind === "code");
}
