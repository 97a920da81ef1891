import assert from "node:assert/strict";
import { test } from "node:test";
import { isScript } from "../src/cells/paste";
import { kernelOf } from "../src/lib/pasted";
import { isKernel, isWholeCell } from "../src/lib/whole-cell";

const cell = `import torch
from jaxtyping import Float32

def add_spec(x: Float32[Tensor, "32"]) -> Float32[Tensor, "32"]:
    "The spec."
    return x + 10.

@triton.jit
def add_kernel(
    x_ptr, z_ptr, N0, B0: tl.constexpr
):
    i = tl.arange(0, B0)
    # Finish me!

    tl.store(z_ptr + i, tl.load(x_ptr + i) + 10)

test(add_kernel, add_spec,
     nelem={"N0": 32})
`;

test("a puzzle takes the kernel of a whole cell", () => {
  assert.ok(isWholeCell(cell));
  const { text, left } = kernelOf(cell, isKernel);
  assert.deepEqual(left, ["import torch", "from jaxtyping import Float32", "add_spec", "test(…)"]);
  const kernel = cell.slice(cell.indexOf("@triton"), cell.indexOf("\n\ntest"));
  assert.equal(text, `import triton\nimport triton.language as tl\n\n\n${kernel}\n`);
});

test("a kernel alone, and code that has none, stay as they are", () => {
  for (const other of ["import triton\n@triton.jit\ndef k(): pass", "test(1)", "    x = tl.load(x_ptr)", "print(torch.ones(3))"]) assert.ok(!isWholeCell(other));
});

test("a script launches its kernels, a kernel does not", () => {
  const kernel = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x_ptr, B: tl.constexpr):\n    i = tl.arange(0, B)[None, :]\n    tl.store(x_ptr + i, 1)\n";
  const launch = "import torch\n\ndef run(x):\n    grid = lambda meta: (4,)\n    k[grid](x, B=32)\n";
  assert.ok(isScript(kernel + launch));
  assert.ok(isScript(kernel + "import torch\nx = torch.zeros(4)\nk[(4,)](x, 32)\n"));
  assert.ok(isScript(kernel.replace("@triton.jit", "@triton.autotune(configs=[], key=[])\n@triton.jit") + "from torch import zeros\nh = k[\n    (1,)\n](zeros(4), 4)\n"));
  assert.ok(!isScript(kernel));
  assert.ok(!isScript(`${kernel}import torch\n`));
  assert.ok(!isScript(launch));
});
