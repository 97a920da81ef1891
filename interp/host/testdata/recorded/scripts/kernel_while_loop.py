import torch
import triton
import triton.language as tl


@triton.jit
def collatz(x_ptr, steps_ptr):
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    steps = 0
    while x > 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    tl.store(steps_ptr + i, steps)


x = torch.arange(1, 28, device="cuda")
steps = torch.empty(27, dtype=torch.int32, device="cuda")
collatz[(27,)](x, steps)
print(steps)
best = steps.argmax()
print(f"{x[best]} takes {steps[best]} steps")
