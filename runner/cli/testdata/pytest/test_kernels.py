import os
from collections import namedtuple

import torch
import triton
import triton.language as tl
import used
from triton.language.extra import libdevice
from triton.tools.tensor_descriptor import TensorDescriptor

SCALE = tl.constexpr(2)
Pair = namedtuple("Pair", "x y")


class Sizes:
    BLOCK = tl.constexpr(4)


@triton.jit
def moved(x):
    return used.moved(x) + SCALE


def moving():
    @triton.jit
    def move(x_ptr, out_ptr, n, BLOCK: tl.constexpr = Sizes.BLOCK, dtype: tl.constexpr = tl.float32):
        """Moves."""
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0)
        tl.store(out_ptr + offsets, moved(x).to(dtype), mask=offsets < n)
    return move


@triton.autotune([triton.Config({"BLOCK": 8}, num_warps=2), triton.Config({"BLOCK": 4})], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def tuned(out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.device_print("block", BLOCK)
    tl.store(out_ptr + i, libdevice.trunc(i + 0.5) if EVEN else -1.0, mask=i < n)


@triton.jit
def together(out_ptr, BLOCK: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.program_id(0))


@triton.jit
def whole(pair, dtype: tl.constexpr):
    i = tl.arange(0, 8)
    y = tl.load(pair.x + i)
    tl.store(pair.y + i, y.to(dtype))


@triton.jit
def refused(x_ptr):
    i = tl.advance(tl.make_block_ptr(x_ptr, (8,), (1,), (0,), (8,), (0,)), (0,))
    tl.store(i, tl.lode(i))


@triton.jit
def described(of, out_ptr):
    tl.store(out_ptr + tl.arange(0, 4), of.load([4]))


def test_values():
    x, out = torch.Tensor([0, 1, 2, 3, 4, 5]), torch.Tensor([-1] * 8)
    moving()[lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"].value),)](x, out[1:7], 6)
    assert out.tolist() == [-1, 2, 12, 22, 32, 42, 52, -1], out.tolist()


def test_tuned():
    out = torch.Tensor([0] * 8)
    tuned[(1,)](out, 8)
    tuned[(1,)](out, 7)
    assert out.tolist() == [-1, -1, -1, -1, -1, -1, -1, 7] and tuned.best_config.num_warps == 2, out.tolist()


def test_descriptor():
    out = torch.empty(4)
    described[(1,)](TensorDescriptor.from_tensor(torch.Tensor(range(8)), [4]), out)
    assert out.tolist() == [4, 5, 6, 7], out.tolist()


def test_race():
    together[(2,)](torch.empty(4, torch.int32), 4)
    together[(2,)](torch.empty(4, torch.int32), 4)


def test_race_and_assertion():
    together[(2,)](torch.empty(4, torch.int32), 4)
    assert False, "the test's own"


def test_out_of_bounds():
    x = torch.Tensor(range(7))
    whole[(1,)](Pair(x, torch.empty(8)), tl.float32)


def test_refused():
    refused[(1,)](torch.empty(8))


def test_what_is_not_there():
    for module, name in ((tl, "lode"), (triton, "compile"), (triton.language, "make_ptr")):
        assert not hasattr(module, name), name
    assert os.environ["TRITON_INTERPRET"] == "1"


def test_on_the_host():
    # What torch's inductor imports where there is a package triton, whatever it compiles for.
    from triton import Config
    from triton.backends.compiler import GPUTarget
    from triton.compiler import CompiledKernel
    from triton.runtime.autotuner import OutOfResources
    from triton.runtime.jit import KernelInterface
    assert issubclass(OutOfResources, Exception) and Config({}).num_warps == 4
    assert [repr(tl.float16), str(tl.float16), tl.float16.itemsize] == ["triton.language.float16", "fp16", 2]
    assert tl.cdiv(7, 2) == triton.cdiv(7, 2) == 4 and triton.next_power_of_2(9) == 16
    assert (1 + tl.constexpr(2) * 3).value == 7 and tl.constexpr(2) == 2 and hasattr(tl, "dot")
    assert triton.__version__.startswith("3.") and triton.testing.do_bench(lambda: None) >= 0


def test_stopped():
    from newt_pytest import state
    state.process.process.kill()
    try:
        together[(1,)](torch.empty(4, torch.int32), 4)
    except RuntimeError as e:
        assert str(e) == "newt has ended, with status -9", e
    together[(1,)](torch.empty(4, torch.int32), 4)


def test_not_launched():
    together[(1,)](torch.empty(4, torch.int32), object())
