import assert from "node:assert/strict";
import { test } from "node:test";
import { cellAt, cellsOf, terminal, wholeBlocks } from "../src/lib/cells";

const text = "import torch\n\n# %% [markdown]\n# # A title\n\n# %%\nx = 1\ny = 2\n\n\n# %% the last one\n\n";

test("cells are read as interp/document reads them", () => {
  const cells = cellsOf(text);
  assert.deepEqual(cells.map((c) => [c.kind, text.slice(c.from, c.to), c.line, c.title]), [
    ["code", "import torch", 1, "import torch"],
    ["markdown", "# # A title", 4, "A title"],
    ["code", "x = 1\ny = 2", 7, "x = 1"],
    ["code", "", 12, "the last one"],
  ]);
  const begins = ["# %% [", "# %%\n", "# %% the"].map((marker) => text.indexOf(marker));
  assert.deepEqual(cells.map((c) => c.end), [...begins, text.length]);
});

test("a text cell's title is what its first line says", () => {
  const title = (line: string) => cellsOf(`# %% [markdown]\n${line}\n# rest`)[0]?.title;
  for (const [line, says] of [
    ["# ## The `tl.store` function", "The tl.store function"], ["# See the [docs](https://example.com) **now**", "See the docs now"],
    ['# <a href="x"><img src="y" alt="Open in Colab"/></a>', "Open in Colab"], ["# ![image.png](picture:12)", "image.png"], ["# <br>", "rest"], ["# ---", "rest"], ["# * * *", "rest"], ["# ```cpp", "rest"], ["# > **Note** that", "Note that"], ["# - item", "- item"],
  ]) assert.equal(title(line ?? ""), says);
});

test("a script is one cell, an empty text too", () => {
  for (const script of ["", "a = 1", "# % not a marker\n#%x\nprint('# %%')\n"]) assert.equal(cellsOf(script).length, 1);
  assert.equal(cellsOf("# %%\na\n").length, 1);
});

test("every place lies in a cell", () => {
  const cells = cellsOf(text);
  assert.equal(cellAt(cells, 0)?.index, 0);
  assert.equal(cellAt(cells, text.indexOf("# %% [m"))?.index, 1);
  assert.equal(cellAt(cells, text.indexOf("y = 2"))?.index, 2);
  assert.equal(cellAt(cells, text.length)?.index, 3);
});

test("a terminal overwrites and has no colours", () => {
  assert.equal(terminal("\u001b[31mred\u001b[0m\r\n10%\r100%\ndone\n"), "red\n100%\ndone\n");
});

test("what is printed is divided into blocks that stay as it goes on", () => {
  const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}\n`).join("");
  assert.deepEqual(wholeBlocks(lines(49) + "the last", 0), []);
  const text = lines(120);
  const blocks = wholeBlocks(text, 0);
  assert.equal(blocks.length, 2);
  assert.equal(blocks.map((b) => b + "\n").join("") + lines(120).slice(lines(100).length), text);
  assert.deepEqual(wholeBlocks(text + lines(40), lines(100).length), [lines(120).slice(lines(100).length) + lines(30).trimEnd()]);
  assert.deepEqual(wholeBlocks("\n".repeat(200) + "end\n", 0), ["\n".repeat(200) + "end"]);
});
