# Globals that change after a kernel was compiled: Triton refuses to launch it again.
import torch
import triton
import triton.language as tl

K = tl.constexpr(3)
D = tl.float16
UNUSED = tl.constexpr(1)
x = torch.zeros(4, device='cuda')


@triton.jit
def scaled(v):
    return v * K


@triton.jit
def k(x, n):
    tl.store(x, scaled(n).to(D))


def attempt(n=2):
    try:
        k[(1,)](x, n)
        print(x[0].item())
    except Exception as e:
        print(type(e).__name__, e)


attempt()
K = tl.constexpr(4)
attempt()
attempt(2.5)
K = 4
attempt()
K = tl.constexpr('four')
attempt()
K = tl.constexpr(3)
UNUSED = tl.constexpr(2)
attempt()
D = tl.float32
attempt()
D = tl.float16
attempt()


def make(K):
    @triton.jit
    def inner(x):
        tl.store(x, K)
    return inner


for value in 5, 6:
    make(tl.constexpr(value))[(1,)](x)
    print(x[0].item())
