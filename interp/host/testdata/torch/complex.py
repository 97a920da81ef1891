# Complex tensors, as documents use them: rotary embeddings first, then each operation that newt has on them.
import torch

torch.manual_seed(0)


def show(label, f):
    try:
        v = f()
    except Exception as e:
        print(f"{label}: {type(e).__name__}: {str(e).splitlines()[0]}")
        return
    print(f"{label}: {v}" + (f" {v.dtype}" if isinstance(v, torch.Tensor) else ""))


# Rotary embeddings as Llama's reference has them.
def precompute_freqs_cis(dim, end, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=freqs.device)
    freqs = torch.outer(t, freqs).float()
    return torch.polar(torch.ones_like(freqs), freqs)


def apply_rotary_emb(xq, xk, freqs_cis):
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    shape = [d if i == 1 or i == xq_.ndim - 1 else 1 for i, d in enumerate(xq_.shape)]
    freqs_cis = freqs_cis.view(*shape)
    xq_out = torch.view_as_real(xq_ * freqs_cis).flatten(3)
    xk_out = torch.view_as_real(xk_ * freqs_cis).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)


freqs_cis = precompute_freqs_cis(8, 6)
print(freqs_cis)
print(freqs_cis.dtype, freqs_cis.shape, freqs_cis.stride(), freqs_cis.is_complex(), freqs_cis.element_size())
q, k = torch.randn(2, 6, 2, 8), torch.randn(2, 6, 2, 8)
rq, rk = apply_rotary_emb(q, k, freqs_cis)
print(rq[0, :2], rk[1, -1])
hq, hk = apply_rotary_emb(q.half(), k.bfloat16(), freqs_cis)
print(hq.dtype, hk.dtype, hq[0, 1])
q.requires_grad_()
rq, _ = apply_rotary_emb(q, k, freqs_cis)
(rq * torch.arange(8.0)).sum().backward()
print(q.grad[0, :2])
print(rq.grad_fn.name(), torch.allclose(q.grad.norm(), (torch.arange(8.0).expand(2, 6, 2, 8)).norm()))

# Making and printing.
a = torch.tensor([1 + 2j, -3.5j, 0.25, -1e-3 + 1j])
b = torch.tensor([[1 + 1j, 2 - 3j], [0.5 + 0j, -4j]], dtype=torch.complex128)
z = torch.complex(torch.tensor([1.0, -2.0, 0.0, 3.0]), torch.tensor([0.5, 2.0, -1.0, 0.0]))
d = torch.complex(torch.tensor([1.0, 2.0]).double(), torch.tensor([3.0, -4.0]).double())
print(a, b, z, d, sep="\n")
print(repr(torch.tensor(1 + 2j)), torch.tensor(1 + 2j).item(), b.tolist(), b[0, 1].item())
show("empty", lambda: torch.empty(0, dtype=torch.complex64))
show("empty 2", lambda: torch.zeros(2, 0, dtype=torch.complex128))
show("zeros", lambda: torch.zeros(2, 2, dtype=torch.complex64))
show("ones", lambda: torch.ones(3, dtype=torch.cfloat))
show("full double", lambda: torch.full((2,), 2, dtype=torch.cdouble))
show("eye", lambda: torch.eye(2, dtype=torch.complex64))
show("zeros_like", lambda: torch.zeros_like(a))
show("ones_like", lambda: torch.ones_like(b))
show("empty_like", lambda: torch.empty_like(b).shape)
show("large", lambda: torch.tensor([1e6 + 1j, 2.5 - 1e-4j]))
show("larger", lambda: torch.tensor([1e9 + 1j, 2.5 - 1e-4j]))
show("small", lambda: torch.tensor([1e-6 + 1e-7j]))
show("whole", lambda: torch.tensor([1 + 2j, 300 - 4j]))
show("whole large", lambda: torch.tensor([123456789 + 2j, 3j]))
show("mixed", lambda: torch.tensor([1 + 0.5j, 2 + 1j]))
show("inf nan", lambda: torch.tensor([complex("inf"), complex(0, float("nan")), complex(float("-inf"), 2.5)]))
show("negative zero", lambda: torch.tensor([complex(-0.0, -0.0), complex(1, -0.0)]))
show("scalar", lambda: torch.tensor(0.1 - 0.2j, dtype=torch.complex128))
show("long", lambda: torch.complex(torch.arange(2000.0), -torch.arange(2000.0)))
show("wide", lambda: torch.complex(torch.arange(24.0).view(2, 12), torch.arange(24.0).view(2, 12) / 3))
show("cube", lambda: torch.complex(torch.arange(8.0).view(2, 2, 2), torch.ones(2, 2, 2)))
show("grad", lambda: torch.tensor([1 + 2j], requires_grad=True))
show("node", lambda: torch.tensor([1 + 2j], requires_grad=True) * 2)
show("cuda", lambda: torch.tensor([1 + 2j], device="cuda"))
show("parts differ", lambda: torch.complex(torch.ones(2), torch.ones(2).double()))
show("parts int", lambda: torch.complex(torch.ones(2).int(), torch.ones(2).int()))
show("broadcast parts", lambda: torch.complex(torch.ones(2, 1), torch.zeros(3)))
show("polar", lambda: torch.polar(torch.tensor([1.0, 2.0, 0.0]), torch.tensor([0.0, 1.5707963, -3.0])))
show("polar double", lambda: torch.polar(torch.tensor([1.0, 2.0]).double(), torch.tensor([3.0, -1.0]).double()))
show("polar differs", lambda: torch.polar(torch.ones(2), torch.ones(2).double()))
show("polar int", lambda: torch.polar(torch.ones(2).int(), torch.ones(2).int()))

