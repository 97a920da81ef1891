import torch
import triton
import triton.language as tl


@triton.jit
def branchy(x_ptr, out_ptr, n, THRESHOLD: tl.constexpr):
    pid = tl.program_id(0)
    if pid >= n:
        return
    x = tl.load(x_ptr + pid)
    if x > THRESHOLD:
        y = x * 2
    elif x == THRESHOLD:
        y = x + 1000
    else:
        y = -x
    y = y + 1 if pid % 2 == 0 else y
    if THRESHOLD is not None and pid > 2:
        y += 100
    tl.store(out_ptr + pid, y)


x = torch.tensor([5, 1, 3, 9, 0, 3], device="cuda", dtype=torch.int32)
out = torch.full((8,), -99, device="cuda", dtype=torch.int32)
branchy[(8,)](x, out, 6, THRESHOLD=3)
print(out)
