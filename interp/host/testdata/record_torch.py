"""Record what torch prints for small programs.

usage: record_torch.py OUT.jsonl.gz    One line a program: {"code", "out"} or {"code", "error", "message"}.
The lines are the programs below, each after the PRELUDE.
"""
import contextlib, gzip, io, itertools, json, sys
import torch

PRELUDE = """import torch
import torch.nn.functional as F
x = torch.arange(12.).view(3, 4) - 5
y = torch.tensor([1.5, -2.0, 0.25, 3.0])
i = torch.arange(24).view(2, 3, 4)
b = torch.tensor([[True, False, True, True], [False, False, True, False], [True, True, False, False]])
n = torch.tensor([0, 2, 1, 2])
def leaf(*shape):
    t = torch.arange(float(torch.Size(shape).numel())).view(shape) / 4 - 1
    return t.requires_grad_()
"""

values = []  # printed
values += ["x + y", "x - 1", "2 - x", "x * y", "x / y", "1 / y", "x // 2", "x % 3", "-7 % n.float().add(3)", "i // 5", "i % 5", "-i // 5", "(-i) % 5", "i ** 2", "y ** 2", "2 ** n", "y ** 0.5", "i / 4", "i + 0.5", "i + True", "b + b", "b * 3", "b.sum()", "b + 1.5",
           "~b", "~i", "-x", "abs(x)", "b & b.roll(1, 1)", "b | (x > 2)", "b ^ (x > 2)", "i & 6", "i | 8", "i ^ 5", "i << 2", "i >> 1", "(i - 12) >> 1", "x == y", "x != 0", "x < y", "x >= 0", "i == 3.0", "n > 0.5", "x.eq(0)", "torch.maximum(x, y)", "torch.minimum(x, torch.tensor(0.))",
           "x.clamp(-1, 2)", "x.clamp(min=0)", "i.clamp(max=5)", "torch.clamp(x, y, 5)", "torch.where(b, x, y)", "torch.where(x > 0, x, 0.)", "torch.where(b, 1, 0)", "torch.where(b)", "x.relu()", "F.relu(x)", "x.sigmoid()", "x.tanh()", "x.exp()", "x.exp2()", "x.abs().sqrt()", "x.abs().log()", "x.abs().log2()", "x.sin()", "x.cos()", "x.erf()", "x.floor()", "(x / 3).round()", "(x / 3).ceil()", "(x / 3).trunc()", "x.sign()", "x.square()", "(x + 6).rsqrt()", "(x + 6).reciprocal()", "F.gelu(x)", "F.gelu(x, approximate='tanh')", "F.silu(x)", "F.softplus(x)", "F.leaky_relu(x)", "F.elu(x)", "torch.atan2(x, y)", "torch.fmod(x, 3)", "torch.remainder(x, -3)", "x.isnan()", "(x / 0).isinf()", "(x / 0)", "torch.log1p(y + 3)", "torch.expm1(y)", "torch.logaddexp(x, y)", "torch.hypot(x, y)", "torch.lerp(x, y, 0.5)", "torch.addcmul(x, y, y, value=2)"]
