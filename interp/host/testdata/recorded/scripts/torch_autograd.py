import torch

x = torch.tensor([2.0, 3.0], device="cuda", requires_grad=True)
y = (x ** 2 * torch.tensor([1.0, 2.0], device="cuda")).sum()
print(y)
y.backward()
print(x.grad)
x.grad.zero_()
z = torch.exp(x).mean() + (x[0] * x[1]).log()
z.backward()
print(x.grad)
a = torch.randn(2, 2, generator=torch.Generator().manual_seed(0)).requires_grad_()
loss = (a @ a.t()).trace()
(g,) = torch.autograd.grad(loss, a)
print(torch.allclose(g, 2 * a))
with torch.no_grad():
    b = a * 2
print(b.requires_grad, (a * 2).requires_grad, a.detach().requires_grad, b.is_leaf)
for t in (a * 2, torch.relu(a), a.sum(), a.view(4), a @ a):
    print(type(t.grad_fn).__name__, t.grad_fn.name(), str(t.grad_fn).split(" at ")[0])
w = torch.nn.Parameter(torch.ones(2))
print(w)
try:
    torch.ones(2).sum().backward()
except RuntimeError as e:
    print(e)
try:
    x.sum().backward()
    s = x.sum()
    s.backward()
    (x * x).backward()
except RuntimeError as e:
    print(e)
y = (x * x).sum()
y.backward()
try:
    y.backward()
except RuntimeError as e:
    print(e)
x.register_hook(lambda grad: print("hook", grad))
x.sum().backward()
