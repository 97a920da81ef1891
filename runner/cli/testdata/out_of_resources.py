import torch
import triton
import triton.language as tl


def product(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + k + rk[None, :])
        y = tl.load(b + (k + rk)[:, None] * BN + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * BN + rn[None, :], acc)


big = triton.jit(product)
configs = [triton.Config({"BM": 128, "BN": 256, "BK": 128}, num_warps=8, num_stages=s) for s in (5, 2)]
tuned = triton.autotune(configs=configs, key=["K"])(triton.jit(product))

a = torch.ones(128, 512, device="cuda", dtype=torch.float16)
b = torch.ones(512, 256, device="cuda", dtype=torch.float16)
c = torch.empty(128, 256, device="cuda")
tuned[(1,)](a, b, c, 512)
print(tuned.best_config.num_stages)
try:
    compiled = big[(1,)](a, b, c, 512, 128, 256, 128, num_warps=8, num_stages=5)
    print(compiled.metadata.shared, c.sum().item())
except triton.runtime.errors.OutOfResources as e:
    print(e)