values += ["x[0]", "x[-1]", "x[1, 2]", "x[:, 1]", "x[1:]", "x[::2, 1::2]", "x[..., 0]", "x[None].shape", "x[:, None, :].shape", "i[..., None].shape", "i[1, ..., 2]", "x[x > 0]", "x[b]", "b[b]", "x[n]", "x[n, n]", "x[:, n]", "x[[0, 2]]", "x[[0, 2], [1, 3]]", "i[:, n[:2]]", "i[n[:2] // 2, :, n[:2]]", "i[0, n[:3], 1:3]", "x[torch.tensor(1)]", "x[True].shape", "x[torch.tensor([True, False, True])]", "i[:, torch.tensor([True, False, True]), 0]", "x[5:].shape", "x[2:1].shape", "y[-2:]", "y[:-1]", "x[(0, 1)]", "x[:, :2][1]", "i[i > 20]"]
values += ["x.view(4, 3)", "x.view(-1)", "x.reshape(2, -1)", "x.T", "x.t().contiguous().view(-1)", "i.permute(2, 0, 1)", "i.transpose(0, 1).shape", "x.unsqueeze(1).shape", "x[None].squeeze().shape", "i.flatten(1)", "y.expand(2, 4)", "y[:, None].expand(-1, 3)", "torch.cat([x, x[:1]])", "torch.cat([x, x], dim=1)", "torch.stack([y, y], dim=1)", "torch.stack([y, y])", "F.pad(y, (1, 2))", "F.pad(x, (1, 0, 0, 1), value=9)", "F.pad(x, (-1, 1))", "x.flip(0)", "x.flip(0, 1)", "x.roll(1)", "x.roll(1, 0)", "x.roll((1, -1), (0, 1))", "y.repeat(2)", "y.repeat(2, 2)", "x.repeat(1, 2)", "y.repeat_interleave(2)", "x.tril()", "x.triu(1)", "torch.tril(torch.ones(3, 3))", "torch.diag(y)", "torch.diag(x[:, :3])", "x.diagonal()", "torch.eye(2, 3)", "torch.linspace(0, 1, 5)", "torch.arange(1, 10, 3)", "torch.arange(0, 1, 0.25)", "torch.arange(5, 0, -2)", "torch.full((2,), 3.5)", "torch.full((2,), True)", "torch.zeros_like(i).dtype", "x.split(2)", "x.chunk(2, dim=1)", "x.unbind()", "torch.meshgrid(n, y, indexing='ij')", "x.stride()", "x.T.stride()", "i.permute(2, 0, 1).is_contiguous()", "x.unfold(1, 2, 1)", "torch.outer(y, y)", "x.movedim(0, 1).shape", "torch.tensor([[1, 2], [3, 4]])", "torch.tensor([1, 2.5])", "torch.tensor([True, 1])", "torch.tensor(5).dtype", "torch.tensor([]).shape", "torch.hstack([y, y])", "torch.vstack([y, y])", "torch.tile(y, (2,))", "torch.broadcast_to(y, (2, 4))", "y.new_zeros(3)", "x.numel()", "len(x)", "x.dim()", "x.size()", "x.size(1)", "x.ndim", "x.element_size()"]
values += ["x.sum()", "x.sum(0)", "x.sum(dim=1)", "x.sum(dim=1, keepdim=True)", "i.sum((0, 2))", "x.mean()", "x.mean(1)", "x.max()", "x.min(dim=0)", "x.max(1, keepdim=True)[0]", "x.argmax()", "x.argmax(1)", "x.argmin(dim=0, keepdim=True)", "x.amax(1)", "i.amin((0, 1))", "y.prod()", "n.prod()", "b.all()", "b.any(1)", "b.all(dim=0)", "x.var()", "x.std(1)", "x.var(dim=1, unbiased=False)", "x.cumsum(1)", "n.cumsum(0)", "y.cumprod(0)", "x.norm()", "y.norm(1)", "x.norm(dim=1)", "x.softmax(1)", "x.log_softmax(0)", "F.softmax(x, dim=-1)", "x.logsumexp(1)", "torch.count_nonzero(x)", "y.sort()", "y.sort(descending=True)", "y.argsort()", "torch.topk(x, 2, dim=1)", "y.median()", "torch.unique(n)", "torch.bincount(n)", "(i == 3).nonzero()", "b.nonzero()", "i.float().mean((1, 2))", "torch.tensor([1., float('nan'), 2.]).max()", "torch.tensor([1., float('nan')]).argmax()", "n.sum().dtype", "b.sum().dtype", "n.float().half().sum().dtype"]
values += ["x @ x.T", "x @ y", "y @ y", "y @ x.T", "i.float() @ x.T", "(i @ i.transpose(1, 2))", "torch.bmm(i.float(), i.float().transpose(1, 2)).shape", "torch.mm(x, x.T)", "torch.dot(y, y)", "torch.mv(x, y)", "torch.einsum('ij,kj->ik', x, x)", "torch.einsum('ij->j', x)", "torch.einsum('ii->i', x[:, :3])", "torch.einsum('bij,bkj->bik', i, i)", "torch.einsum('i,j->ij', y, y)", "torch.einsum('...ij,...jk', i, i.transpose(1, 2)).shape", "torch.addmm(torch.ones(3, 3), x, x.T)", "F.linear(x, x[:2])", "F.layer_norm(x, (4,))", "F.mse_loss(x, x + 1)", "F.cross_entropy(x, n[:3])", "F.one_hot(n)", "F.scaled_dot_product_attention(x, x, x)", "F.scaled_dot_product_attention(x, x, x, is_causal=True)", "F.normalize(x)"]
values += ["x.long()", "y.int()", "y.bool()", "i.float().dtype", "x.half() + y.bfloat16()", "(n + y).dtype", "(n.int() + n).dtype", "(n.to(torch.uint8) + n.to(torch.int8)).dtype", "(torch.tensor(2.5) * n).dtype", "(n * 2.5).dtype", "(n.to(torch.int8) * 100)", "(torch.tensor(1, dtype=torch.float64) + y).dtype", "(torch.tensor([1.], dtype=torch.float64) + y).dtype", "torch.result_type(n, 1.0)", "torch.promote_types(torch.int32, torch.float16)", "y.to(torch.float8_e4m3fn)", "y.to(torch.float8_e5m2)", "torch.tensor([500., 464., 465.]).to(torch.float8_e4m3fn)", "(y * 1e5).half()", "y.double() / 3", "y.half() / 3", "y.bfloat16() / 3", "n.item if False else n[1].item()", "x.tolist()", "torch.allclose(x, x + 1e-9)", "torch.equal(n, n.clone())", "torch.isclose(y, y + 1e-3)", "torch.tensor(3.7).int()", "int(torch.tensor(3.7))", "float(torch.tensor(2))", "bool(torch.tensor(0))", "n.type()", "y.cpu().device", "x.gather(1, n[:3, None])", "x.index_select(1, n)", "x.scatter(1, n[None, :2].expand(3, 2), 0.)", "x.masked_fill(b, -1)", "x.masked_select(b)", "torch.zeros(4).scatter_add(0, n, y)", "torch.zeros(4).index_add(0, n, y)", "x.nan_to_num()", "torch.bitwise_and(n, 1)", "torch.logical_and(b, b)", "torch.gcd(n, torch.tensor(2))", "x.float() is x", "f'{y[0]:.2f} {y[1]} {n[1]}'", "x.shape == (3, 4)", "tuple(x.shape)", "x.shape[0] * 2", "[t.item() for t in y]", "sum(y)", "max(y)", "list(n)", "y.grad", "x.requires_grad", "y[0] > 1"]
programs = ["print(" + v + ")" for v in values]

