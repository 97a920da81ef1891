// Zip files as APPNOTE.TXT 6.3 describes them: written without compression, read with and without deflate.

/** Entry is a file of an archive. */
export interface Entry {
  name: string; // its path
  data: Uint8Array<ArrayBuffer>;
}

const signatures = { file: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 };

/** Sizes of the fixed parts of the three kinds of header, in bytes (4.3.7, 4.3.12, 4.3.16). */
const fixed = { file: 30, directory: 46, end: 22 };

/** The version that is needed to read an archive of stored files, and the flag of UTF-8 names. */
const version = 20;
const utf8 = 0x0800;

/** The first day that a zip file can hold, 1 January 1980: the bytes depend on the files alone. */
const day = 0x0021;

/** zip stores files in an archive. */
export function zip(entries: Entry[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const { name, data } of entries) {
    const path = new TextEncoder().encode(name);
    // From the version on, both headers say the same: flags, method 0, time, date, CRC, both sizes, lengths of name and extra.
    const common: [number, 2 | 4][] = [[version, 2], [utf8, 2], [0, 2], [0, 2], [day, 2], [crc32(data), 4], [data.length, 4], [data.length, 4], [path.length, 2], [0, 2]];
    parts.push(header([[signatures.file, 4], ...common]), path, data);
    // Then the lengths of comment and disk, attributes, and where the file's own header is.
    directory.push(header([[signatures.directory, 4], [version, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]]), path);
    at += fixed.file + path.length + data.length;
  }
  const bytes = directory.reduce((sum, d) => sum + d.length, 0);
  const end = header([[signatures.end, 4], [0, 2], [0, 2], [entries.length, 2], [entries.length, 2], [bytes, 4], [at, 4], [0, 2]]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** Limits bound what is read of an archive: how many files, the bytes of each, and of all together. */
interface Limits {
  files: number;
  bytes: number;
  all: number;
}

/** unzip reads the files of an archive that are wanted by their names; it throws where it is broken, or has more than the limits. */
export async function unzip(data: ArrayBuffer, limits: Limits, wanted = (_: string) => true): Promise<Entry[]> {
  const view = new DataView(data);
  let end = data.byteLength - fixed.end;
  while (end >= 0 && view.getUint32(end, true) !== signatures.end) end--;
  const count = view.getUint16(end + 10, true);
  const list: Entry[] = [];
  let left = limits.all;
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== signatures.directory) throw new RangeError("no directory");
    const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const [path, extra, comment] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
    const name = new TextDecoder().decode(new Uint8Array(data, at + fixed.directory, path));
    const local = view.getUint32(at + 42, true);
    const from = local + fixed.file + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    at += fixed.directory + path + extra + comment;
    if (name.endsWith("/") || !wanted(name)) continue; // a folder, for one
    if (list.length === limits.files) throw new RangeError("too many files");
    const content = await inflate(new Uint8Array(data, from, size), method, Math.min(limits.bytes, left));
    left -= content.length;
    list.push({ name, data: content });
  }
  return list;
}

async function inflate(data: Uint8Array<ArrayBuffer>, method: number, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (method === 0 && data.length <= maxBytes) return data;
  if (method !== 8) throw new RangeError("neither stored nor deflated, or too large");
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new RangeError("too large");
    }
  }
}

/** header writes numbers little-endian, each in its given number of bytes. */
function header(fields: [value: number, bytes: 2 | 4][]): Uint8Array<ArrayBuffer> {
  const out = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) out.setUint16(at, value, true);
    else out.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(out.buffer);
}

/** crc32 is the checksum of ISO 3309, with the polynomial reversed. */
function crc32(data: Uint8Array): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
