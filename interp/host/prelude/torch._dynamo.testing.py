import torch


def rand_strided(size, stride, dtype=torch.float32, device="cpu", extra_size=0):
    "A tensor of these strides with random elements; integers are all zeros."
    needed = sum((n - 1) * step for n, step in zip(size, stride)) + 1 + extra_size if all(size) else 0
    if dtype.is_floating_point:
        buffer = torch.randn(needed, dtype=dtype, device=device) if dtype.itemsize > 1 else torch.ones(
            needed, dtype=torch.float16, device=device).to(dtype)
    else:
        buffer = torch.zeros(size=[needed], dtype=dtype, device=device)
    return torch.as_strided(buffer, size, stride)