# Gradients: each expression of t (and u) is summed with weights and differentiated.
grads = ["t * t", "t + 2", "2 / (t + 3)", "t ** 3", "t ** 0", "t.exp()", "(t + 3).log()", "(t + 3).sqrt()", "t.sin() * t.cos()", "t.tanh()", "t.sigmoid()", "t.relu()", "t.abs()", "t.clamp(-0.5, 1)", "t.clamp(min=0)", "torch.maximum(t, u)", "torch.minimum(t, torch.zeros(()))", "torch.where(t > 0, t, u)", "t[1]", "t[:, 1:3]", "t[t > 0]", "t[[0, 0, 2]]", "t[:, None, 0]", "t.T @ u", "t @ u.T", "t @ t[0]", "t.sum(0)", "t.mean(1, keepdim=True)", "t.max(1)[0]", "t.amax(0)", "t.prod(1)", "t.cumsum(1)", "t.softmax(1)", "t.log_softmax(0)", "t.logsumexp(1)", "t.var(1)", "t.std()", "t.norm()", "t.norm(dim=1)", "t.view(-1)[::2]", "t.permute(1, 0).reshape(-1)", "t.expand(2, 3, 4)", "t[None].expand(2, -1, -1).sum(0)", "t.unsqueeze(0).squeeze()", "torch.cat([t, u, t])", "torch.stack([t, u])", "F.pad(t, (1, 1))", "F.pad(t, (-1, 0))", "t.flip(0) * u", "t.roll(1, 0) * u", "t.repeat(2, 1)", "t.tril()", "t * u[0]", "t * 3 + u[:, :1]", "t.half().float()", "t.double() * 2", "t.detach() * t", "t.sort()[0] * u", "t.gather(1, torch.tensor([[0], [1], [0]]))", "F.gelu(t)", "F.silu(t)", "F.layer_norm(t, (4,))", "torch.einsum('ij,kj->ik', t, u)", "F.mse_loss(t, u)", "F.cross_entropy(t, torch.tensor([0, 1, 3]))", "t.masked_fill(t > 0, 0.)", "torch.atan2(t, u + 3)", "t.diagonal()", "t.unfold(1, 2, 1)", "torch.outer(t[0], u[1])", "t / (u + 3)", "(t + 3) ** (u + 1)", "t.fmod(0.7)", "t % 0.7", "t.floor() + t", "F.scaled_dot_product_attention(t, u, t)", "torch.addmm(t[:, :3], t, u.T)", "t.max() * u", "t.unbind(1)[1]", "t.split(2, 1)[1]", "t.erf()", "t.exp2()", "(t + 3).log2()", "(t + 3).rsqrt()", "(t + 3).reciprocal()", "t.square()", "t.index_select(0, torch.tensor([2, 2]))", "t.lerp(u, 0.3)"]
for g in grads:
    programs.append(f"t, u = leaf(3, 4), leaf(3, 4)\nout = {g}\nw = torch.arange(float(out.numel())).view(out.shape) + 1\n(out * w).sum().backward()\nprint(out)\nprint(t.grad)\nprint(u.grad)")
