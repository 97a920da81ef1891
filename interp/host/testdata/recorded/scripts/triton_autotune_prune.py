import torch
import triton
import triton.language as tl

seen = []


def early_config_prune(configs, named_args, **kwargs):
    n = named_args["n"]
    kept = [c for c in configs if c.kwargs["BLOCK"] <= n]
    seen.append((n, len(configs), len(kept)))
    return kept


def make_config(block, warps):
    return triton.Config({"BLOCK": block}, num_warps=warps, num_stages=1)


@triton.autotune(configs=[make_config(b, w) for b in (16, 64, 256) for w in (1, 2)], key=["n"],
                 prune_configs_by={"early_config_prune": early_config_prune})
@triton.jit
def add_one(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offs, tl.load(x_ptr + offs, mask=offs < n) + 1, mask=offs < n)


def grid(meta):
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


for n in (100, 300, 100):
    x = torch.arange(n, device="cuda").float()
    y = torch.empty_like(x)
    add_one[grid](x, y, n)
    print(n, torch.equal(y, x + 1), len(add_one.cache), add_one.best_config.kwargs["BLOCK"] <= n)
print(seen)
config = make_config(64, 2)
print(config)
print(config.kwargs, config.num_warps, config.num_stages, config.num_ctas, config.maxnreg)
print(config.all_kwargs())
