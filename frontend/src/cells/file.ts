import { signal } from "@preact/signals";
import { type Format, file } from "../document/file";
import { text } from "../document/workspace";
import { helper } from "../engine/engines";
import type { OpenReply, SavedCell } from "../gen/api";
import { cellsOf } from "../lib/cells";
import { download } from "../lib/download";
import { cellRun, forget, newRun, placing, runBeneath } from "../run/cells";
import { launches } from "../run/launches";
import { d } from "../i18n/document";
import { lang } from "../settings/settings";
import { takeDocument } from "../share/take";

const maxBytes = 64 << 20;
const timeoutMs = 60_000;

/** opening is a file that is being read, or what is wrong with it. */
export const opening = signal<{ busy?: boolean; problem?: string }>({});

/** openFile opens a file as the document. */
export async function openFile(from: File): Promise<void> {
  if (from.size > maxBytes) return void (opening.value = { problem: d.peek().tooLarge });
  opening.value = { busy: true };
  try {
    const bytes = new Uint8Array(await from.arrayBuffer());
    const { open } = await helper.call({ lang: lang.peek(), open: { name: from.name } }, { timeoutMs, buffers: [bytes.slice().buffer] });
    if (!open || open.problem) return void (opening.value = { problem: open?.problem ?? d.peek().unreadable });
    opening.value = {};
    forget();
    launches.value = [];
    takeDocument(open.text, { name: from.name, format: open.format as Format, bytes });
    showKept(open);
  } catch {
    opening.value = { problem: d.peek().unreadable };
  }
}

/** showKept shows the outputs that a notebook's file holds. */
function showKept({ cells }: OpenReply): void {
  const code = cellsOf(text.peek() ?? "").filter((c) => c.kind === "code");
  placing.value = code.flatMap(({ from, to }, i) => {
    const outputs = cells[i]?.outputs ?? [];
    return outputs.length ? [{ run: newRun({ state: "kept", outputs }), from, to }] : [];
  });
}

/** saveFile downloads the document in a format: that of its own file byte for byte where nothing has changed. */
export async function saveFile(format: Format): Promise<void> {
  const { name, bytes } = file.peek();
  const to = format === file.peek().format ? name : name.replace(/\.\w+$/, "") + extensions[format];
  const source = text.peek() ?? "";
  const from = bytes ? name : "";
  const call = { lang: lang.peek(), save: { name: to, from, format, text: source, cells: savedCells(source) } };
  const { save } = await helper.call(call, { timeoutMs, buffers: bytes ? [bytes.slice().buffer] : [] });
  if (save) download(to, new Blob([save.text], { type: save.mime }));
}

const extensions: Readonly<Record<Format, string>> = { python: ".py", notebook: ".ipynb", markdown: ".md", transcript: ".txt" };

/** savedCells are the outputs of the cells that ran here. */
function savedCells(source: string): SavedCell[] {
  return cellsOf(source).filter((c) => c.kind === "code").flatMap((cell, i) => {
    const run = runBeneath(cell);
    const now = run === undefined ? undefined : cellRun(run).peek();
    return now?.end ? [{ cell: i, outputs: [...now.outputs], count: now.end.count }] : [];
  });
}