programs += [
    "z = torch.zeros(3, 4)\nz[1] = y\nz[:, 0] = 7\nz[z == 0] = -1\nprint(z)",
    "z = torch.zeros(3, 4)\nz[n] = y\nz[:, n[:2]] += 1\nprint(z)",
    "z = x.clone()\nz += 1\nz[0] *= 2\nz.sub_(y)\nprint(z, x)",
    "v = x.view(-1)\nv[0] = 100\nprint(x)",
    "z = torch.zeros(2, 2, dtype=torch.int32)\nz[0, 0] = 3.9\nprint(z)\nz += 1\nprint(z)",
    "z = torch.zeros(4)\nz[1:3] = torch.tensor([5., 6.])\nz[torch.tensor([0, 3])] = torch.tensor([1., 2.])\nprint(z)",
    "z = i.clone()\nz[0, :, 1] = n[:3]\nz[..., 0] = -1\nz[1] = z[0]\nprint(z)",
    "t = leaf(3, 4)\nz = torch.zeros(3, 4)\nfor k in range(3):\n    z[k] = t[k] * (k + 1)\nz.sum().backward()\nprint(z)\nprint(t.grad)",
    "t = leaf(4)\nz = t * 2\nz[1] = 0\nz.mul_(3)\nz.sum().backward()\nprint(z, t.grad)",
    "t = leaf(4)\nz = t.clone()\nv = z[1:3]\nv += t[0]\nz.sum().backward()\nprint(z)\nprint(v)\nprint(t.grad)",
    "t = leaf(2)\n(t * t).sum().backward()\n(t * 3).sum().backward()\nprint(t.grad)\nt.grad = None\nt.sum().backward()\nprint(t.grad)\nt.grad.zero_()\nprint(t.grad)",
    "t = leaf(2)\nwith torch.no_grad():\n    z = t * 2\nprint(z.requires_grad, (t * 2).requires_grad, t.detach().requires_grad, t.is_leaf, (t * 2).is_leaf)",
    "t = leaf(3)\nz = t * 2\nz.retain_grad()\n(z * z).sum().backward()\nprint(z.grad, t.grad)",
    "t = leaf(3)\nz = (t ** 2).sum()\nprint(torch.autograd.grad(z, t))\nprint(t.grad)",
    "t = leaf(2, 3)\n(t @ t.T).backward(torch.eye(2))\nprint(t.grad)",
    "t = leaf(2)\nprint(t, t + 1, t.exp(), t[0], t.sum(), t.view(2, 1), t.relu(), t @ t, t.softmax(0), t.clone(), -t, t / 2, t - 1)",
    "w = torch.randn(4, 2, generator=None) * 0 + 0.5\nw.requires_grad_()\nfor _ in range(3):\n    loss = ((x @ w - 1) ** 2).mean()\n    loss.backward()\n    with torch.no_grad():\n        w -= 0.01 * w.grad\n        w.grad.zero_()\nprint(loss.item(), w)",
    "print(x.max(1).values, x.max(1).indices)\nv, k = x.min(0)\nprint(v, k)",
    "print(repr(x[0]), [x[0], n])\nprint({'a': n}, (y,))",
]
errors = ["x + torch.ones(5)", "x.view(5, 5)", "x @ x", "x[5]", "x[:, 9]", "x[0, 0, 0]", "y.sum(3)", "torch.cat([x, y])", "torch.stack([x, y])", "x.t().view(-1)", "bool(x)", "x.item()", "torch.zeros(-1)", "n.mean()", "torch.zeros(2).backward()", "leaf(2).backward()", "leaf(2).add_(1)", "n.requires_grad_()", "x.foo", "torch.foo(x)", "torch.zeros('a')", "x + 'a'", "x[1.5]", "x['a']", "b - b", "x & x", "n // 0", "torch.arange(0, 1, 0)", "torch.arange(3, 0)", "torch.tensor([[1, 2], [3]])", "torch.tensor(['a'])", "x.expand(2, 2)", "x.permute(0, 0)", "x.sum(dim='a')", "x[:, None].squeeze(5)", "F.pad(y, (1, 1, 1, 1))", "torch.mm(y, y)", "x.reshape(5, -1)", "x[b[0]]", "n.matmul(y)", "torch.randint(5, 2, (3,))", "len(torch.tensor(1))", "iter(torch.tensor(1))", "x.sum(axis=7)", "torch.zeros(2)[::-1]", "x.gather(1, n)", "x.index_select(0, torch.tensor([5]))", "2 ** -n", "x.clamp()", "torch.where(n, x, x)", "y.expand(3, -1, -1)", "y.unsqueeze(3)", "x.transpose(0, 5)", "torch.ones(3, dtype=torch.int32).exp_()", "n.add_(0.5)"]
programs += ["print(" + e + ")" for e in errors]
programs += ["x[0] = torch.ones(3)", "x[7] = 1", "x[[9]] = 1", "z = torch.zeros(2).expand(3, 2)\nz += 1", "t = leaf(3)\nt[0] = 1", "x[0] = 'a'"]

def record(code):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(PRELUDE + code, {})
    except Exception as e:
        return dict(code=code, error=type(e).__name__, message=str(e).split("\n")[0])
    return dict(code=code, out=out.getvalue())

with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as g:
    g.write((json.dumps(dict(prelude=PRELUDE, torch=torch.__version__)) + "\n").encode())
    for p in programs:
        g.write((json.dumps(record(p)) + "\n").encode())
print(len(programs))
