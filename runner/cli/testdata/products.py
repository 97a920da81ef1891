"""usage: products.py SEED SIZE   Products of random matrices on the chosen device, of up to SIZE rows and columns, compared
with those in float64, which torch computes on the CPU under newt. Under real torch it prints the same."""
import random
import sys

import torch
import torch.nn.functional as F

random.seed(int(sys.argv[1]))
torch.manual_seed(int(sys.argv[1]))
most = int(sys.argv[2])

# The rounding of the result, and for fp32 that of the sums: relative to the largest element.
tolerance = {torch.float16: 2**-10, torch.bfloat16: 2**-7, torch.float32: 2**-16}


def matrices(dtype, *shape):
    """A random tensor: in order, transposed, cut from the middle of a larger one, or every second column of one."""
    *batch, rows, columns = shape
    draw = lambda *shape: torch.randn(*batch, *shape, device='cuda').to(dtype)
    return random.choice([
        lambda: draw(rows, columns),
        lambda: draw(columns, rows).transpose(-1, -2),
        lambda: draw(rows + 3, columns + 5)[..., 2:-1, 4:-1],
        lambda: draw(rows, 2 * columns)[..., ::2],
    ])()


def check(name, got, want):
    worst = ((got.double() - want).abs().max() / want.abs().max()).item()
    assert got.shape == want.shape, (name, got.shape, want.shape)
    assert worst < tolerance[got.dtype], (name, got.dtype, tuple(got.shape), worst)


for dtype in tolerance:
    m, n, k, b, h = [random.randrange(1, most) for _ in range(3)] + [random.randrange(2, 5) for _ in range(2)]
    x, y = matrices(dtype, m, k), matrices(dtype, k, n)
    check('mm', x @ y, x.double() @ y.double())
    check('mv', x.mv(y[:, 0]), x.double().mv(y[:, 0].double()))
    check('linear', F.linear(x, y.T), x.double() @ y.double())
    c = torch.randn(n, device='cuda').to(dtype)
    check('addmm', torch.addmm(c, x, y, beta=2, alpha=0.5), 2 * c.double() + 0.5 * (x.double() @ y.double()))
    xs, ys = matrices(dtype, b, m, k), matrices(dtype, b, k, n)
    check('bmm', torch.bmm(xs, ys), torch.bmm(xs.double(), ys.double()))
    check('broadcast', torch.matmul(xs.unsqueeze(1), y), torch.matmul(xs.double().unsqueeze(1), y.double()))
    heads = matrices(dtype, b, h, n, k)
    check('einsum', torch.einsum('bmk,bhnk->bhmn', xs, heads),
          torch.matmul(xs.double().unsqueeze(1), heads.double().transpose(-1, -2)))
    p, q = x.detach().requires_grad_(), y.detach().requires_grad_()
    g = matrices(dtype, m, n)
    (p @ q).backward(g)
    check('gradient', p.grad, g.double() @ y.double().T)
    check('gradient', q.grad, x.double().T @ g.double())
    assert (x[:, :0] @ y[:0]).abs().sum() == 0
print('products agree')
