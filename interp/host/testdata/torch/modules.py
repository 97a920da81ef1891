import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Function

class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x ** 3 * scale
    @staticmethod
    def backward(ctx, dy):
        x, = ctx.saved_tensors
        print(ctx.needs_input_grad)
        return dy * 3 * x * x * ctx.scale, None

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Cube.apply(x, 2)
print(y)
y.sum().backward()
print(x.grad)
try:
    y.sum().backward()
except RuntimeError as e:
    print(str(e)[:50])

class Two(Function):
    @staticmethod
    def forward(a, b):
        return a * b, (a > b)
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.mark_non_differentiable(output[1])
    @staticmethod
    def backward(ctx, g, _):
        a, b = ctx.saved_tensors
        return g * b, g * a
a = torch.rand(3, dtype=torch.double, requires_grad=True)
b = torch.rand(3, dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(lambda a, b: Two.apply(a, b)[0], (a, b)))
p, m = Two.apply(a, b)
print(p.requires_grad, m.requires_grad, m.dtype)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.act = nn.GELU()
        self.blocks = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.head = nn.Sequential(nn.LayerNorm(8), nn.ReLU(), nn.Linear(8, 2, bias=False))
        self.register_buffer("scale", torch.ones(2))
    def forward(self, x):
        x = self.act(self.fc1(x))
        for b in self.blocks:
            x = x + b(x)
        return self.head(x) * self.scale
torch.manual_seed(0)
net = Net()
print(net)

print([n for n, _ in net.named_parameters()], sum(p.numel() for p in net.parameters()))
print(list(net.state_dict().keys())[-2:])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
inp, tgt = torch.randn(5, 4), torch.randint(0, 2, (5,))
for _ in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(inp), tgt)
    loss.backward()
    opt.step()
    print(loss.item() > 0)
net = net.cuda()
print(next(net.parameters()).device, net.scale.device, isinstance(net.fc1.weight, nn.Parameter), isinstance(net.fc1.weight, torch.Tensor))
print(net.load_state_dict(net.state_dict()), net.training, net.eval().training)
print(nn.Parameter(torch.zeros(2)))
torch.backends.cuda.matmul.allow_tf32 = True
print(torch.backends.cuda.matmul.allow_tf32, torch.version.cuda, torch.__version__)
with torch.set_grad_enabled(False):
    print(torch.is_grad_enabled())
print(torch.is_grad_enabled())
@torch.amp.custom_fwd(device_type="cuda")
def f(ctx, x): return x + 1
print(f(nn.Identity(), 1))
print(nn.init.kaiming_normal_(torch.empty(2, 2)).shape)
torch.manual_seed(0)
print(nn.Linear(3, 2).weight)
