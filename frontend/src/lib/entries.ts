// What a person drops, as the File and Directory Entries API gives it.

export function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** fileOf is the file of an entry that is no folder. */
export function fileOf(entry: FileSystemEntry): Promise<File> {
  return new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
}

/** entriesOf reads a folder, which the browser gives piece by piece, up to about so many entries. */
export async function entriesOf(folder: FileSystemDirectoryEntry, most: number): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0 || all.length > most) return all;
    all.push(...more);
  }
}
