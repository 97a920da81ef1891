"""What Triton's first tutorial does: z = x + y, and how far that is from torch's sum."""
import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def add_kernel(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(z_ptr + i, x + y, mask=mask)


def add(x: torch.Tensor, y: torch.Tensor):
    z = torch.empty_like(x)
    assert x.device == DEVICE and y.device == DEVICE and z.device == DEVICE
    grid = lambda meta: (triton.cdiv(z.numel(), meta["BLOCK"]),)
    add_kernel[grid](x, y, z, z.numel(), BLOCK=1024)
    return z


torch.manual_seed(0)
x = torch.rand(98432, device=DEVICE)
y = torch.rand(98432, device=DEVICE)
print("largest difference:", torch.max(torch.abs(x + y - add(x, y))).item())
print("end")
