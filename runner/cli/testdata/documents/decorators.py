"""Decorators are applied, whatever they are."""
import torch
import triton
import triton.language as tl

x = torch.zeros(8, device="cuda")


@triton.heuristics({"B": lambda args: triton.next_power_of_2(args["n"]), "EVEN": lambda args: args["n"] % args["B"] == 0})
@triton.jit
def sized(x, n, B: tl.constexpr, EVEN: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, B + 0.5 * EVEN, mask=i < n)


sized[(1,)](x, 6)
print("heuristics", x)
sized[(1,)](x, 8)
print("heuristics", x)


@triton.autotune(
    configs=[triton.Config({"B": 64}), triton.Config({"B": 4}, num_warps=2), triton.Config({"B": 8})],
    key=["n"],
    reset_to_zero=["x"],
)
@triton.jit
def tuned(x, n, B: tl.constexpr):
    tl.static_assert(B <= 8)
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < n) + B, mask=i < n)


tuned[lambda meta: (triton.cdiv(meta["n"], meta["B"]),)](x, 8)
print("autotune", x)
tuned[lambda meta: (triton.cdiv(meta["n"], meta["B"]),)](x, 8)
print("autotune, the same key", x)
print(tuned.best_config)
try:
    tuned[(1,)](x, 8, B=4)
except ValueError as e:
    print("ValueError:", e)

launches = []


def counted(kernel):
    class Counted:
        def __getitem__(self, grid):
            launches.append(grid)
            return kernel[grid]

    return Counted()


@counted
@triton.jit(do_not_specialize=["n"], debug=False, noinline=True, version=None, repr=None, launch_metadata=None)
def mine(x, n):
    tl.store(x, n * 1.0)


mine[(1,)](x, 1)
mine[(2,)](x, 2)
print("a decorator of the file", launches, x[0])

try:
    triton.jit(lambda x: x, inline=True)
except TypeError as e:
    print("TypeError:", e)
try:
    mine[(1,)](x, 1, num_wraps=8)
except KeyError as e:
    print("KeyError:", e)
try:
    mine[(1,)]()
except TypeError as e:
    print("TypeError:", e)