# Views and parts.
x = torch.arange(12.0).view(2, 3, 2)
c = torch.view_as_complex(x)
print(c, c.shape, c.stride())
c[0, 0] = 9 - 9j
print(x[0, 0], torch.view_as_real(c).shape, torch.view_as_real(c).stride())
c.real[1] = -1.0
print(x[1], c.imag, c.real.stride(), c.imag.storage_offset())
show("as complex shape", lambda: torch.view_as_complex(torch.ones(2, 3)))
show("as complex dtype", lambda: torch.view_as_complex(torch.ones(2, 2).int()))
show("as complex scalar", lambda: torch.view_as_complex(torch.tensor(1.0)))
show("as complex strides", lambda: torch.view_as_complex(torch.ones(2, 3, 2).transpose(1, 2).contiguous().transpose(1, 2)))
show("as real of real", lambda: torch.view_as_real(torch.ones(2)))
show("imag of real", lambda: torch.ones(2).imag)
show("real of real", lambda: torch.ones(2).real)
show("torch.real", lambda: torch.real(a))
show("torch.imag", lambda: torch.imag(a))
show("torch.imag of real", lambda: torch.imag(torch.ones(2)))
show("conj", lambda: a.conj())
show("conj of real", lambda: torch.ones(2).conj())
show("conj parts", lambda: (a.conj().real, a.conj().imag))
show("resolve", lambda: a.conj().resolve_conj())
show("conj_physical", lambda: torch.conj_physical(a))
show("view", lambda: a.view(2, 2))
show("t", lambda: b.t())
show("mH", lambda: b.mH)
show("H", lambda: b.H)
show("adjoint", lambda: b.adjoint())
show("slice", lambda: b[:, 0])
show("index", lambda: a[torch.tensor([2, 0])])
show("mask", lambda: a[torch.tensor([True, False, False, True])])
show("cat", lambda: torch.cat([a, z]))
show("cat promotes", lambda: torch.cat([a, torch.ones(2)]))
show("stack", lambda: torch.stack([a, z]))
show("expand", lambda: torch.tensor([[1j]]).expand(2, 2))
show("unsqueeze", lambda: a.unsqueeze(0).shape)
show("repeat", lambda: a.repeat(2))
show("flip", lambda: a.flip(0))
show("clone", lambda: a.clone())
show("contiguous", lambda: b.t().contiguous())
show("view dtype", lambda: a.view(torch.float32))
show("view as complex dtype", lambda: torch.arange(4.0).view(torch.complex64))

