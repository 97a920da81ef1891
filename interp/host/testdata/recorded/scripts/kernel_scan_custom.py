import torch
import triton
import triton.language as tl


@triton.jit
def combine(a1, b1, a2, b2):
    # x -> a x + b, composed
    return a1 * a2, b1 * a2 + b2


@triton.jit
def linear_recurrence(a_ptr, b_ptr, h_ptr, T: tl.constexpr):
    t = tl.arange(0, T)
    a = tl.load(a_ptr + t)
    b = tl.load(b_ptr + t)
    _, h = tl.associative_scan((a, b), 0, combine)
    tl.store(h_ptr + t, h)


T = 32
a = torch.full((T,), 0.5, device="cuda")
b = torch.ones(T, device="cuda")
h = torch.empty_like(a)
linear_recurrence[(1,)](a, b, h, T=T)
want = []
state = 0.0
for i in range(T):
    state = 0.5 * state + 1.0
    want.append(state)
print(h[:6])
print(torch.allclose(h.cpu(), torch.tensor(want)))
