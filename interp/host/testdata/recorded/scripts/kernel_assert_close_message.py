import torch
import triton
import triton.language as tl


@triton.jit
def wrong_double(x_ptr, y_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr + i, tl.where(i == 5, x, x * 2))


x = torch.arange(8, device="cuda").float()
y = torch.empty_like(x)
wrong_double[(1,)](x, y, N=8)
print(torch.allclose(y, 2 * x), torch.equal(y, 2 * x))
try:
    torch.testing.assert_close(y, 2 * x)
except AssertionError as e:
    print(e)
try:
    triton.testing.assert_close(y, 2 * x)
except AssertionError as e:
    print(type(e).__name__)
try:
    torch.testing.assert_close(y, (2 * x).double())
except AssertionError as e:
    print(e)
try:
    torch.testing.assert_close(y, y[:3])
except AssertionError as e:
    print(e)
try:
    torch.testing.assert_close(y, y.cpu())
except AssertionError as e:
    print(e)
torch.testing.assert_close(y, y.cpu(), check_device=False)
try:
    torch.testing.assert_close(torch.tensor([1, 2, 4], device="cuda"), torch.tensor([1, 2, 3], device="cuda"), msg=lambda m: "header\n" + m)
except AssertionError as e:
    print(e)
