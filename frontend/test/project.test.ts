import assert from "node:assert/strict";
import { test } from "node:test";
import { belowRoot, droppedFiles, isWanted, unpacked } from "../src/cells/folder";
import { unzip, zip } from "../src/lib/zip";

const bytes = (text: string) => new TextEncoder().encode(text);
const paths = (list: string[]) => belowRoot(list.map((path) => ({ path }))).map(({ path }) => path);

test("a project's files are taken by paths that stay in it", () => {
  for (const path of ["a.py", "src/pkg/__init__.py", "data/x y.csv"]) assert.ok(isWanted(path), path);
  for (const path of ["../a.py", "a/../../b.py", "/etc/passwd", "a//b", "a\\b.py", ".git/config", "p/__pycache__/a.pyc", "node_modules/x", "a.pyc", "", "d/".repeat(20) + "a.py"]) {
    assert.ok(!isWanted(path), path);
  }
});

test("paths are below the project's folder, and a package keeps its own", () => {
  assert.deepEqual(paths(["proj/a.py", "proj/utils/b.py"]), ["a.py", "utils/b.py"]);
  assert.deepEqual(paths(["pkg/__init__.py", "pkg/b.py"]), ["pkg/__init__.py", "pkg/b.py"]);
  assert.deepEqual(paths(["utils/b.py", "a.py"]), ["utils/b.py", "a.py"]);
  assert.deepEqual(paths([]), []);
});

test("a zip's files are bounded in number, in bytes and in bytes together", async () => {
  const archive = zip([{ name: "p/a.py", data: bytes("x = 1") }, { name: "p/.env", data: bytes("secret") }, { name: "p/u/b.py", data: bytes("y") }]);
  assert.deepEqual((await unpacked(archive)).map(({ name, bytes: b }) => [name, b.length]), [["a.py", 5], ["u/b.py", 1]]);
  const data = await archive.arrayBuffer();
  const limits = { files: 3, bytes: 6, all: 12 };
  assert.equal((await unzip(data, limits)).length, 3);
  for (const less of [{ files: 2 }, { bytes: 5 }, { all: 11 }]) await assert.rejects(unzip(data, { ...limits, ...less }), RangeError);
  await assert.rejects(unpacked(new Blob([bytes("no archive")])));
});

test("a zip that grows is not unpacked further than its limit", async () => {
  const zeros = new Blob([new Uint8Array(1 << 20)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(zeros).arrayBuffer());
  const stored = new Uint8Array(await zip([{ name: "bomb", data: packed }]).arrayBuffer());
  const directory = stored.length - 22 - 46 - 4;
  new DataView(stored.buffer).setUint16(directory + 10, 8, true); // deflated
  await assert.rejects(unzip(stored.buffer, { files: 1, bytes: 1 << 16, all: 1 << 16 }), RangeError);
  assert.equal((await unzip(stored.buffer, { files: 1, bytes: 1 << 20, all: 1 << 20 }))[0]?.data.length, 1 << 20);
});

interface Node { name: string; text?: string; inside?: Node[] }

/** entry stands for what a browser gives for a dropped file or folder. */
function entry({ name, text, inside }: Node): FileSystemEntry {
  let rest = inside?.map(entry) ?? [];
  const readEntries = (done: (list: FileSystemEntry[]) => void) => {
    done(rest.slice(0, 2)); // piece by piece, as a browser does
    rest = rest.slice(2);
  };
  const file = (done: (f: File) => void) => done(new File([text ?? ""], name));
  return { name, isDirectory: inside !== undefined, isFile: inside === undefined, createReader: () => ({ readEntries }), file } as unknown as FileSystemEntry;
}

test("a dropped folder is read with the folders in it", async () => {
  const project = { name: "proj", inside: [{ name: "run.py", text: "import u.b" }, { name: ".git", inside: [{ name: "x" }] }, { name: "u", inside: [{ name: "b.py", text: "1" }] }] };
  assert.deepEqual((await droppedFiles([entry(project)])).map((f) => f.name), ["run.py", "u/b.py"]);
  const many = { name: "proj", inside: Array.from({ length: 2001 }, (_, i) => ({ name: `${i}.py` })) };
  await assert.rejects(droppedFiles([entry(many)]), RangeError);
});
