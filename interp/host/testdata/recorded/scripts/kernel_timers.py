import contextlib
import time

import torch
import triton
import triton.language as tl


@triton.jit
def fill(x_ptr, value, N: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, N), tl.full((N,), value, tl.float32))


@contextlib.contextmanager
def timer(label):
    start = time.perf_counter()
    try:
        yield
    finally:
        torch.cuda.synchronize()
        seconds = time.perf_counter() - start
        print(f"{label}: {'took some time' if seconds > 0 else 'no time'}")


class CudaTimer:
    def __enter__(self):
        self.start = torch.cuda.Event(enable_timing=True)
        self.end = torch.cuda.Event(enable_timing=True)
        self.start.record()
        return self

    def __exit__(self, *exc):
        self.end.record()
        torch.cuda.synchronize()
        self.ms = self.start.elapsed_time(self.end)


x = torch.empty(64, device="cuda")
with timer("fill"):
    fill[(1,)](x, 3.0, N=64)
with CudaTimer() as t:
    for _ in range(10):
        fill[(1,)](x, 4.0, N=64)
print(type(t.ms).__name__, t.ms >= 0)
print(x.unique())
ms = triton.testing.do_bench(lambda: fill[(1,)](x, 1.0, N=64), warmup=1, rep=2)
print(type(ms), ms > 0)
ms, lo, hi = triton.testing.do_bench(lambda: fill[(1,)](x, 1.0, N=64), warmup=1, rep=2, quantiles=[0.5, 0.2, 0.8])
print(lo <= ms <= hi)