# Conversions.
show("to double", lambda: a.to(torch.complex128))
show("to single", lambda: b.to(torch.complex64))
show("float to complex", lambda: torch.tensor([1.5, -2.0]).to(torch.complex64))
show("int to complex", lambda: torch.tensor([1, -2]).to(torch.complex128))
show("cfloat", lambda: torch.ones(2).cfloat())
show("cdouble", lambda: torch.ones(2).cdouble())
show("item complex", lambda: complex(torch.tensor(1.5 + 2j)))
show("promote", lambda: [str(torch.promote_types(torch.complex64, x)) for x in [
    torch.bool, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex128]])
show("is_floating_point", lambda: (a.is_floating_point(), torch.is_complex(a), torch.is_complex(torch.ones(1))))
show("type", lambda: a.type())
show("legacy", lambda: a.nbytes)

# Arithmetic.
r = torch.tensor([2.0, 4.0, -1.0, 0.5])
for name, f in {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y,
}.items():
    show(name, lambda: f(a, z))
    show(name + " real", lambda: f(a, r))
    show(name + " real first", lambda: f(r, a))
    show(name + " number", lambda: f(a, 2))
    show(name + " float", lambda: f(0.5, a))
    show(name + " complex", lambda: f(a, 1 - 2j))
    show(name + " complex of real", lambda: f(r, 1j))
    show(name + " double", lambda: f(b, b.flip(0)))
    show(name + " mixed", lambda: f(a[:2], b))
show("neg", lambda: -a)
show("abs", lambda: a.abs())
show("abs double", lambda: b.abs())
show("abs overflow", lambda: torch.tensor([3e38 + 3e38j, 1e-30 + 1e-30j]).abs())
show("angle", lambda: a.angle())
show("exp", lambda: z.exp())
show("exp i", lambda: torch.exp(1j * torch.arange(4.0)))
show("in place", lambda: a.clone().add_(z))
show("in place real", lambda: r.clone().add_(z))
show("mul_", lambda: a.clone().mul_(2j))
show("copy_", lambda: a.clone().copy_(r))
show("setitem", lambda: torch.zeros(2).__setitem__(0, 1j))

# Sums and products.
show("sum", lambda: a.sum())
show("sum dim", lambda: b.sum(0))
show("mean", lambda: b.mean())
show("cumsum", lambda: a.cumsum(0))
show("matmul", lambda: b @ b)
show("matmul single", lambda: b.to(torch.complex64) @ a.view(2, 2))
show("mv", lambda: b @ torch.tensor([1j, 2.0], dtype=torch.complex128))
show("dot", lambda: torch.dot(a, z))
show("bmm", lambda: torch.bmm(b.expand(2, 2, 2), b.expand(2, 2, 2)))
show("matmul mixed", lambda: b @ torch.ones(2, 2))
show("outer", lambda: torch.outer(a, z))
show("trace", lambda: torch.trace(b))
show("equal", lambda: (torch.equal(a, a.clone()), torch.equal(a, z)))

# Gradients: torch's is the conjugate of the derivative.
def gradient(f, *inputs):
    inputs = [t.clone().detach().requires_grad_() for t in inputs]
    out = f(*inputs)
    out = out if not out.is_complex() else torch.view_as_real(out)
    (out * torch.arange(1.0, out.numel() + 1).view(out.shape)).sum().backward()
    return [t.grad for t in inputs]


for name, f, inputs in [
    ("mul", lambda x, y: x * y, (a, z)), ("mul real", lambda x, y: x * y, (a, r)), ("add", lambda x, y: x + y, (a, z)),
    ("sub", lambda x, y: x - y, (r, z)),
    ("real", lambda x: x.real, (a,)), ("imag", lambda x: x.imag, (a,)),
    ("polar", torch.polar, (r, torch.arange(4.0))), ("complex", torch.complex, (r, r)),
    ("matmul", lambda x, y: x @ y, (a.view(2, 2), z.view(2, 2))), ("sum", lambda x: x.sum(0), (a,)),
    ("angle", lambda x: x.angle(), (a,)), ("exp", lambda x: x.exp(), (z,)), ("to", lambda x: x.to(torch.complex64) * 1j, (r,)),
    ("broadcast", lambda x, y: x * y, (a.view(4, 1), z[:2])),
]:
    show("gradient of " + name, lambda: gradient(f, *inputs))
show("backward", lambda: torch.tensor([1j], requires_grad=True).sum().backward())
