// A person's own project, given with a document: the files of a folder or of a zip, by their paths below it.

import type { Sibling } from "../document/siblings";
import { maxSiblingBytes } from "../document/siblings";
import { entriesOf, fileOf, isFolder } from "../lib/entries";
import { unzip } from "../lib/zip";

const maxFiles = 2000;
const maxDepth = 16;
/** maxEntries bounds what is looked at, wanted or not. */
const maxEntries = 20_000;

/** Found is a file of a project, which is not read yet. */
interface Found {
  path: string;
  file: File;
}

/** skipped are folders and files that no document needs: hidden ones, what Python has compiled, and other languages' packages. */
const skipped = /^(?:\..*|__pycache__|node_modules|.*\.py[co])$/;

/** isWanted tells whether a file of a project is taken, by its path, which leads nowhere else. */
export function isWanted(path: string): boolean {
  const parts = path.split("/");
  return parts.length <= maxDepth && !path.includes("\\") && parts.every((p) => p !== "" && !skipped.test(p));
}

/** belowRoot gives paths below the project's own folder, where all are in one; a package stays in its folder, to be imported by its name. */
export function belowRoot<T extends { path: string }>(list: readonly T[]): T[] {
  const [root] = list[0]?.path.split("/") ?? [];
  const inside = `${root}/`;
  const isPackage = list.some(({ path }) => path === `${inside}__init__.py`);
  if (isPackage || !list.every(({ path }) => path.startsWith(inside))) return [...list];
  return list.map((f) => ({ ...f, path: f.path.slice(inside.length) }));
}

/** droppedFiles reads what was dropped: files, and folders with what is in them. */
export async function droppedFiles(entries: readonly FileSystemEntry[]): Promise<Sibling[]> {
  const found: Found[] = [];
  let seen = 0;
  const visit = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (++seen > maxEntries) throw new RangeError("too many entries");
    if (!isWanted(path)) return;
    if (!isFolder(entry)) return void found.push({ path, file: await fileOf(entry) });
    for (const e of await entriesOf(entry, maxEntries)) await visit(e, `${path}/${e.name}`);
  };
  for (const entry of entries) await visit(entry, entry.name);
  return readAll(found);
}

/** chosenFiles reads the files of a folder that was chosen. */
export function chosenFiles(files: readonly File[]): Promise<Sibling[]> {
  return readAll(files.map((file) => ({ path: file.webkitRelativePath, file })).filter(({ path }) => isWanted(path)));
}

async function readAll(list: readonly Found[]): Promise<Sibling[]> {
  if (list.length > maxFiles || list.reduce((sum, { file }) => sum + file.size, 0) > maxSiblingBytes) throw new RangeError("too much");
  const read = async ({ path, file }: Found) => ({ name: path, bytes: new Uint8Array(await file.arrayBuffer()) });
  return Promise.all(belowRoot(list).map(read));
}

/** unpacked reads the files of a zip. */
export async function unpacked(archive: Blob): Promise<Sibling[]> {
  const limits = { files: maxFiles, bytes: maxSiblingBytes, all: maxSiblingBytes };
  const entries = await unzip(await archive.arrayBuffer(), limits, isWanted);
  return belowRoot(entries.map(({ name, data }) => ({ path: name, data }))).map(({ path, data }) => ({ name: path, bytes: data }));
}
