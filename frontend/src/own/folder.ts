import type { Custom, File as TextFile } from "../gen/api";
import { entriesOf, fileOf, isFolder } from "../lib/entries";
import { unzip } from "../lib/zip";

/** What a puzzle's folder holds; other files are left where they are. */
const wanted = /^[\w-][\w.-]*\.(?:json|py|md|svg)$/;
const maxFiles = 32;
const maxBytes = 64 << 10;

/** Picked is a file that a person chose, with the folder it lay in, if that is known. */
export interface Picked {
  folder: string;
  file: File;
}

/** Refused is thrown for a file that cannot be taken, with the reason. */
export interface Refused {
  refused: "none" | "many" | "large" | "encoding" | "zip";
  file: string;
}

/** pickedFrom lists the files of a choice; those in folders below the chosen one are left out. */
export function pickedFrom(files: Iterable<File>): Picked[] {
  return [...files].flatMap((file) => {
    const path = file.webkitRelativePath.split("/");
    return path.length > 2 ? [] : [{ folder: path.length === 2 ? (path[0] ?? "") : "", file }];
  });
}

/** droppedFrom lists the files that were dropped: themselves, or those of a folder. */
export async function droppedFrom(items: DataTransferItemList): Promise<Picked[]> {
  const entries = [...items].map((i) => i.webkitGetAsEntry()).filter((e) => e !== null);
  const lists = await Promise.all(entries.map(async (entry) => {
    if (!isFolder(entry)) return [{ folder: "", file: await fileOf(entry) }];
    const inside = (await entriesOf(entry, 10 * maxFiles)).filter((e) => e.isFile && wanted.test(e.name));
    return Promise.all(inside.map(async (e) => ({ folder: entry.name, file: await fileOf(e) })));
  }));
  return lists.flat();
}

/** readFolder reads the files of one puzzle, or the one zip that holds them. */
export async function readFolder(picked: Picked[]): Promise<Custom | Refused> {
  const [first] = picked;
  if (first?.file.name.endsWith(".zip")) {
    try {
      return await readFiles(await unpacked(first.file));
    } catch {
      return { refused: "zip", file: first.file.name };
    }
  }
  return readFiles(picked);
}

/** unpacked lists a zip's files; those in folders below the first are left out. */
async function unpacked(archive: Blob): Promise<Picked[]> {
  const entries = await unzip(await archive.arrayBuffer(), { files: maxFiles, bytes: maxBytes, all: maxFiles * maxBytes });
  return entries.flatMap(({ name, data }) => {
    const path = name.split("/");
    return path.length > 2 ? [] : [{ folder: path.length === 2 ? (path[0] ?? "") : "", file: new File([data], path.at(-1) ?? "") }];
  });
}

async function readFiles(picked: Picked[]): Promise<Custom | Refused> {
  const used = picked.filter((p) => wanted.test(p.file.name));
  if (used.length === 0) return { refused: "none", file: "" };
  if (used.length > maxFiles) return { refused: "many", file: "" };
  const files: TextFile[] = [];
  for (const { file } of used) {
    if (file.size > maxBytes) return { refused: "large", file: file.name };
    const text = decode(await file.arrayBuffer());
    if (text === undefined) return { refused: "encoding", file: file.name };
    files.push({ name: file.name, text });
  }
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { folder: folderName(used[0]?.folder ?? "", files), files };
}

/** folderName is the folder's own name where it is one of a puzzle, else one made of the puzzle's number. */
function folderName(name: string, files: TextFile[]): string {
  if (name) return name;
  const number = /"number"\s*:\s*(\d{1,4})/.exec(files.find((f) => f.name === "puzzle.json")?.text ?? "")?.[1] ?? "0";
  return `${number.padStart(2, "0")}_puzzle`;
}

function decode(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
