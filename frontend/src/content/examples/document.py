# %% [markdown]
# # A script with kernels
# Cells share their variables. Ctrl+Enter runs the cell with the cursor, Shift+Enter goes on to the next one.

# %%
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


def add(x, y):
    out = torch.empty_like(x)
    n = out.numel()
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    add_kernel[grid](x, y, out, n, BLOCK=256)
    return out


# %%
torch.manual_seed(0)
x = torch.rand(1000, device="cuda")
y = torch.rand(1000, device="cuda")
out = add(x, y)
print("largest difference:", (out - (x + y)).abs().max().item())

# %%
out[:8]
