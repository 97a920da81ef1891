# triton.autotune and triton.heuristics.
import os

import torch
import triton
import triton.language as tl

hooks = []


def shrink(configs, named_args, **kwargs):
    print("prune", len(configs), sorted(named_args), sorted(kwargs))
    return [c for c in configs if c.kwargs["BLOCK"] <= 64]


def model(BLOCK, num_warps, **kwargs):
    return -BLOCK


configs = [triton.Config({"BLOCK": b}, num_warps=w) for b in (16, 32, 64, 128) for w in (4, 8)]
print(configs[0], configs[0] == triton.Config({"BLOCK": 16}), configs[0].all_kwargs())


@triton.autotune(configs, key=["n"], reset_to_zero=["out"], restore_value=["x"],
                 prune_configs_by={"early_config_prune": shrink, "perf_model": model, "top_k": 2})
@triton.jit
def bump(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m) + 1
    tl.store(x + i, v, mask=m)
    tl.atomic_add(out + i, v, mask=m)


x, out = torch.zeros(100), torch.zeros(100)
grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
bump[grid](x, out, 100)
print(x.sum(), out.sum(), bump.best_config)
bump[grid](x, out, 100)
print(x.sum(), out.sum(), list(bump.cache.keys()), len(bump.configs), bump.keys)
print([str(c) for c in bump.configs_timings], [len(t) for t in bump.configs_timings.values()])

os.environ["TRITON_PRINT_AUTOTUNING"] = "1"
times = {16: 3.0, 32: 1.0, 64: 2.0}


def bench(kernel_call, quantiles):
    kernel_call()
    return [times[seen[-1]]] * len(quantiles)


seen = []


@triton.autotune(
    configs=[triton.Config({"BLOCK": b}, pre_hook=lambda args: seen.append(args["BLOCK"])) for b in times],
    key=["n"],
    do_bench=bench,
    pre_hook=lambda args, reset_only=False: hooks.append(("pre", reset_only)),
    post_hook=lambda args, exception=None: hooks.append(("post", exception)),
)
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def fill(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(x + i, 2.0)
    else:
        tl.store(x + i, 1.0, mask=i < n)


x = torch.zeros(96)
try:
    fill[grid](x, 96)
except Exception as e:
    print(type(e).__name__, e)
print(x.sum(), fill.best_config.kwargs, seen, hooks)
os.environ["TRITON_PRINT_AUTOTUNING"] = "0"


@triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["n"])})
@triton.autotune([triton.Config({"V": 1}), triton.Config({"V": 2})], key=[])
@triton.jit
def stacked(x, n, BLOCK: tl.constexpr, V: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, V * 10.0 + n, mask=i < n)


x = torch.zeros(5)
stacked[(1,)](x, 5)
print(x, stacked.fn.best_config.kwargs)

for make in [
    lambda: fill[grid](x, 96, BLOCK=16),
    lambda: triton.Config(),
    lambda: triton.autotune(configs, key=[], speed=1),
    lambda: triton.autotune([1], key=[]),
]:
    try:
        make()
    except Exception as e:
        print(type(e).__name__, e)


@triton.autotune([triton.Config({"B": 2}), triton.Config({"B": 8})], key=[])
@triton.jit
def picky(x, B: tl.constexpr):
    tl.static_assert(B > 4, "too small")
    tl.store(x + tl.arange(0, B), 1.0)


x = torch.zeros(8)
picky[(1,)](x)
print(x.sum(), picky.best_config.kwargs)
handles = picky.warmup
print([k.name for k in stacked.warmup(x, 5, grid=(1,))])
